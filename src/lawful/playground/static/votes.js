// A vote between models: what each of them wanted, who won, and at what price.

import { make } from "./elements.js";
import { showStrip } from "./strips.js";

export function showVotes(card, target, answer) {
  card.hidden = !answer.vote;
  if (!answer.vote) return;
  const { headline, taggers } = answer.vote;
  const rows = taggers.map(({ name, labels, in_words: told }) => {
    const strip = make("div", { class: "strip" });
    const differs = new Set(labels.flatMap((label, t) => (label === answer.labels[t] ? [] : [t])));
    if (labels.length) showStrip(strip, answer.tokens, labels, { changed: differs, kind: "was", plain: true });
    return make("div", { class: "tagger", "data-tagger": name }, make("h3", { class: "side" }, name), strip, make("p", { class: "soft" }, told));
  });
  target.replaceChildren(make("p", { class: "headline" }, `${headline}.`), ...rows);
}
