// The rule file: a text area with line numbers, and marks on the lines that are wrong.

import { make } from "./elements.js";

export class Editor {
  constructor(root, problems, { changed }) {
    this.area = root.querySelector("textarea");
    this.gutter = root.querySelector(".gutter");
    this.marks = root.querySelector(".marks");
    this.problems = problems;
    this.wrong = new Set();
    this.area.addEventListener("input", () => {
      this.number();
      changed(this.area.value);
    });
    this.area.addEventListener("scroll", () => this.follow());
    this.area.addEventListener("keydown", (event) => this.key(event));
  }

  get value() {
    return this.area.value;
  }

  set value(text) {
    this.area.value = text;
    this.number();
  }

  /** Tab indents, unless Escape came just before: then it leaves, as everywhere. */
  key(event) {
    if (event.key === "Escape") {
      this.leaving = true;
    } else if (event.key === "Tab" && !event.shiftKey && !this.leaving) {
      event.preventDefault();
      this.area.setRangeText("  ", this.area.selectionStart, this.area.selectionEnd, "end");
      this.area.dispatchEvent(new Event("input"));
    } else {
      this.leaving = false;
    }
  }

  number() {
    const count = this.area.value.split("\n").length;
    const lines = Array.from({ length: count }, (_, i) => make("div", { class: this.wrong.has(i + 1) && "wrong" }, String(i + 1)));
    this.gutter.replaceChildren(...lines);
    this.follow();
  }

  follow() {
    this.gutter.scrollTop = this.area.scrollTop;
    this.marks.style.transform = `translateY(${-this.area.scrollTop}px)`;
  }

  /** Shows what is wrong: each line marked, each message with a button that leads to it. */
  showProblems(problems) {
    this.wrong = new Set(problems.map((one) => one.line).filter(Boolean));
    this.number();
    const height = this.lineHeight();
    const padding = parseFloat(getComputedStyle(this.area).paddingTop);
    this.marks.replaceChildren(...[...this.wrong].map((line) => {
      const mark = make("div", { class: "line", "data-line": line });
      mark.style.top = `${padding + (line - 1) * height}px`;
      mark.style.height = `${height}px`;
      return mark;
    }));
    this.area.setAttribute("aria-invalid", String(problems.length > 0));
    this.problems.replaceChildren(...problems.map((one) => {
      const place = one.line && make("button", { type: "button", onclick: () => this.jump(one.line, one.column) }, `line ${one.line}`);
      const about = [one.rule, one.key && `key “${one.key}”`].filter(Boolean).join(", ");
      return make("li", {}, place, make("span", {}, about ? `${about}: ${one.message}` : one.message));
    }));
  }

  /** Says what is odd in a file that is right. */
  showAdvice(lines, fine) {
    if (this.wrong.size) return;
    this.problems.replaceChildren(
      ...(fine ? [make("li", { class: "fine" }, fine)] : []),
      ...lines.map((line) => make("li", { class: "advice" }, line)));
  }

  jump(line, column = 1) {
    const lines = this.area.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    this.area.focus();
    this.area.setSelectionRange(start + Math.max(0, (column ?? 1) - 1), start + (lines[line - 1]?.length ?? 0));
    this.area.scrollTop = Math.max(0, (line - 4) * this.lineHeight());
    this.follow();
  }

  lineHeight() {
    return parseFloat(getComputedStyle(this.area).lineHeight);
  }
}
