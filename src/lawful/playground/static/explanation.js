// Why the labels are what they are, and which rules cannot all hold.

import { make, plural, visible } from "./elements.js";
import { labelChip, light } from "./strips.js";

const MOST = 12;

export function showExplanation(target, answer, explanation) {
  if (answer.status !== "optimal") {
    target.replaceChildren(make("p", { class: "soft" }, "Only an answer that is proved best can be explained."));
    return;
  }
  if (!answer.tokens.length) {
    target.replaceChildren(make("p", { class: "soft" }, "Type a text to see its labels."));
    return;
  }
  if (!answer.changed.length) {
    const told = answer.violations.length
      ? "The rules changed nothing: breaking them is cheaper than any other labels."
      : "The rules changed nothing: the model's own answer keeps them all.";
    target.replaceChildren(make("p", { class: "soft" }, told));
    return;
  }
  if (!explanation) {
    target.replaceChildren(make("p", { class: "soft" }, "Looking for reasons…"));
    return;
  }
  const parts = [];
  const changes = explanation.changes.map((change) => reason(answer, change));
  const more = changes.length > MOST ? [make("li", {}, `and ${changes.length - MOST} more`)] : [];
  parts.push(make("ul", { class: "changes" }, ...changes.slice(0, MOST), ...more));
  const active = explanation.prices.filter((one) => one.price > 0).sort((a, b) => b.price - a.price);
  if (active.length) {
    const rows = active.slice(0, 5).map((one) =>
      lit(one.changes, make("li", {}, make("b", {}, one.rule), ` alone would regain ${one.price.toFixed(2)}`)));
    parts.push(make("div", {}, make("h3", {}, "Dropping"), make("ul", {}, ...rows)));
  }
  if (explanation.runners_up.length) {
    const rows = explanation.runners_up.map((one) => lit(one.differs, make("li", {}, ...runnerUp(answer, one))));
    parts.push(make("div", {}, make("h3", {}, "What nearly won"), make("ul", {}, ...rows)));
  }
  target.replaceChildren(...parts);
}

function reason(answer, change) {
  const places = Array.from({ length: change.end - change.start }, (_, i) => change.start + i);
  const moves = runs(change).map(([start, end, before, after]) => make("span", {}, "“",
    make("bdi", {}, visible(answer.tokens.slice(start, end).join(" "))), "” ", labelChip(before), " → ", labelChip(after)));
  const line = make("li", {}, ...between(moves.slice(0, MOST), ", "));
  if (moves.length > MOST) line.append(`, and ${moves.length - MOST} more`);
  const sets = change.because.slice(0, 4).map((rules) => make("span", {}, ...between(rules.map((rule) => make("b", {}, rule)), " and ")));
  line.append(...(sets.length ? [" because of ", ...between(sets, ", or of ")] : [" though an equally good answer leaves it"]));
  return lit(places, line);
}

/** The stretches of a change whose tokens all went from one label to one other: [start, end, before, after]. */
function runs(change) {
  const found = [];
  change.before.forEach((before, i) => {
    const last = found.at(-1);
    const after = change.after[i];
    if (last && last[2] === before && last[3] === after) last[1] += 1;
    else found.push([change.start + i, change.start + i + 1, before, after]);
  });
  return found;
}

function runnerUp(answer, one) {
  const told = one.differs.slice(0, 4).map((t) => make("span", {}, "“", make("bdi", {}, visible(answer.tokens[t])), "” ", labelChip(one.labels[t])));
  const more = one.differs.length > 4 ? [` and ${one.differs.length - 4} more`] : [];
  const behind = one.behind > 0 ? `${one.behind.toFixed(2)} behind: ` : "as good: ";
  return [make("span", { class: "number" }, behind), ...between(told, ", "), ...more];
}

/** A line that frames its tokens while the pointer or the focus is on it. */
function lit(places, line) {
  line.tabIndex = 0;
  for (const name of ["mouseenter", "focus"]) line.addEventListener(name, () => light(places));
  for (const name of ["mouseleave", "blur"]) line.addEventListener(name, () => light([]));
  return line;
}

function between(parts, mark) {
  return parts.flatMap((part, i) => (i ? [mark, part] : [part]));
}

/** The smallest set of rules that cannot all hold, with a button to switch off each of them. */
export function showContradiction(target, answer, switchOff) {
  const found = answer.contradiction;
  target.hidden = !found;
  if (!found) return;
  const where = found.position == null ? "in this text" : `at “${visible(answer.tokens[found.position])}” (token ${found.position + 1})`;
  const told = found.rules.length === 1 ? "This rule cannot hold " : `These ${plural(found.rules.length, "rule")} cannot all hold `;
  const buttons = found.rules.map((rule) =>
    make("button", { type: "button", onclick: () => switchOff(rule) }, `Switch off “${rule}”`));
  target.replaceChildren(
    make("strong", {}, `${told}${where}: `), ...between(found.rules.map((rule) => make("b", {}, rule)), " and "),
    ". The labels below break as few hard rules as possible.", make("div", {}, ...buttons));
}

export function showFacts(target, answer) {
  const facts = [];
  const add = (text, kind = "") => facts.push(make("li", { class: kind }, text));
  if (!answer.tokens.length) return target.replaceChildren();
  if (answer.status === "optimal") add("proved best", "good");
  else if (answer.status === "bounded") add("best so far", "warn");
  else add("contradiction", "bad");
  add(`${plural(answer.changed.length, "token")} changed`);
  if (answer.loss) add(`gave up ${answer.loss.toFixed(2)}`);
  for (const one of answer.violations.slice(0, 3)) add(`breaks ${one.rule}`, "warn");
  return target.replaceChildren(...facts);
}
