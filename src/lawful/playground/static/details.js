// What is known of one token: its labels, the rules that it breaks, and probabilities. By pointer, by touch, or by keyboard.

import { make, visible } from "./elements.js";
import { titleOf } from "./rules.js";
import { hue, labelChip } from "./strips.js";

export class Details {
  /** `ask` fetches the probabilities of the answer that is shown; it is called once for each answer, when they are first needed. */
  constructor(panel, strips, ask) {
    Object.assign(this, { panel, strips, ask, answer: null, token: null });
    for (const strip of strips) {
      strip.addEventListener("pointerover", (event) => this.point(event));
      strip.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && !strip.contains(document.activeElement) && this.hide());
      strip.addEventListener("focusin", (event) => this.show(event.target.closest(".token")));
      strip.addEventListener("focusout", () => this.hide());
      strip.addEventListener("click", (event) => event.target.closest(".token")?.focus());
      strip.addEventListener("keydown", (event) => this.key(event, strip));
    }
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.hide());
    document.addEventListener("scroll", () => this.place(), { passive: true });
  }

  /** A new answer: `gold` are its gold labels, if there are any. */
  about(answer, gold) {
    Object.assign(this, { answer, gold, probabilities: null, asked: false });
    const at = this.token?.dataset.at;
    const strip = this.strips.find((one) => one.id === this.strip);
    this.hide();
    if (at !== undefined && strip?.contains(document.activeElement)) this.show(strip.querySelector(`[data-at="${at}"]`));
  }

  point(event) {
    const token = event.target.closest(".token");
    if (token && event.pointerType === "mouse") this.show(token);
  }

  /** Tab reaches a strip once; the arrow keys go from token to token. */
  key(event, strip) {
    const steps = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const tokens = [...strip.querySelectorAll(".token")];
    const now = tokens.indexOf(document.activeElement);
    const next = tokens[Math.min(tokens.length - 1, Math.max(0, now + step))];
    for (const token of tokens) token.tabIndex = token === next ? 0 : -1;
    next?.focus();
  }

  async show(token) {
    if (!token || !this.answer) return;
    this.token = token;
    this.strip = token.closest(".strip").id;
    this.draw();
    if (this.asked) return;
    this.asked = true;
    const answer = this.answer;
    let probabilities;
    try {
      probabilities = await this.ask();
    } catch {
      probabilities = { plain: null, ruled: null };
    }
    if (answer !== this.answer) return;
    this.probabilities = probabilities;
    if (this.token) this.draw();
  }

  hide() {
    this.token = null;
    this.panel.hidden = true;
  }

  draw() {
    const { answer, gold } = this;
    const t = Number(this.token.dataset.at);
    const facts = [["with rules", answer.labels[t]], ["without rules", answer.plain_labels[t]]];
    if (gold) facts.push(["gold", gold[t]]);
    const broken = answer.violations.filter(({ positions }) => positions.includes(t)).map(({ rule }) => titleOf(rule));
    this.panel.replaceChildren(
      make("p", { class: "what" }, make("bdi", {}, visible(answer.tokens[t])), make("small", {}, ` token ${t + 1}`)),
      make("dl", { class: "facts-of" }, ...facts.flatMap(([name, label]) => [make("dt", {}, name), make("dd", {}, labelChip(label))])),
      ...broken.map((rule) => make("p", { class: "breaks" }, `breaks ${rule}`)),
      this.chances(t));
    this.panel.hidden = false;
    this.place();
  }

  chances(t) {
    if (!this.probabilities) return make("p", { class: "soft" }, "Looking up probabilities…");
    const { plain, ruled } = this.probabilities;
    if (!plain && !ruled) return make("p", { class: "soft" }, "These scores have no probabilities, or the sums take too long.");
    const of = (table) => new Map(table?.[t] ?? []);
    const [alone, under] = [of(plain), of(ruled)];
    const labels = [...new Set([...under.keys(), ...alone.keys()])].slice(0, 6);
    const cell = (table, chances, label) => make("td", {}, table ? bar(label, chances.get(label) ?? 0) : "–");
    const rows = labels.map((label) => make("tr", {}, make("th", { scope: "row" }, labelChip(label)), cell(ruled, under, label), cell(plain, alone, label)));
    const head = ["label", "with rules", "model alone"].map((name) => make("th", { scope: "col" }, name));
    return make("table", { class: "chances" }, make("caption", { class: "unseen" }, "Probabilities"), make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
  }

  /** Below its token, or above it if there is more room; on a phone the style sheet puts it at the bottom. */
  place() {
    if (!this.token || this.panel.hidden) return;
    const box = this.token.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.panel;
    const below = box.bottom + 8;
    const top = below + height > innerHeight && box.top > height + 16 ? box.top - height - 8 : below;
    this.panel.style.setProperty("--left", `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`);
    this.panel.style.setProperty("--top", `${Math.max(8, Math.min(top, innerHeight - height - 8))}px`);
  }
}

function bar(label, chance) {
  const fill = make("i", { class: hue(label) });
  fill.style.width = `${100 * chance}%`;
  const text = chance > 0 && chance < 0.001 ? "< 0.1 %" : `${(100 * chance).toFixed(chance > 0.9995 || chance === 0 ? 0 : 1)} %`;
  return make("span", { class: "chance" }, make("span", { class: "lane", "aria-hidden": "true" }, fill), make("span", { class: "number" }, text));
}
