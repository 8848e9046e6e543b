"""Small folders after the shapes of other people's formats; every text in them is our own."""

import json
import zipfile

TIME = 1_700_000_000.0
ASKED = ("Name a river of two letters.", "How many legs has a spider?")
SAID = {"ann": ("The Po.", "Eight of them."), "ben/b": ("Rhine…", "六条腿。")}
AGENTS = tuple(SAID)


def save(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    return path


def save_lines(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, "utf-8")
    return path


def output(agent, n):
    return {
        "dataset": "little",
        "instruction": ASKED[n],
        "output": SAID[agent][n],
        "generator": agent,
    }


def annotation(n, preference, **more):
    return {
        "dataset": "little",
        "instruction": ASKED[n],
        "output_1": SAID["ann"][n],
        "generator_1": "ann",
        "output_2": SAID["ben/b"][n],
        "generator_2": "ben/b",
        "annotator": "weigher",
        "preference": preference,
        "preference_date": "2024-05-01T10:00:00",
        **more,
    }


def write_alpacaeval(folder, *, judged=True):
    """Two agents' answers, and a judge that prefers by a share and once gives no answer."""
    for agent in AGENTS:
        rows = [output(agent, n) for n in range(2)]
        save(folder / "runs" / agent.replace("/", "_") / "model_outputs.json", rows)
    if judged:
        rows = [annotation(0, 1.125), annotation(1, None)]
        save(folder / "runs" / "ben_b" / "weigher" / "annotations.json", rows)
    return folder


def hard_answer(agent, n, said=None):
    return {
        "uid": f"q{n}",
        "ans_id": f"a{n}",
        "model": agent,
        "messages": [
            {"role": "user", "content": ASKED[n]},
            {"role": "assistant", "content": {"answer": said or SAID[agent][n]}},
        ],
        "tstamp": TIME,
        "metadata": {"token_len": 3},
    }


def hard_judgment(n, *scores):
    return {
        "uid": f"q{n}",
        "category": "hard_prompt",
        "judge": "umpire",
        "model": "ben/b",
        "baseline": "ann",
        "games": [
            score if score is None or isinstance(score, dict) else game(score) for score in scores
        ],
    }


def game(score):
    return {
        "score": None if score == "none" else score,
        "judgment": {"answer": f"My verdict is {score}."},
        "prompt": [],
    }


def write_arena_hard(folder, *, judged=True):
    """Two questions, two agents, four games of which one has no label."""
    rows = [
        {"uid": f"q{n}", "category": "hard_prompt", "subcategory": "Facts", "prompt": text}
        for n, text in enumerate(ASKED)
    ]
    save_lines(folder / "question.jsonl", rows)
    for agent in AGENTS:
        name = agent.replace("/", "_")
        rows = [hard_answer(agent, n) for n in range(2)]
        save_lines(folder / "model_answer" / f"{name}.jsonl", rows)
    if judged:
        rows = [hard_judgment(0, "A>>B", "B<<A"), hard_judgment(1, "A=B", "none")]
        save_lines(folder / "model_judgment" / "umpire" / "ben_b.jsonl", rows)
    return folder


TURNS = (("Name a river.", "And a longer one?"), ("How many legs has a spider?",))


def bench_answer(agent, n):
    turns = [f"{agent} on {turn}" for turn in TURNS[n]]
    return {
        "question_id": 80 + n,
        "answer_id": f"id{n}",
        "model_id": agent,
        "choices": [{"index": 0, "turns": turns}],
        "tstamp": TIME,
    }


def bench_single(agent, n, turn, score):
    return {
        "question_id": 80 + n,
        "model": agent,
        "judge": ["umpire", "single-v1"],
        "user_prompt": "…",
        "judgment": f"Rating: [[{score}]]",
        "score": score,
        "turn": turn,
        "tstamp": TIME,
    }


def bench_pair(n, turn, *winners):
    return {
        "question_id": 80 + n,
        "model_1": "ann",
        "model_2": "ben/b",
        "g1_winner": winners[0],
        "g2_winner": winners[1],
        "judge": ["umpire", "pair-v2"],
        "g1_user_prompt": "…",
        "g1_judgment": "first game",
        "g2_user_prompt": "…",
        "g2_judgment": "second game",
        "turn": turn,
        "tstamp": TIME,
    }


def write_fastchat(folder, *, judged=True):
    """A question of two turns and one of one; numbers, of which one failed, and games."""
    rows = [
        {"question_id": 80 + n, "category": "facts", "turns": list(turns)}
        for n, turns in enumerate(TURNS)
    ]
    rows[0]["reference"] = ["The Po.", "The Nile."]
    save_lines(folder / "question.jsonl", rows)
    for agent in AGENTS:
        name = agent.replace("/", "_")
        rows = [bench_answer(agent, n) for n in range(2)]
        save_lines(folder / "model_answer" / f"{name}.jsonl", rows)
    if judged:
        numbers = [("ann", 0, 1, 7), ("ann", 0, 2, 8.5), ("ben/b", 0, 1, 3), ("ben/b", 0, 2, -1)]
        rows = [bench_single(*one) for one in (*numbers, ("ann", 1, 1, 9))]
        save_lines(folder / "model_judgment" / "umpire_single.jsonl", rows)
        rows = [
            bench_pair(0, 1, "model_1", "model_1"),
            bench_pair(0, 2, "tie", "error"),
            bench_pair(1, 1, "model_2", "model_1"),
        ]
        save_lines(folder / "model_judgment" / "umpire_pair.jsonl", rows)
    return folder


def review(agent, n, value, **score):
    return {
        "index": n,
        "target": ["Po"],
        "messages": [
            {"role": "user", "content": ASKED[n]},
            {"role": "assistant", "content": SAID[agent][n]},
        ],
        "agent_trace": None,
        "sample_score": {
            "score": {
                "value": {"acc": value, "length": 12.0},
                "status": "success",
                "main_score_name": "acc",
                "explanation": "as it reads",
                **score,
            },
            "sample_id": n,
            "group_id": n,
            "generation_index": 0,
        },
    }


def battle(n, *labels):
    sides = ("ann", "ben"), ("ben", "ann")
    games = [
        {"model_a": a, "model_b": b, "judgment": label}
        for (a, b), label in zip(sides, labels, strict=True)
    ]
    score = {"value": {"score": 0.5}, "metadata": {"battle_result": {"games": games}}}
    return {"index": n, "sample_score": {"score": score, "sample_id": n}}


def write_evalscope(folder, *, judged=True):
    """Two agents on two samples, one of which could not be scored, and two battles."""
    for agent, source in (("ann", "ann"), ("ben", "ben/b")):
        rows = [review(source, 0, 1.0), review(source, 1, 0.0, status="parse_error")]
        save_lines(folder / "reviews" / agent / "little_qa.jsonl", rows)
    if judged:
        rows = [battle(0, "A>>B", "B>A"), battle(1, "A=B", None)]
        place = folder / "reviews" / "Arena" / "general_arena_little&qa@ann&ben.jsonl"
        save_lines(place, rows)
    return folder


REPORTED = ((12, 0.0185), (12, 0.5469), (10, 0.075), (10, 0.8382))
"""Questions and win rates of the four subsets of EvalScope's published example."""


def write_report(folder, overall=0.3617):
    subsets = [{"name": f"s{n}", "num": k, "score": r} for n, (k, r) in enumerate(REPORTED)]
    metric = {
        "identity": {"name": "win_rate", "aggregation": "elo"},
        "score": overall,
        "categories": [{"name": ["default"], "subsets": subsets}],
    }
    report = {"schema_version": 2, "name": "Arena@general_arena", "metrics": [metric]}
    return save(folder / "reports" / "Arena" / "general_arena.json", report)


def inspect_sample(agent, n, epoch=1, **scores):
    return {
        "id": ("river", "legs/2")[n],
        "epoch": epoch,
        "input": ASKED[n],
        "target": "Po",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": ASKED[n]},
            {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}]},
            {"role": "tool", "content": "42"},
            {"role": "assistant", "content": SAID[agent][n]},
        ],
        "scores": {
            name: {"value": value, "explanation": f"{name} says so"}
            for name, value in scores.items()
        },
        "metadata": {"topic": "facts"},
        "completed_at": "2025-01-02T03:04:05+00:00",
    }


