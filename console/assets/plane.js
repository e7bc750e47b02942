// The points of the plane of two time lines, moved by pointer and by arrow keys. Without this script they are moved by their dates.
import { nodes } from "./pieces.js";

const plane = document.getElementById("plane");
const together = 24; // from point to point in one cell

if (plane) {
  const cells = [...plane.querySelectorAll(".cell")];
  const points = [...plane.querySelectorAll(".point")];
  for (const point of points) listen(point, points, cells);
}

// listen lets one point be moved.
function listen(point, points, cells) {
  point.setAttribute("tabindex", "0");
  point.setAttribute("role", "slider");
  tell(point, cells);
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  point.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const to = cellAt(cells, Number(point.dataset.column) + step[0], Number(point.dataset.row) + step[1]);
    if (to) move(point, to, points, cells);
  });
  point.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    point.setPointerCapture(event.pointerId);
    point.focus();
  });
  point.addEventListener("pointermove", (event) => {
    if (!point.hasPointerCapture(event.pointerId)) return;
    const to = cells.find((cell) => {
      const box = cell.getBoundingClientRect();
      return event.clientX >= box.left && event.clientX < box.right && event.clientY >= box.top && event.clientY < box.bottom;
    });
    if (to && to !== cellAt(cells, Number(point.dataset.column), Number(point.dataset.row))) move(point, to, points, cells);
  });
}

function cellAt(cells, column, row) {
  return cells.find((cell) => Number(cell.dataset.column) === column && Number(cell.dataset.row) === row);
}

// tell says to a reader of the screen where a point stands.
function tell(point, cells) {
  const cell = cellAt(cells, Number(point.dataset.column), Number(point.dataset.row));
  point.setAttribute("aria-label", "point " + point.dataset.number);
  point.setAttribute("aria-valuemin", "1");
  point.setAttribute("aria-valuemax", String(cells.length));
  point.setAttribute("aria-valuenow", String(cells.indexOf(cell) + 1));
  point.setAttribute("aria-valuetext", cell.querySelector("title").textContent);
}

// move puts a point into a cell, and asks again.
function move(point, cell, points, cells) {
  point.dataset.column = cell.dataset.column;
  point.dataset.row = cell.dataset.row;
  const here = new Map();
  for (const p of points) {
    const at = cellAt(cells, Number(p.dataset.column), Number(p.dataset.row));
    const beside = here.get(at) ?? 0;
    here.set(at, beside + 1);
    const x = Number(at.getAttribute("x")) + Number(at.getAttribute("width")) / 2 + together * beside;
    const y = Number(at.getAttribute("y")) + Number(at.getAttribute("height")) / 2 + together / 4;
    for (const [part, names] of [["circle", ["cx", "cy"]], ["text", ["x", "y"]]]) {
      p.querySelector(part).setAttribute(names[0], String(x));
      p.querySelector(part).setAttribute(names[1], String(y));
    }
  }
  tell(point, cells);
  const fields = document.getElementById("question-" + point.dataset.number).querySelectorAll("input");
  fields[0].value = cell.dataset.true;
  fields[1].value = cell.dataset.held;
  ask().catch(() => {});
}

let asked = 0;

// ask shows the answers for the places of the points, and notes the places in the address.
async function ask() {
  const mine = ++asked;
  const places = new URLSearchParams(new FormData(document.getElementById("questions")));
  history.replaceState(null, "", "?" + places);
  const answer = await fetch(plane.dataset.source + "?" + places, { headers: { Accept: "application/json" } });
  if (!answer.ok || answer.redirected || mine !== asked) return;
  for (const q of (await answer.json()).questions) show(q);
}

// show writes one answer. Every text is set as text.
function show(q) {
  const line = document.getElementById("question-" + q.number).querySelector(".answer");
  const asks = document.createElement("span");
  asks.className = "facts";
  asks.textContent = q.asks;
  line.replaceChildren(asks, " ");
  if (!q.answer) {
    line.append("Nothing of it.");
    return;
  }
  const said = document.createElement("q");
  said.append(...nodes(q.shown));
  const link = document.createElement("a");
  link.href = encodeURIComponent(q.answer.object_id);
  link.textContent = "[" + q.short + "]";
  line.append(said, " ", link);
}
