(function () {
"use strict";
function make(name, text) {
  var element = document.createElement(name);
  if (text) { element.textContent = text; }
  return element;
}
function value(row, index) {
  var cell = row.cells[index];
  var own = cell.getAttribute("data-v");
  return own === null ? cell.textContent.trim() : own;
}
function sort(table, index, falls) {
  var body = table.tBodies[0];
  var rows = Array.from(body.rows);
  var isNumeric = rows.every(function (row) { return isFinite(value(row, index)); });
  rows.sort(function (one, other) {
    var a = value(one, index);
    var b = value(other, index);
    if (a === "" || b === "") { return (a === "" ? 1 : 0) - (b === "" ? 1 : 0); }
    var order = isNumeric ? a - b : a.localeCompare(b, "en", { numeric: true });
    return falls ? -order : order;
  });
  rows.forEach(function (row) { body.appendChild(row); });
}
function makeSortable(table) {
  var headings = Array.from(table.tHead.rows[0].cells);
  headings.forEach(function (heading, index) {
    // Headings with a real button aren't repeated on the next printed page.
    var button = make("span");
    button.setAttribute("role", "button");
    button.tabIndex = 0;
    button.append.apply(button, Array.from(heading.childNodes));
    heading.appendChild(button);
    button.addEventListener("keydown", function (event) {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        button.click();
      }
    });
    button.addEventListener("click", function () {
      var falls = heading.getAttribute("aria-sort") === "ascending";
      headings.forEach(function (other) { other.removeAttribute("aria-sort"); });
      heading.setAttribute("aria-sort", falls ? "descending" : "ascending");
      sort(table, index, falls);
    });
  });
}
var fields = 0;
function makeField(word, name, before, act) {
  var box = make("p");
  box.className = "filter";
  var label = make("label", word + " ");
  var field = make("input");
  field.type = "search";
  fields += 1;
  field.id = label.htmlFor = "field-" + fields;
  field.setAttribute("aria-label", word + " " + name);
  var result = make("span");
  result.setAttribute("role", "status");
  box.append(label, field, result);
  before.before(box);
  field.addEventListener("input", function () {
    var text = field.value.trim().toLowerCase();
    result.textContent = act(text);
  });
}
function makeFilter(table) {
  var rows = Array.from(table.tBodies[0].rows);
  if (8 > rows.length) { return; }
  makeField("Filter", table.caption.textContent, table.parentElement, function (word) {
    var shown = 0;
    rows.forEach(function (row) {
      row.hidden = !row.textContent.toLowerCase().includes(word);
      shown += row.hidden ? 0 : 1;
    });
    return word === "" ? "" : " " + shown + " of " + rows.length + " rows";
  });
}
var isLocal = false;
function two(number) { return String(number).padStart(2, "0"); }
function local(text) {
  var utc = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d)(:\d\d)?(\.\d+)?$/.exec(text);
  if (!utc) { return text + " UTC"; }
  var date = new Date(utc[1] + "T" + utc[2] + (utc[3] || "") + "Z");
  var day = [String(date.getFullYear()).padStart(4, "0"), two(date.getMonth() + 1), two(date.getDate())].join("-");
  var time = two(date.getHours()) + ":" + two(date.getMinutes());
  return day + " " + time + (utc[3] ? ":" + two(date.getSeconds()) + (utc[4] || "") : "");
}
function shownTip(hint) {
  var text = hint.replace(/; /g, "\n");
  if (!isLocal) { return text.replace(/(\d\d:\d\d:\d\d(\.\d+)?)Z/g, "$1 UTC"); }
  return text.replace(/(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?)Z/g, function (all, time) {
    return local(time);
  }).replace(/^(\d{4}-\d\d-\d\d)( \d\d:\d\d)? UTC/, function (all, day, time) {
    return local(day + (time || " 00:00"));
  });
}
function makeSwitch() {
  var zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "local";
  var button = make("button", "Show local times");
  button.type = "button";
  button.className = "switch";
  button.addEventListener("click", function () {
    isLocal = !isLocal;
    button.textContent = isLocal ? "Show UTC" : "Show local times";
    Array.from(document.querySelectorAll("time")).forEach(function (time) {
      if (!time.utc) { time.utc = time.textContent; }
      time.textContent = isLocal ? local(time.utc) : time.utc;
    });
    // A day or a week of a chart is one of UTC: its local name is the time at which it begins.
    Array.from(document.querySelectorAll("[data-t]")).forEach(function (label) {
      if (!label.utc) { label.utc = label.textContent; }
      label.textContent = isLocal ? local(label.getAttribute("data-t")) : label.utc;
    });
    Array.from(document.querySelectorAll(".zone")).forEach(function (place) {
      place.textContent = isLocal ? " (" + zone.replace(/_/g, " ") + ")" : " UTC";
    });
  });
  var made = document.querySelector(".made");
  if (made) { made.append(" ", button); }
}
var tip = make("div");
tip.className = "tip";
tip.hidden = true;
tip.setAttribute("aria-hidden", "true");
var shown = [];
function hide() {
  tip.hidden = true;
  shown.forEach(function (mark) { mark.classList.remove("on"); });
  shown = [];
}
function show(mark, svg) {
  hide();
  shown = [mark];
  var node = mark.getAttribute("data-n");
  if (node !== null) {
    shown = shown.concat(Array.from(svg.querySelectorAll(
      "[data-a=\"" + node + "\"], [data-b=\"" + node + "\"]")));
  }
  shown.forEach(function (other) { other.classList.add("on"); });
  tip.textContent = shownTip(mark.tip);
  tip.hidden = false;
  var box = mark.getBoundingClientRect();
  var width = document.documentElement.clientWidth;
  var left = box.left + box.width / 2 - tip.offsetWidth / 2;
  left = Math.max(8, Math.min(left, width - tip.offsetWidth - 8));
  var top = box.top - tip.offsetHeight - 8;
  if (8 > top) { top = box.bottom + 8; }
  tip.style.left = left + window.scrollX + "px";
  tip.style.top = top + window.scrollY + "px";
}
function makeLive(svg) {
  var all = Array.from(svg.querySelectorAll(".box.k")).concat(Array.from(svg.querySelectorAll(".k:not(.box)")));
  if (all.length === 0) { return; }
  svg.setAttribute("role", "group");
  all.forEach(function (mark, index) {
    var title = mark.querySelector("title");
    mark.tip = title.textContent;
    title.remove();
    mark.setAttribute("role", "img");
    mark.setAttribute("aria-label", mark.tip);
    mark.setAttribute("tabindex", index === 0 ? "0" : "-1");
    mark.addEventListener("focus", function () { show(mark, svg); });
    mark.addEventListener("blur", hide);
    mark.addEventListener("keydown", function (event) {
      var step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") { hide(); }
      if (!step) { return; }
      event.preventDefault();
      var next = all[(index + step + all.length) % all.length];
      mark.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  });
  var isGraph = svg.classList.contains("graph");
  function nearest(event) {
    var own = event.target.closest(".k");
    if (own || isGraph) { return own; }
    var best = null;
    var least = 40;
    all.forEach(function (mark) {
      var box = mark.getBoundingClientRect();
      var x = Math.max(box.left - event.clientX, event.clientX - box.right, 0);
      var y = Math.max(box.top - event.clientY, event.clientY - box.bottom, 0);
      if (least > Math.hypot(x, y)) {
        least = Math.hypot(x, y);
        best = mark;
      }
    });
    return best;
  }
  function point(event) {
    var mark = nearest(event);
    if (mark) { show(mark, svg); } else { hide(); }
  }
  svg.addEventListener("pointermove", point);
  svg.addEventListener("click", point);
  svg.addEventListener("pointerleave", function (event) {
    if (event.pointerType === "mouse") { hide(); }
  });
}
function makeSearch(svg) {
  var boxes = Array.from(svg.querySelectorAll(".box"));
  if (5 > boxes.length) { return; }
  makeField("Find", "an entity in the graph", svg.parentElement, function (word) {
    var first = null;
    var found = 0;
    boxes.forEach(function (box) {
      var isFound = word === "" ? false : box.getAttribute("data-name").toLowerCase().includes(word);
      box.classList.toggle("found", isFound);
      found += isFound ? 1 : 0;
      if (isFound) { first = first || box; }
    });
    svg.classList.toggle("searched", word !== "");
    if (first) {
      var frame = svg.parentElement;
      var box = first.getBoundingClientRect();
      frame.scrollLeft += box.left - frame.getBoundingClientRect().left - frame.clientWidth / 3;
    }
    return word === "" ? "" : " " + found + " of " + boxes.length;
  });
}
Array.from(document.querySelectorAll("main table")).forEach(function (table) {
  makeSortable(table);
  makeFilter(table);
});
Array.from(document.querySelectorAll("svg.live")).forEach(makeLive);
Array.from(document.querySelectorAll("svg.graph")).forEach(makeSearch);
makeSwitch();
document.body.append(tip);
function openTarget() {
  var id = decodeURIComponent(location.hash.slice(1));
  var target = id === "" ? null : document.getElementById(id);
  if (target) {
    var folded = target.closest("details");
    if (folded) { folded.open = true; }
  }
}
window.addEventListener("hashchange", openTarget);
openTarget();
})();
