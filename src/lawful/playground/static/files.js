// The rule file: saved to where it came from, if the server was started so; downloaded; with the prices of the switches written into it.

import { ask } from "./api.js";

const HEAD = /^\s*\[\[?[\w.\s-]+\]\]?\s*(#.*)?$/;

export async function save(text, was) {
  return ask("/save", { rules: text, was });
}

export function download(text, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** The text with other prices, and with the rules that are off commented out; null if a rule is not a table of its own. */
export function writeChoices(text, rules, prices, off) {
  const lines = text.split("\n");
  const concerned = rules.filter(({ name }) => prices.has(name) || off.has(name)).sort((a, b) => b.line - a.line); // from the end, so that line numbers stay right
  for (const { name, line } of concerned) {
    const start = line - 1;
    if (!line || !/^\s*\[\[rule\]\]/.test(lines[start] ?? "")) return null;
    const next = lines.findIndex((other, i) => i > start && HEAD.test(other));
    let end = next < 0 ? lines.length : next;
    while (end > start + 1 && /^\s*(#.*)?$/.test(lines[end - 1])) end -= 1; // comments above the next rule are its own
    const block = lines.slice(start, end);
    lines.splice(start, end - start, ...(off.has(name) ? block.map((row) => `# ${row}`) : atPrice(block, prices.get(name))));
  }
  return lines.join("\n");
}

function atPrice(block, price) {
  const isHard = typeof price === "string";
  const others = block.filter((row) => !/^\s*price\s*=/.test(row) && !(isHard && /^\s*per\s*=/.test(row)));
  if (isHard) return others;
  const place = block.findIndex((row) => /^\s*price\s*=/.test(row));
  others.splice(place < 0 ? others.length : place, 0, `price = ${price}`);
  return others;
}
