"use strict";
let items = [], current = 0, busy = false, person = "";

async function entered(told) {
  proof = told.proof;
  person = told.person;
  part("leave").hidden = false;
  part("leave").onclick = leave;
  if (told.read_only) notice(say("read_only"));
  items = [];
  for (;;) {
    const reply = await talk("GET", "/api/review?limit=100&offset=" + items.length);
    if (reply.status === 401) { comeBack(person, entered); return; }
    if (reply.status !== 200) { notice(say("mistake")); return; }
    items.push(...reply.told.items);
    if (items.length >= reply.told.total || reply.told.items.length === 0) break;
  }
  part("work").hidden = false;
  if (items.length === 0) { part("work").replaceChildren(make("p", say("nothing_to_review"))); return; }
  current = Math.max(0, items.findIndex((one) => !one.decided));
  part("work").replaceChildren(make("p", say("review_about")), ...items.map(card));
  part("keys").hidden = false;
  show();
}

function card(one, n) {
  const made = make("article", undefined, "flag");
  made.id = "flag-" + n;
  made.append(make("h2", one.title), make("p", say("danger") + ": " + one.danger));
  if (one.quote) {
    const text = one.quote + (one.verified ? "" : " (" + say("unverified") + ")");
    made.append(make("p", say("quotation") + ": " + text, "quote"));
  }
  made.append(make("h3", say("round", one)), make("p", say("user") + ": " + one.user),
    make("p", say("reply") + ": " + one.reply));
  const note = make("input");
  note.maxLength = 2000;
  note.value = one.note;
  note.setAttribute("aria-label", say("note"));
  note.placeholder = say("note");
  const answers = make("p", undefined, "answers");
  for (const [key, what] of [["1", "confirm"], ["2", "reject"], ["3", "unsure"]]) {
    const button = answer(key, say(what), () => { current = n; decide(what); });
    button.dataset.decided = what;
    answers.append(button);
  }
  answers.append(note);
  made.append(answers);
  return made;
}

function show() {
  const done = items.filter((one) => one.decided).length;
  part("progress").textContent = say("done", { done, total: items.length });
  items.forEach((one, n) => {
    const made = part("flag-" + n);
    made.classList.toggle("current", n === current);
    for (const button of made.querySelectorAll("button"))
      button.setAttribute("aria-pressed", String(button.dataset.decided === one.decided));
  });
  const keys = [make("span", say("review_keys"))];
  if (lastOne()) keys.unshift(answer("U", say("undo_decision"), undo));
  part("keys").replaceChildren(...keys);
  part("flag-" + current).scrollIntoView({ block: "nearest" });
  part("work").dataset.current = String(current);
}

// The decision that was made last, wherever it was made.
const lastOne = () => items.filter((one) => one.at).reduce((a, b) => (a && a.at >= b.at ? a : b), null);

function decide(what) {
  const one = items[current];
  const note = part("flag-" + current).querySelector("input").value;
  keep("/api/review", one, { flag: one.flag, decided: what, note }, () => {
    const next = items.findIndex((other, n) => n > current && !other.decided);
    if (next >= 0) current = next;
  });
}

function undo() {
  const one = lastOne();
  if (one) keep("/api/review/undo", one, { flag: one.flag, at: one.at }, () => { current = items.indexOf(one); });
}

function keep(path, one, body, after) {
  if (busy) return;
  busy = true;
  bringAs(person, path, body, (reply) => {
    busy = false;
    if (reply.status !== 200) { notice(say("mistake")); return; }
    const { decided, note, at } = reply.told;
    Object.assign(one, { decided, note, at });
    part("flag-" + items.indexOf(one)).querySelector("input").value = note;
    after();
    show();
  });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "INPUT") return;
  if (items.length === 0) return;
  const what = { 1: "confirm", 2: "reject", 3: "unsure" }[event.key];
  if (what && !event.repeat) { event.preventDefault(); decide(what); return; }
  if (event.key.toLowerCase() === "u" && !event.repeat) { event.preventDefault(); undo(); return; }
  const by = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  current = Math.max(0, Math.min(items.length - 1, current + by));
  show();
});

enterAsVoter(entered);
