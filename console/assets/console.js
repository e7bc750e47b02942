// Everything reads without this script. It keeps the list of waiting questions fresh, and forms short of double sending.
import { nodes } from "./pieces.js";

const list = document.getElementById("waiting");
const form = document.getElementById("item");

for (const f of document.querySelectorAll("form[method=post]")) guard(f);

// guard sends a form once.
function guard(f) {
  f.addEventListener("submit", (event) => {
    if (f.dataset.sent) event.preventDefault();
    f.dataset.sent = "yes";
  });
}

// fill makes the section of one question. Every text is set as text.
function fill(item) {
  const section = form.content.cloneNode(true).querySelector("section");
  section.id = item.id;
  section.querySelector("h2").replaceChildren(...nodes(item.shown));
  const facts = section.querySelector("dl");
  for (const fact of item.facts ?? []) {
    const name = document.createElement("dt");
    const text = document.createElement("dd");
    name.textContent = fact.name;
    text.append(...nodes(fact.shown));
    if (fact.bad) text.className = "bad";
    facts.append(name, text);
  }
  const f = section.querySelector("form");
  f.action = list.dataset.action + encodeURIComponent(item.id);
  for (const choice of item.choices ?? []) {
    const button = document.createElement("button");
    button.type = "submit";
    button.name = "decision";
    button.value = choice.value;
    button.textContent = choice.label;
    f.querySelector(".choices").append(button);
  }
  guard(f);
  return section;
}

// refresh adds questions that are new and removes those that were decided elsewhere. One that a person writes in stays until it is left.
async function refresh() {
  const answer = await fetch(list.dataset.source, { headers: { Accept: "application/json" } });
  if (!answer.ok || answer.redirected) return;
  const { items } = await answer.json();
  const open = new Set(items.map((item) => item.id));
  let gone = 0;
  for (const section of list.querySelectorAll("section")) {
    if (!open.has(section.id) && !section.contains(document.activeElement)) {
      section.remove();
      gone++;
    }
  }
  for (const item of items) if (!document.getElementById(item.id)) list.append(fill(item));
  document.getElementById("nothing").hidden = items.length > 0;
  if (gone > 0) document.getElementById("decided").textContent = gone === 1 ? "One question was decided." : gone + " questions were decided.";
}

if (list && form) {
  setInterval(() => { if (!document.hidden) refresh().catch(() => {}); }, 800);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh().catch(() => {}); });
}
