"use strict";
// A part for each suite and mode: how far its stages are, and the board that was computed last.
const head = make("p"), parts = make("div");
part("work").hidden = false;
part("work").append(head, parts);
const looks = new Map();
head.textContent = say("nothing_runs");

function table(heads, rows) {
  const made = make("table"), body = make("tbody");
  for (const cells of [heads, ...rows]) {
    const row = make("tr");
    for (const cell of cells) row.append(make(cells === heads ? "th" : "td", cell));
    body.append(row);
  }
  made.append(body);
  const frame = make("div", undefined, "wide");
  frame.append(made);
  return frame;
}

// Where a suite in a mode is shown; a run calls it "suite · mode".
function look(key) {
  if (!looks.has(key)) {
    const made = { all: make("section", undefined, "board"), title: make("h2", key), stages: make("div"), board: make("div") };
    made.all.append(made.title, made.stages, made.board);
    parts.append(made.all);
    looks.set(key, made);
  }
  return looks.get(key);
}

const points = (value) => (value === null ? "—" : String(Math.round(value)));
const range = (low, high) => (low === null || high === null ? "—" : points(low) + " … " + points(high));
const ranks = ([low, high]) => (low === null ? "—" : low === high ? String(low) : low + "–" + high);
const when = (at) => new Date(at).toLocaleString(lang === "zh" ? "zh-CN" : "en-GB");
const named = (words_, otherwise) => (words_ ? words_[lang] : otherwise);

const events = new EventSource("/api/live");
events.onopen = () => notice("");
events.onerror = async () => {
  if (events.readyState !== EventSource.CLOSED) { notice(say("lost")); return; }
  const { status } = await talk("GET", "/api/board").catch(() => ({ status: 0 }));
  head.textContent = "";
  if (status === 403) { blind(); return; }
  notice(say(status === 401 ? "needs_token" : "lost"));
  if (status === 401) part("notice").append(" ", link("/enter", say("owner_title")));
};
events.addEventListener("progress", (event) => {
  const told = JSON.parse(event.data), stages = new Map();
  head.textContent = told.command + " · " + say(told.state === "running" ? "state_running" : "state_ended") + " · " + when(told.at);
  for (const one of told.stages || []) stages.set(one.job, [...(stages.get(one.job) || []), one]);
  for (const [job, all] of stages)
    look(job).stages.replaceChildren(table([say("stage"), say("done_so_far"), say("planned"), say("calls")],
      all.map((s) => [say("stage_" + s.stage, {}, s.stage), String(s.present + s.made), String(s.planned), String(s.calls)])));
});
events.addEventListener("board", (event) => {
  for (const one of JSON.parse(event.data)) {
    const seen = look(one.suite + " · " + one.mode);
    parts.append(seen.all); // in the workspace's order
    seen.title.textContent = one.title[lang] + " · " + named(one.mode_name, one.mode);
    if (one.at === null) { seen.board.replaceChildren(make("p", say("no_board"))); continue; }
    seen.board.replaceChildren(make("p", say("board_of", { n: one.comparisons, at: when(one.at) })),
      table([say("rank"), say("agent"), say("rating"), say("interval")], one.agents.map((a) =>
        [ranks(a.ranks), named(a.name, a.agent), points(a.rating), range(a.low, a.high)])));
  }
});
