"use strict";
const progress = make("div"), boards = make("div");
part("work").hidden = false;
part("work").append(progress, boards);

function table(heads, rows) {
  const made = make("table");
  for (const cells of [heads, ...rows]) {
    const row = make("tr");
    for (const cell of cells) row.append(make(cells === heads ? "th" : "td", cell));
    made.append(row);
  }
  return made;
}

const points = (value) => (value === null ? "—" : String(Math.round(value)));
const events = new EventSource("/api/live");
events.addEventListener("progress", (event) => {
  const told = JSON.parse(event.data);
  const rows = (told.stages || []).map((s) =>
    [s.job, s.stage, String(s.present + s.made), String(s.planned), String(s.calls)]);
  progress.replaceChildren(make("h2", told.command + " · " + say("state_" + (told.state === "running" ? "running" : "ended"))),
    table([say("suite"), say("stage"), say("done_so_far"), say("planned"), say("calls")], rows));
});
events.addEventListener("board", (event) => {
  boards.replaceChildren(...JSON.parse(event.data).flatMap((one) => [
    make("h2", one.suite + " · " + one.mode + " · " + one.at),
    table([say("agent"), say("rating"), say("interval")], one.agents.map((a) =>
      [a.agent, points(a.rating), points(a.low) + " … " + points(a.high)]))]));
});
