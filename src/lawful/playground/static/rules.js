// The list of rules: switches, prices, drawings.

import { ask } from "./api.js";
import { make, plural } from "./elements.js";

const DEAREST = 10;
let titles = new Map();

/** What a rule is called on the page: its name, or its meaning if it has no name of its own. */
export const titleOf = (name) => titles.get(name) ?? name;

export class RuleList {
  /** `changed` is called when somebody switches a rule or moves a price; `jump(line)` shows a rule in the file. */
  constructor(target, { search, found, changed, jump }) {
    Object.assign(this, { target, search, found, changed, jump, rules: [], off: new Set(), prices: new Map(), open: new Set(), rows: new Map() });
    search.addEventListener("input", () => this.filter());
  }

  /** Shows the rules whose name, meaning or state has all words of the search. */
  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { item, badge, words: own } of this.rows.values()) {
      const text = `${own} ${badge.textContent}`.toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
      count += !item.hidden;
    }
    this.found.textContent = words.length ? `${count} of ${this.rows.size}` : "";
  }

  /** Whether switches or prices differ from the file. */
  get isChanged() {
    const { off, prices } = this.choice();
    return off.length > 0 || Object.keys(prices).length > 0;
  }

  /** The switches and prices for the server, of rules that still exist. */
  choice() {
    const names = new Set(this.rules.map((rule) => rule.name));
    return {
      off: [...this.off].filter((name) => names.has(name)),
      prices: Object.fromEntries([...this.prices].filter(([name]) => names.has(name) && !this.off.has(name))),
    };
  }

  show(rules, text) {
    this.rules = rules;
    this.text = text;
    titles = new Map(rules.map(({ name, title }) => [name, title]));
    this.rows = new Map(rules.map((rule) => [rule.name, this.row(rule)]));
    this.target.replaceChildren(...[...this.rows.values()].map((row) => row.item));
    for (const name of this.open) if (this.rows.has(name)) this.draw(name);
    this.filter();
  }

  switchAll(on) {
    this.off = new Set(on ? [] : this.rules.map((rule) => rule.name));
    this.refresh();
  }

  switchOff(name) {
    this.off.add(name);
    this.refresh();
  }

  reset() {
    this.prices.clear();
    this.off.clear();
    this.refresh();
  }

  refresh() {
    for (const row of this.rows.values()) row.update();
    this.changed();
  }

  /** Marks the state of each rule in an answer. */
  mark(answer) {
    const now = new Map(answer.violations.map(({ rule, count }) => [rule, count]));
    const before = new Map(answer.plain_violations.map(({ rule, count }) => [rule, count]));
    for (const [name, { badge }] of this.rows) {
      const [kind, text] = this.off.has(name) ? ["hold", "off"]
        : now.has(name) ? ["broken", `broken ${times(now.get(name))}`]
        : before.has(name) ? ["kept", `corrected ${times(before.get(name))}`]
        : ["hold", "holds"];
      badge.className = `badge ${kind}`;
      badge.textContent = text;
    }
    if (this.search.value) this.filter();
  }

  row(rule) {
    const id = `rule-${this.rules.indexOf(rule)}`;
    const box = make("input", { type: "checkbox", role: "switch", class: "switch", id });
    const badge = make("span", { class: "badge" });
    const slider = make("input", { type: "range", min: 0, max: DEAREST, step: 0.1, "aria-label": `Price of ${rule.title}` });
    const shown = make("output", {});
    const hard = make("input", { type: "checkbox", "aria-label": `must hold: ${rule.title}` });
    const draw = make("button", { type: "button", class: "link", "aria-expanded": "false", "aria-label": `automaton of ${rule.title}`, onclick: () => this.toggle(rule.name) }, "automaton");
    const jump = rule.line && make("button", { type: "button", class: "link", onclick: () => this.jump(rule.line), title: "Show it in the rule file", "aria-label": `line ${rule.line}, ${rule.title}` }, `line ${rule.line}`);
    const drawing = make("div", { class: "drawing scroll long", hidden: true, tabindex: 0, role: "group", "aria-label": `Automaton of ${rule.title}` });
    const item = make("li", { class: "rule", "data-rule": rule.name }, box,
      make("label", { class: "name", for: id }, rule.title), badge, make("span", { class: "meaning" }, rule.more),
      make("span", { class: "price" }, slider, shown, make("label", {}, hard, "must hold"), make("span", { class: "links" }, draw, jump)), drawing);

    const update = () => {
      const price = this.prices.get(rule.name) ?? rule.price;
      const isHard = typeof price === "string";
      box.checked = !this.off.has(rule.name);
      item.classList.toggle("off", !box.checked);
      hard.checked = isHard;
      slider.hidden = isHard;
      slider.disabled = !box.checked;
      hard.disabled = !box.checked;
      if (!isHard) {
        slider.max = Math.max(DEAREST, Math.ceil(price));
        slider.value = price;
      }
      slider.setAttribute("aria-valuetext", isHard ? "" : `${Number(price).toFixed(1)} ${rule.per === "violation" ? "each" : "once"}`);
      shown.textContent = isHard ? "" : `${Number(price).toFixed(1)} ${rule.per === "violation" ? "each" : "once"}`;
    };
    box.addEventListener("change", () => {
      if (box.checked) this.off.delete(rule.name);
      else this.off.add(rule.name);
      update();
      this.changed();
    });
    slider.addEventListener("input", () => {
      this.prices.set(rule.name, Number(slider.value));
      update();
      this.changed();
    });
    hard.addEventListener("change", () => {
      const soft = typeof rule.price === "number" ? rule.price : DEAREST / 2;
      this.prices.set(rule.name, hard.checked ? "hard" : soft);
      update();
      this.changed();
    });
    update();
    return { item, badge, drawing, draw, update, words: `${rule.title} ${rule.more}` };
  }

  toggle(name) {
    if (this.open.delete(name)) {
      const { drawing, draw } = this.rows.get(name);
      drawing.hidden = true;
      draw.setAttribute("aria-expanded", "false");
    } else {
      this.open.add(name);
      this.draw(name);
    }
  }

  async draw(name) {
    const { drawing, draw } = this.rows.get(name);
    drawing.hidden = false;
    draw.setAttribute("aria-expanded", "true");
    try {
      const { svg, size } = (await ask("/check", { rules: this.text, draw: [name] })).drawings[name];
      const picture = svg && new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
      drawing.replaceChildren(make("p", { class: "soft" }, size));
      if (picture && picture.nodeName === "svg") drawing.append(document.importNode(picture, true));
    } catch (error) {
      drawing.replaceChildren(make("p", { class: "soft" }, error.message));
    }
  }
}

const times = (count) => (count === 1 ? "once" : count === 2 ? "twice" : plural(count, "time"));
