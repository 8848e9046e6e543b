"use strict";
let state = null, shown = null, room = "", asked = 0, criteria = {}, busy = false, last = null;

function entered(told) {
  state = told;
  proof = told.proof;
  part("leave").hidden = false;
  part("leave").onclick = leave;
  if (told.read_only) notice(say("read_only"));
  if (told.rooms.length === 0) { finish(say("no_room")); return; }
  const kept = told.rooms.find((one) => one.room === sessionStorage.getItem("room"));
  const open = told.rooms.filter((one) => one.progress.done < one.progress.total);
  if (kept && open.includes(kept)) enterRoom(kept.room);
  else if (told.rooms.length === 1) enterRoom(told.rooms[0].room);
  else chooseRoom(told.rooms);
}

function chooseRoom(rooms) {
  const work = part("work");
  work.hidden = false;
  work.replaceChildren(make("h2", say("rooms")));
  rooms.forEach((one, n) => {
    const label = one.title[lang] + " · " + say("done", one.progress);
    const line = make("p");
    line.append(answer(String(n + 1), label, () => enterRoom(one.room)));
    work.append(line);
  });
}

function enterRoom(code) {
  room = code;
  sessionStorage.setItem("room", code);
  advance();
}

async function advance() {
  const reply = await talk("GET", "/api/vote/next?room=" + encodeURIComponent(room));
  if (reply.status === 401) { comeBack(state.person, advance); return; }
  if (reply.status !== 200) { sessionStorage.removeItem("room"); finish(say("mistake")); return; }
  shown = reply.told;
  tell(shown.progress);
  if (!shown.item) { await finishRoom(); return; }
  asked = 0;
  criteria = {};
  showItem();
}

function tell(progress) {
  last = progress.last;
  part("progress").textContent = say("done", progress);
}

async function finishRoom() {
  const { told } = await talk("GET", "/api/vote/state");
  const others = ((told && told.rooms) || []).filter((one) => one.room !== room && one.progress.done < one.progress.total);
  finish(say(others.length ? "room_done" : "all_done"));
  if (!others.length) return;
  const work = part("work"), done = [...work.childNodes];
  chooseRoom(others);
  work.prepend(...done);
}

function finish(text) {
  shown = null;
  delete part("work").dataset.item;
  part("work").hidden = false;
  part("work").replaceChildren(make("p", text));
  part("keys").hidden = !last;
  part("keys").replaceChildren();
  if (last) part("keys").append(answer("U", say("undo"), undo));
}

function showItem() {
  const situation = make("div", undefined, "situation");
  situation.append(make("h2", shown.title), make("p", shown.user));
  if (shown.context) situation.append(behind(shown.context));
  const sides = make("div", undefined, "sides");
  shown.dialogues.forEach((dialogue, n) => {
    const side = make("section", undefined, "side");
    side.append(make("h2", shown.codes[n]));
    for (const said of dialogue) {
      const line = make("div", undefined, "said " + said.who);
      line.append(make("b", said.who === "user" ? say("user") : shown.codes[n]), make("div", said.text));
      side.append(line);
    }
    sides.append(side);
  });
  part("work").hidden = false;
  part("work").dataset.item = shown.item;
  part("work").replaceChildren(situation, sides);
  window.scrollTo(0, 0);
  ask();
}

// What the author knows of the situation is folded: first the voter's own view, then this.
function behind(text) {
  const made = make("details"), head = make("summary");
  head.append(make("kbd", "C"), say("context"));
  made.append(head, make("p", text));
  return made;
}

function ask() {
  const keys = part("keys");
  keys.hidden = false;
  const overall = asked === shown.criteria.length;
  const one = shown.criteria[asked];
  const question = overall ? say("overall") : one.name + " — " + one.question;
  const count = " (" + (asked + 1) + "/" + (shown.criteria.length + 1) + ")";
  const answers = make("div", undefined, "answers");
  answers.append(
    answer("1", say("better", { code: shown.codes[0] }), () => choose("first")),
    answer("2", say("better", { code: shown.codes[1] }), () => choose("second")),
    answer("0", say("tie"), () => choose("tie")));
  if (!overall) answers.append(answer("N", say("next_question"), () => step(1)));
  if (asked > 0) answers.append(answer("B", say("previous_question"), () => step(-1)));
  answers.append(answer("S", say("skip"), () => cast("skip")));
  if (last) answers.append(answer("U", say("undo"), undo));
  const told = make("p", question + count, "asked");
  keys.replaceChildren(told, answers);
}

function step(by) {
  asked = Math.max(0, Math.min(shown.criteria.length, asked + by));
  ask();
}

function choose(side) {
  if (asked === shown.criteria.length) { cast(side); return; }
  criteria[shown.criteria[asked].key] = side;
  step(1);
}

function cast(choice) {
  if (!shown || !shown.item) return;
  const said = choice === "skip" ? {} : criteria;
  keep("/api/vote", { room, item: shown.item, turn: shown.turn, choice, criteria: said });
}

function undo() {
  if (last) keep("/api/vote/undo", { room, item: last.item, turn: last.turn });
}

function keep(path, body) {
  if (busy) return;
  busy = true;
  bringAs(state.person, path, body, async (reply) => {
    busy = false;
    await advance();
    if (reply.status === 409) notice(say("conflict"));
    else if (reply.status !== 200) notice(say("mistake"));
  });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "INPUT") return;
  const wanted = event.key.toUpperCase();
  const buttons = [...document.querySelectorAll("#keys button, #work button, #work summary")];
  const found = buttons.find((b) => b.querySelector("kbd")?.textContent === wanted && b.offsetParent !== null);
  if (found && !event.repeat) { event.preventDefault(); found.click(); }
});

enterAsVoter(entered);
