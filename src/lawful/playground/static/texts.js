// The text, and examples to start from. Examples of a corpus bring their own tokens and gold labels, as long as nobody edits them.

import { make } from "./elements.js";

export class Texts {
  constructor({ area, select, back, next, place }, { changed }) {
    Object.assign(this, { area, select, back, next, place, changed, examples: [], at: -1 });
    area.addEventListener("input", () => {
      this.at = -1;
      this.tell();
      changed();
    });
    select.addEventListener("change", () => this.pick(Number(select.value || -1)));
    back.addEventListener("click", () => this.pick(this.at - 1));
    next.addEventListener("click", () => this.pick(this.at + 1));
  }

  show(examples) {
    this.examples = examples;
    for (const control of [this.select, this.back, this.next]) control.hidden = !examples.length;
    const empty = make("option", { value: "" }, "Pick an example…");
    this.select.replaceChildren(empty, ...examples.map((example, i) => make("option", { value: i }, example.name)));
    if (examples.length && !this.area.value) this.choose(0);
    this.tell();
  }

  pick(number) {
    if (!this.examples[number]) return;
    this.choose(number);
    this.tell();
    this.changed();
  }

  choose(number) {
    this.at = number;
    this.area.value = this.examples[number].text;
  }

  tell() {
    this.select.value = this.at < 0 ? "" : String(this.at);
    this.back.disabled = this.at <= 0;
    this.next.disabled = this.at + 1 >= this.examples.length;
    this.place.textContent = this.picked?.location ?? "";
  }

  /** The example that is shown, if it was not edited. */
  get picked() {
    return this.examples[this.at];
  }

  /** What to ask the server for. */
  get question() {
    return this.picked?.tokens ? { tokens: this.picked.tokens } : { text: this.area.value };
  }
}
