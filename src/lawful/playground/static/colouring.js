// TOML in colours: a line of text in, its pieces out. Text is only ever set as text.

import { make } from "./elements.js";

const PIECES = new RegExp([
  /(?<comment>#.*)/, /(?<long>"""|''')/, /(?<string>"(?:[^"\\]|\\.)*"?|'[^']*'?)/, /(?<head>^\s*\[\[?[\w.\s-]+\]\]?(?=\s*(?:#|$)))/,
  /(?<key>[\w-]+(?=\s*=))/, /(?<value>\b(?:true|false|inf|nan)\b|[+-]?\b\d[\w.:+-]*)/,
].map((part) => part.source).join("|"), "g");

/** The pieces of a line as [kind, text], and the mark of the string in which the next line begins ("" if in none). */
export function pieces(line, inside = "") {
  const found = [];
  const add = (kind, text) => text && found.push([kind, text]);
  let at = 0;
  if (inside) {
    const end = line.indexOf(inside);
    if (end < 0) return [[["string", line]], inside];
    at = end + inside.length;
    add("string", line.slice(0, at));
  }
  PIECES.lastIndex = at;
  for (let match = PIECES.exec(line); match; match = PIECES.exec(line)) {
    add("", line.slice(at, match.index));
    const [kind, text] = Object.entries(match.groups).find(([, part]) => part !== undefined);
    at = match.index + text.length;
    if (kind !== "long") {
      add(kind, text);
    } else {
      const end = line.indexOf(text, at);
      if (end < 0) {
        add("string", line.slice(match.index));
        return [found, text];
      }
      at = end + text.length;
      add("string", line.slice(match.index, at));
    }
    PIECES.lastIndex = at;
  }
  add("", line.slice(at));
  return [found, ""];
}

/** Shows a text in colours; lines that have not changed stay as they are. */
export class Colouring {
  constructor(target) {
    Object.assign(this, { target, lines: [] });
  }

  show(text) {
    let inside = "";
    const lines = text.split("\n").map((line, i) => {
      const kept = this.lines[i];
      if (kept && kept.line === line && kept.before === inside) {
        inside = kept.after;
        return kept;
      }
      const [parts, after] = pieces(line, inside);
      const element = make("div", {}, ...parts.map(([kind, part]) => (kind ? make("span", { class: kind }, part) : part)));
      if (kept) kept.element.replaceWith(element);
      else this.target.append(element);
      const shown = { line, before: inside, after, element };
      inside = after;
      return shown;
    });
    for (const { element } of this.lines.slice(lines.length)) element.remove();
    this.lines = lines;
  }
}
