// Helpers for the elements of the page. Text is only ever set as text, never as HTML.

export const find = (id) => document.getElementById(id);

/** An element with attributes, listeners (`onclick: f`) and children; strings become text. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** Calls `work` once it has not been asked for during this many milliseconds. */
export function debounce(work, milliseconds) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...args), milliseconds);
  };
}

/** Shows control and format characters by name, as reports do. */
export function visible(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (letter) => {
    const number = letter.codePointAt(0);
    if (number < 32) return String.fromCodePoint(0x2400 + number);
    return `[U+${number.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}

export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
