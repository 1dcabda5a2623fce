// Token strips: the tokens of an answer in segments, each in its label's colour.

import { make, visible } from "./elements.js";
import { titleOf } from "./rules.js";

let colours = {};

export function setColours(byLabel) {
  colours = byLabel;
}

export const hue = (label) => `hue-${colours[label] ?? "none"}`;

export const labelChip = (label) => make("span", { class: `label ${hue(label)}` }, visible(label));

export function showStrip(target, tokens, labels, { changed = new Set(), kind = "changed", breaches = new Map(), gold = null, plain = false } = {}) {
  const segments = [];
  let start = 0;
  for (let end = 1; end <= tokens.length; end++) {
    if (end < tokens.length && labels[end] === labels[start]) continue;
    const label = labels[start];
    const segment = make("span", { class: `segment ${hue(label)}` }, make("span", { class: "name" }, visible(label)));
    for (let t = start; t < end; t++) {
      const broken = breaches.get(t);
      const wrong = gold && gold[t] !== label;
      const classes = ["token", changed.has(t) && kind, broken && "breach", wrong && "wrong"].filter(Boolean).join(" ");
      const remarks = [wrong && `gold: ${gold[t]}`, broken && `breaks ${broken.map(titleOf).join(", ")}`].filter(Boolean);
      const said = [label, ...remarks].join("; ");
      // A strip is one stop for Tab, at its first token; `Details` moves it.
      const reachable = plain ? { title: said } : { role: "button", tabindex: t ? -1 : 0, "aria-label": `${visible(tokens[t])}: ${said}` };
      segment.append(t > start ? " " : "\u00a0", make("bdi", { class: classes, "data-at": t, "data-label": label, ...reachable }, visible(tokens[t])));
    }
    segments.push(segment, " ");
    start = end;
  }
  target.replaceChildren(...segments);
}

/** Which rules are broken at which token. */
export function breachesByToken(violations) {
  const byToken = new Map();
  for (const { rule, positions } of violations) {
    for (const t of positions) byToken.set(t, [...(byToken.get(t) ?? []), rule]);
  }
  return byToken;
}

/** Frames tokens while somebody looks at the reason for them. */
export function highlight(positions) {
  for (const token of document.querySelectorAll(".token.lit")) token.classList.remove("lit");
  for (const t of positions) {
    for (const token of document.querySelectorAll(`.token[data-at="${t}"]`)) token.classList.add("lit");
  }
}
