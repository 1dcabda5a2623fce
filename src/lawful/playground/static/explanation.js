// Why the labels are what they are, and which rules cannot all hold.

import { make, plural, visible } from "./elements.js";
import { titleOf } from "./rules.js";
import { highlight, labelChip } from "./strips.js";

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
    const remark = answer.violations.length
      ? "The rules changed nothing: breaking them costs less than any other labels."
      : "The rules changed nothing: the labels without rules obey them all.";
    target.replaceChildren(make("p", { class: "soft" }, remark));
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
  const active = explanation.prices.filter((rule) => rule.price > 0).sort((a, b) => b.price - a.price);
  if (active.length) {
    const rows = active.slice(0, 5).map(({ rule, price, changes }) =>
      highlighting(changes, make("li", {}, make("b", {}, titleOf(rule)), ` alone would regain ${price.toFixed(2)}`)));
    parts.push(make("div", {}, make("h3", {}, "Dropping"), make("ul", {}, ...rows)));
  }
  if (explanation.runners_up.length) {
    const rows = explanation.runners_up.map((other) => highlighting(other.differs, make("li", {}, ...runnerUp(answer, other))));
    parts.push(make("div", {}, make("h3", {}, "Next best answers"), make("ul", {}, ...rows)));
  }
  target.replaceChildren(...parts);
}

function reason(answer, change) {
  const positions = Array.from({ length: change.end - change.start }, (_, i) => change.start + i);
  const moves = labelRuns(change).map(([start, end, before, after]) => make("span", {}, "“",
    make("bdi", {}, visible(answer.tokens.slice(start, end).join(" "))), "” ", labelChip(before), " → ", labelChip(after)));
  const line = make("li", {}, ...between(moves.slice(0, MOST), ", "));
  if (moves.length > MOST) line.append(`, and ${moves.length - MOST} more`);
  const causes = change.because.slice(0, 4).map((rules) => make("span", {}, ...between(rules.map((rule) => make("b", {}, titleOf(rule))), " and ")));
  line.append(...(causes.length ? [" because of ", ...between(causes, ", or of ")] : [", but an equally good answer leaves it unchanged"]));
  return highlighting(positions, line);
}

/** The runs of a change whose tokens all went from one label to one other: [start, end, before, after]. */
function labelRuns(change) {
  const runs = [];
  change.before.forEach((before, i) => {
    const last = runs.at(-1);
    const after = change.after[i];
    if (last && last[2] === before && last[3] === after) last[1] += 1;
    else runs.push([change.start + i, change.start + i + 1, before, after]);
  });
  return runs;
}

function runnerUp(answer, { labels, differs, behind }) {
  const changes = differs.slice(0, 4).map((t) => make("span", {}, "“", make("bdi", {}, visible(answer.tokens[t])), "” ", labelChip(labels[t])));
  const more = differs.length > 4 ? [` and ${differs.length - 4} more`] : [];
  const distance = behind > 0 ? `${behind.toFixed(2)} behind: ` : "equally good: ";
  return [make("span", { class: "number" }, distance), ...between(changes, ", "), ...more];
}

/** A line that frames its tokens while the pointer or the focus is on it. */
function highlighting(positions, line) {
  line.tabIndex = 0;
  for (const name of ["mouseenter", "focus"]) line.addEventListener(name, () => highlight(positions));
  for (const name of ["mouseleave", "blur"]) line.addEventListener(name, () => highlight([]));
  return line;
}

function between(parts, mark) {
  return parts.flatMap((part, i) => (i ? [mark, part] : [part]));
}

/** The smallest set of rules that cannot all hold, with a button to switch off each of them. */
export function showContradiction(target, answer, switchOff) {
  const contradiction = answer.contradiction;
  target.hidden = !contradiction;
  if (!contradiction) return;
  const { rules, position } = contradiction;
  const where = position == null ? "in this text" : `at “${visible(answer.tokens[position])}” (token ${position + 1})`;
  const message = rules.length === 1 ? "This rule cannot hold " : `These ${plural(rules.length, "rule")} cannot all hold `;
  const buttons = rules.map((rule) =>
    make("button", { type: "button", onclick: () => switchOff(rule) }, `Switch off “${titleOf(rule)}”`));
  target.replaceChildren(
    make("strong", {}, `${message}${where}: `), ...between(rules.map((rule) => make("b", {}, titleOf(rule))), " and "),
    ". The labels below have the fewest violations of hard rules.", make("div", {}, ...buttons));
}

export function showFacts(target, answer, gold) {
  const facts = [];
  const add = (text, kind = "") => facts.push(make("li", { class: kind }, text));
  if (!answer.tokens.length) return target.replaceChildren();
  if (answer.status === "optimal") add("proved best", "good");
  else if (answer.status === "bounded") add("best so far", "warn");
  else add("contradiction", "bad");
  add(`${plural(answer.changed.length, "token")} changed`);
  if (gold) {
    const wrong = (labels) => labels.filter((label, t) => label !== gold[t]).length;
    const [now, before] = [wrong(answer.labels), wrong(answer.plain_labels)];
    add(`${now ? plural(now, "token") : "no token"} wrong${before === now ? "" : `, ${before || "none"} without rules`}`, now < before ? "good" : now > before ? "bad" : "");
  }
  if (answer.loss) add(`gave up ${answer.loss.toFixed(2)}`);
  for (const { rule } of answer.violations.slice(0, 3)) add(`breaks ${titleOf(rule)}`, "warn");
  return target.replaceChildren(...facts);
}
