"use strict";
// What the pages share: talking to the service, and building elements out of plain text.
// Texts come from files and models: they are only ever set as text, never as markup.
const words = JSON.parse(document.body.dataset.words);
const lang = document.body.dataset.lang;
const part = (id) => document.getElementById(id);

function say(key, facts = {}, otherwise = key) {
  return (words[key] || otherwise).replace(/\{(\w+)\}/g, (_, name) => String(facts[name]));
}

function make(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function link(to, text) {
  const made = make("a", text);
  made.href = to + "?lang=" + lang;
  return made;
}

function notice(text) {
  part("notice").textContent = text || "";
  part("notice").hidden = !text;
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
let proof = "";

async function talk(method, path, body) {
  const headers = proof ? { "X-Arena-Proof": proof } : {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const text = body === undefined ? undefined : JSON.stringify(body);
  const reply = await fetch(path, { method, headers, body: text, credentials: "same-origin" });
  let told = null;
  try { told = await reply.json(); } catch { told = null; }
  return { status: reply.status, told };
}

// Brings something until it is kept: the same answer again changes nothing, so trying is safe.
async function bring(path, body) {
  for (;;) {
    let reply = { status: 0, told: null };
    try { reply = await talk("POST", path, body); } catch { reply.status = 0; }
    if (reply.status === 0) notice(say("lost"));
    else if (reply.status === 503) notice(say("again"));
    else if (reply.status === 429) notice(say("slow"));
    else { notice(""); return reply; }
    await pause(1000);
  }
}

function entering(path, bodyOf, entered) {
  const form = part("enter");
  form.hidden = false;
  [part("name"), part("token")].find((field) => field && field.offsetParent !== null).focus();
  form.onsubmit = async (event) => {
    event.preventDefault();
    const reply = await bring(path, bodyOf());
    if (reply.status !== 200) { notice(say(reply.status === 422 ? "wrong_name" : "wrong_token")); return; }
    form.hidden = true;
    entered(reply.told);
  };
}

// The session is over, as after a restart of the service: who comes back goes on where they were.
function comeBack(person, goOn) {
  proof = "";
  for (const name of ["work", "keys", "leave"]) part(name).hidden = true;
  part("name").value = person.replace(/^human:/, "");
  notice(say("gone"));
  enterAsVoter((told) => {
    if (told.person !== person) { location.reload(); return; }
    notice("");
    proof = told.proof;
    for (const name of ["work", "leave"]) part(name).hidden = false;
    goOn(told);
  });
}

// Brings something as a person; of another session, as of a second window, the proof is taken over.
async function bringAs(person, path, body, goOn) {
  for (let first = true; ; first = false) {
    const reply = await bring(path, body);
    if (reply.status === 401) { comeBack(person, () => bringAs(person, path, body, goOn)); return; }
    if (reply.status !== 403 || !first) { await goOn(reply); return; }
    const { told } = await talk("GET", "/api/vote/state");
    if (!told || told.person !== person) { location.reload(); return; }
    proof = told.proof;
  }
}

function blind() {
  notice(say("blind_now"));
  part("notice").append(" ", link("/vote", say("vote_title")));
}

// What is asked of a voter here: a name, a token, or a name with the owner's token.
async function enterAsVoter(entered) {
  const { told } = await talk("GET", "/api/vote/state");
  if (told && told.person) { entered(told); return; }
  const asks = (told && told.asks) || "both";
  part("by-name").hidden = asks === "token";
  part("by-token").hidden = asks === "name";
  if (asks === "both") part("by-token").querySelector("label").textContent = say("enter_owner");
  entering("/api/vote/enter", nameAndToken, entered);
}

const nameAndToken = () => ({ name: part("name").value.trim(), token: part("token").value.trim() });

async function leave() {
  await talk("POST", "/api/vote/leave", {});
  location.reload();
}

// A key and what it does, as a button that can be pressed as well.
function answer(key, label, act) {
  const button = make("button");
  button.type = "button";
  button.append(make("kbd", key), label);
  button.onclick = act;
  return button;
}
