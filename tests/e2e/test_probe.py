from tests.e2e.conftest import agent, judge
import time

B = "ok 429-then-ok 500-then-ok 503-then-ok 529-then-ok cut-then-ok hang-then-ok hang cut 500 429-forever html garbage no-choices none empty length content_filter policy policy-azure think open-think reasoning 401 402 403 404 422 no-usage".split()


def test_a(workspace, server):
    L = {"timeout": 1, "deadline": 5, "attempts": 2, "concurrency": 1}
    workspace.configure(
        [agent(b, server.url, limits=L) for b in B]
        + [
            agent("empty-max", server.url, model="empty/2", limits=L, sampling={"max_tokens": 10}),
            agent("len-max", server.url, model="length/2", limits=L, sampling={"max_tokens": 10}),
        ],
        [judge("j", server.url)],
    )
    t = time.time()
    ran = workspace.run("collect", "--yes")
    print(ran)
    print(time.time() - t)
    print({k: v["begun"] for k, v in server.stats(False)["models"].items()})
    for r in workspace.rows(
        "select entrant, round, attempt, status, finish_reason, left(text,20), tokens_out, cost, left(error,200), latency_ms, params_sent from call order by all"
    ):
        print(r)
