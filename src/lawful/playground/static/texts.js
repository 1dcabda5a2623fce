// The text, and examples to start from.

import { make } from "./elements.js";

export class Texts {
  constructor(area, select, { changed }) {
    Object.assign(this, { area, select });
    area.addEventListener("input", () => {
      select.value = "";
      changed();
    });
    select.addEventListener("change", () => {
      const picked = this.examples[Number(select.value)];
      if (!picked) return;
      area.value = picked.text;
      changed();
    });
  }

  show(examples) {
    this.examples = examples;
    this.select.hidden = !examples.length;
    const empty = make("option", { value: "" }, "Pick an example…");
    this.select.replaceChildren(empty, ...examples.map((example, i) => make("option", { value: i }, example.name)));
    if (examples.length && !this.area.value) {
      this.area.value = examples[0].text;
      this.select.value = "0";
    }
  }

  get value() {
    return this.area.value;
  }
}
