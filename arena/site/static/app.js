(function () {
"use strict";
var root = document.documentElement;
root.classList.add("js");

function one(css, from) { return (from || document).querySelector(css); }
function all(css, from) { return Array.prototype.slice.call((from || document).querySelectorAll(css)); }
function recall() { try { return localStorage.getItem("arena-theme") || "auto"; } catch (e) { return "auto"; } }
function keep(value) { try { localStorage.setItem("arena-theme", value); } catch (e) { return; } }
function dress(value) {
  if (value === "light" || value === "dark") { root.setAttribute("data-theme", value); }
  else { root.removeAttribute("data-theme"); }
}
var theme = recall();
dress(theme);

// What the reader chose lives in the fragment, so that a link can carry it to someone else.
var chosen = {};
location.hash.slice(1).split("&").forEach(function (part) {
  var at = part.indexOf("=");
  if (at > 0) {
    try { chosen[part.slice(0, at)] = decodeURIComponent(part.slice(at + 1)); } catch (e) { return; }
  }
});
function fragment() {
  return Object.keys(chosen).map(function (key) { return key + "=" + encodeURIComponent(chosen[key]); }).join("&");
}
function carry() {
  var hash = fragment();
  all("a[data-keep]").forEach(function (link) {
    link.setAttribute("href", link.getAttribute("href").split("#")[0] + (hash ? "#" + hash : ""));
  });
}
function remember() {
  var hash = fragment();
  try { history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search); } catch (e) { return; }
  carry();
}
function say(text) { one("#live").textContent = text; }

function setUpTheme() {
  var box = one("#theme");
  box.value = theme === "light" || theme === "dark" ? theme : "auto";
  box.addEventListener("change", function () { dress(box.value); keep(box.value); });
}

function setUpRanking() {
  var table = one("#rank");
  if (!table) { return; }
  var body = table.tBodies[0], heads = all("th[data-first]", table);
  function place(head) { return head.cellIndex; }
  function value(row, at) {
    var cell = row.cells[at], given = cell.getAttribute("data-value");
    return given === null ? one(".name", cell).textContent : given;
  }
  function sort(head, way) {
    var at = place(head), sign = way === "asc" ? 1 : -1;
    var rows = all("tr", body).map(function (row, n) { return { row: row, v: value(row, at), n: n }; });
    rows.sort(function (a, b) {
      // What is not there comes last in either direction.
      if (a.v === "" || b.v === "") { return a.v === b.v ? a.n - b.n : (a.v === "" ? 1 : -1); }
      var x = Number(a.v), y = Number(b.v);
      var by = isNaN(x) || isNaN(y) ? a.v.localeCompare(b.v, root.lang) : x - y;
      return sign * by || a.n - b.n;
    });
    rows.forEach(function (item) { body.appendChild(item.row); });
    heads.forEach(function (other) { other.removeAttribute("aria-sort"); });
    // Groups are marked in the order of the ranking; in another order their lines mean nothing.
    table.classList.add("sorted");
    head.setAttribute("aria-sort", way === "asc" ? "ascending" : "descending");
    chosen.sort = heads.indexOf(head) + "." + way;
  }
  heads.forEach(function (head) {
    var button = document.createElement("button");
    button.type = "button";
    // Under the name of a column there may be a note or a scale: the name alone is the button.
    button.appendChild((one("span", head) || head).firstChild);
    head.insertBefore(button, head.firstChild);
    button.addEventListener("click", function () {
      var now = head.getAttribute("aria-sort"), way = head.getAttribute("data-first");
      if (now) { way = now === "ascending" ? "desc" : "asc"; }
      sort(head, way);
      remember();
      say(table.getAttribute("data-" + way).replace("%c", function () { return button.textContent; }));
    });
  });
  var from = /^(\d+)\.(asc|desc)$/.exec(chosen.sort || "");
  if (from && heads[from[1]]) { sort(heads[from[1]], from[2]); }

  var only = one("#only");
  function filter() {
    all("tr", body).forEach(function (row) {
      row.hidden = Boolean(only && only.checked && row.getAttribute("data-state") !== "ranked");
    });
  }
  if (only) {
    only.checked = chosen.only === "1";
    only.addEventListener("change", function () {
      if (only.checked) { chosen.only = "1"; } else { delete chosen.only; }
      filter();
      remember();
    });
    filter();
  }
}

/*scenario*/
function setUpPair() {
  var left = one("#left"), right = one("#right"), whole = one("#all"), bar = one(".pick");
  if (!left) { return; }
  var cards = one("#cards"), list = all(".card", cards), pairs = all("[data-pair]");
  function card(slug) { return list.filter(function (c) { return c.getAttribute("data-slug") === slug; })[0]; }
  var shown = { left: list[0].getAttribute("data-slug"), right: list[1].getAttribute("data-slug") };
  if (card(chosen.a) && card(chosen.b) && chosen.a !== chosen.b) { shown = { left: chosen.a, right: chosen.b }; }
  whole.checked = chosen.all === "1";
  // Who chose two prints these two; who chose nothing prints everything.
  var every = false;
  function open() { return whole.checked || (every && !(chosen.a && chosen.b)); }

  function show() {
    left.value = shown.left;
    right.value = shown.right;
    var a = card(shown.left), b = card(shown.right);
    list.forEach(function (c) { c.hidden = !open() && c !== a && c !== b; cards.appendChild(c); });
    cards.insertBefore(b, cards.firstChild);
    cards.insertBefore(a, b);
    var any = false;
    pairs.forEach(function (item) {
      var of = item.getAttribute("data-pair").split("|");
      item.hidden = !open() && !(of.indexOf(shown.left) >= 0 && of.indexOf(shown.right) >= 0);
      any = any || !item.hidden;
    });
    one("#no-verdicts").hidden = any;
  }
  function pick(side, other) {
    return function () {
      var box = side === "left" ? left : right;
      // The same agent on both sides: the two change places.
      if (box.value === shown[other]) { shown[other] = shown[side]; }
      shown[side] = box.value;
      whole.checked = false;
      note();
    };
  }
  function note() {
    chosen.a = shown.left;
    chosen.b = shown.right;
    if (whole.checked) { chosen.all = "1"; } else { delete chosen.all; }
    show();
    remember();
    var names = [card(shown.left), card(shown.right)].map(function (c) { return c.getAttribute("data-name"); });
    say(bar.getAttribute("data-say").replace("%a", function () { return names[0]; }).replace("%b", function () { return names[1]; }));
  }
  left.addEventListener("change", pick("left", "right"));
  right.addEventListener("change", pick("right", "left"));
  whole.addEventListener("change", note);
  show();
  function reach() {
    var id = location.hash.slice(1), target = id && id.indexOf("=") < 0 ? document.getElementById(id) : null;
    var pair = target && target.closest("[data-pair]"), held = target && target.closest(".card");
    if (pair && pair.hidden) {
      var sides = pair.getAttribute("data-pair").split("|");
      shown = { left: sides[0], right: sides[1] };
      show();
      target.scrollIntoView();
    }
    if (!held || !held.hidden) { return; }
    shown.right = shown.left === held.getAttribute("data-slug") ? shown.right : held.getAttribute("data-slug");
    show();
    target.scrollIntoView();
  }
  window.addEventListener("hashchange", reach);
  window.addEventListener("beforeprint", function () { every = true; show(); });
  window.addEventListener("afterprint", function () { every = false; show(); });
  reach();
}
/*end*/

document.addEventListener("DOMContentLoaded", function () {
  setUpTheme();
  setUpRanking();
  /*scenario*/
  setUpPair();
  /*end*/
  carry();
  // Paper has no triangle to click.
  window.addEventListener("beforeprint", function () { all("details").forEach(function (d) { d.open = true; }); });
});
})();
