// The rule file: a text area with line numbers, colours behind its letters, and marks on lines with errors.

import { Colouring } from "./colouring.js";
import { make } from "./elements.js";

export class Editor {
  constructor(root, problems, { changed }) {
    this.area = root.querySelector("textarea");
    this.gutter = root.querySelector(".gutter");
    this.marks = root.querySelector(".marks");
    this.ink = root.querySelector(".ink");
    this.colouring = new Colouring(this.ink);
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

  /** Tab indents; after Escape it leaves the editor, as Tab does elsewhere. */
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
    this.colouring.show(this.area.value);
    this.follow();
  }

  follow() {
    this.gutter.scrollTop = this.area.scrollTop;
    this.marks.style.transform = `translateY(${-this.area.scrollTop}px)`;
    this.ink.style.transform = `translate(${-this.area.scrollLeft}px, ${-this.area.scrollTop}px)`;
  }

  /** Marks each line with an error, and lists the messages with a button that goes to the line. */
  showProblems(problems) {
    this.wrong = new Set(problems.map((problem) => problem.line).filter(Boolean));
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
    this.problems.replaceChildren(...problems.map(({ line, column, rule, key, message }) => {
      const button = line && make("button", { type: "button", onclick: () => this.jump(line, column) }, `line ${line}`);
      const about = [rule, key && `key “${key}”`].filter(Boolean).join(", ");
      return make("li", {}, button, make("span", {}, about ? `${about}: ${message}` : message));
    }));
  }

  /** Lists remarks about a file without errors. */
  showAdvice(lines, fine) {
    if (this.wrong.size) return;
    this.problems.replaceChildren(
      ...(fine ? [make("li", { class: "fine" }, fine)] : []),
      ...lines.map((line) => make("li", { class: "advice" }, line)));
  }

  jump(line, column = 1) {
    const lines = this.area.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    this.area.focus();
    this.area.setSelectionRange(start + Math.max(0, (column ?? 1) - 1), start + (lines[line - 1]?.length ?? 0));
    this.area.scrollTop = Math.max(0, (line - 4) * this.lineHeight());
    this.follow();
  }

  lineHeight() {
    return parseFloat(getComputedStyle(this.area).lineHeight);
  }
}