def inspect_log(agent, samples):
    about = {"created": "2025-01-02T03:00:00+00:00", "task": "little", "model": agent}
    return {"version": 2, "status": "success", "eval": about, "samples": samples}


def inspect_samples(agent):
    return [
        inspect_sample(agent, 0, match="C", f1={"p": 0.25, "r": 1}),
        inspect_sample(agent, 0, epoch=2, match="I", f1={"p": 0.5, "r": 0}),
        inspect_sample(agent, 1, match="N", f1={"p": 0.5, "r": True}),
    ]


def write_inspect(folder, *, judged=True):
    """A log as JSON and one as an archive, with tools, two epochs and an answer without a mark."""
    rows = {agent: inspect_samples(agent) for agent in AGENTS}
    if not judged:
        for row in (*rows["ann"], *rows["ben/b"]):
            row["scores"] = {}
    save(folder / "ann.json", inspect_log("ann", rows["ann"]))
    write_eval(folder / "ben.eval", inspect_log("ben/b", rows["ben/b"]))
    return folder


def write_eval(path, log, *, names=None, packing=zipfile.ZIP_DEFLATED):
    """A log as an archive: its head, and a member a sample."""
    head = {key: value for key, value in log.items() if key != "samples"}
    with zipfile.ZipFile(path, "w", packing) as archive:
        archive.writestr("header.json", json.dumps(head))
        for n, sample in enumerate(log["samples"]):
            name = names[n] if names else f"samples/{sample['id']}_epoch_{sample['epoch']}.json"
            archive.writestr(name, json.dumps(sample))
    return path


WRITERS = {
    "alpacaeval": write_alpacaeval,
    "arena-hard": write_arena_hard,
    "fastchat": write_fastchat,
    "evalscope": write_evalscope,
    "inspect": write_inspect,
}
COUNTS = {
    "alpacaeval": {"transcript": 4, "sheet": 0, "verdict": 2},
    "arena-hard": {"transcript": 4, "sheet": 0, "verdict": 4},
    "fastchat": {"transcript": 4, "sheet": 3, "verdict": 6},
    "evalscope": {"transcript": 4, "sheet": 4, "verdict": 4},
    "inspect": {"transcript": 6, "sheet": 6, "verdict": 0},
}
"""Records of a folder of each."""
UNREAD = {
    "alpacaeval": {"transcript": 0, "sheet": 0, "verdict": 1},
    "arena-hard": {"transcript": 0, "sheet": 0, "verdict": 1},
    "fastchat": {"transcript": 0, "sheet": 1, "verdict": 1},
    "evalscope": {"transcript": 0, "sheet": 2, "verdict": 1},
    "inspect": {"transcript": 0, "sheet": 2, "verdict": 0},
}
"""Those without an answer that counts."""
