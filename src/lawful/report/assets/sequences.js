// Filters and sorts the cards of a report. Without it all of them are there, in the order of interest.
"use strict";
const form = document.querySelector(".filters");
const list = document.querySelector(".sequences");
const cards = Array.from(list.children);
const orders = {
  interest: (card) => card.dataset.rank,
  loss: (card) => -card.dataset.loss,
  changed: (card) => -card.dataset.changed,
  corpus: (card) => card.dataset.number,
};
const kinds = {
  all: () => true,
  worse: (card) => card.dataset.worse > 0,
  better: (card) => card.dataset.better > 0,
  unproved: (card) => card.dataset.status !== "optimal",
};

function show() {
  const { kind, rule, order } = Object.fromEntries(new FormData(form));
  const key = orders[order];
  const sorted = [...cards].sort((one, other) => key(one) - key(other));
  let count = 0;
  for (const card of sorted) {
    const wanted = kinds[kind](card) && (rule === "" || card.dataset.rules.split(" ").includes(rule));
    card.hidden = !wanted;
    count += wanted;
  }
  list.replaceChildren(...sorted);
  form.querySelector("output").textContent = `${count.toLocaleString("en")} of ${cards.length.toLocaleString("en")} are shown.`;
}

function unfold(open) {
  for (const card of cards) {
    if (!card.hidden) card.firstElementChild.open = open;
  }
}

form.addEventListener("change", show);
form.addEventListener("submit", (event) => event.preventDefault());
form.querySelector("[name=open]").addEventListener("click", () => unfold(true));
form.querySelector("[name=close]").addEventListener("click", () => unfold(false));
form.hidden = false;
show();  // a browser that was sent back to the page remembers what was chosen
