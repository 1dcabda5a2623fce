// The page: each change of the text or the rules asks the server for labels at once, and for reasons after a short pause.

import { ask, newest } from "./api.js";
import { debounce, find } from "./elements.js";
import { Editor } from "./editor.js";
import { showContradiction, showExplanation, showFacts } from "./explanation.js";
import { RuleList } from "./rules.js";
import { breachesByToken, setColours, showStrip } from "./strips.js";
import { Texts } from "./texts.js";

const RUNNERS_UP = 2;
let original = "";
let turn = 0; // counts changes, so that reasons for an outdated answer are not shown

const list = new RuleList(find("rules"), { changed: update, jump: (line) => { choose("file"); editor.jump(line); } });
const editor = new Editor(find("editor"), find("problems"), { changed: debounce((text) => readFile(text), 150) });
const texts = new Texts(find("text"), find("examples"), { changed: update });

function question() {
  return { text: texts.value, rules: list.text, ...list.choice() };
}

function update() {
  turn += 1;
  label();
  explainSoon();
}

const label = newest(async () => {
  const started = performance.now();
  try {
    const answer = await ask("/decode", question());
    showAnswer(answer);
    say(`answered in ${Math.max(1, Math.round(performance.now() - started))} ms`);
  } catch (error) {
    fail(error);
  }
});

const explainSoon = debounce(newest(async () => {
  const asked = turn;
  try {
    const answer = await ask("/decode", { ...question(), explain: true, runners_up: RUNNERS_UP });
    if (asked === turn) showExplanation(find("why"), answer, answer.explanation);
  } catch (error) {
    fail(error);
  }
}), 120);

function showAnswer(answer) {
  const changed = new Set(answer.changed);
  showStrip(find("after"), answer.tokens, answer.labels, { changed, breaches: breachesByToken(answer.violations) });
  showStrip(find("before"), answer.tokens, answer.plain_labels, { changed, kind: "was", breaches: breachesByToken(answer.plain_violations) });
  showFacts(find("facts"), answer);
  showContradiction(find("contradiction"), answer, (rule) => list.switchOff(rule));
  list.mark(answer);
  // Old reasons stay until the new ones arrive, so that nothing flickers while somebody types; a remark is replaced at once.
  const why = find("why");
  const explains = answer.status === "optimal" && answer.changed.length > 0;
  if (!explains || why.querySelector("p.soft")) showExplanation(why, answer, null);
}

const readFile = newest(async (text) => {
  try {
    const checked = await ask("/check", { rules: text });
    editor.showProblems(checked.problems);
    wrong(!checked.ok);
    if (!checked.ok) return;
    list.show(checked.rules, text);
    update();
    adviseSoon(text);
  } catch (error) {
    fail(error);
  }
});

const adviseSoon = debounce(async (text) => {
  try {
    const { findings } = await ask("/check", { rules: text, analyse: true });
    if (!findings || text !== editor.value) return;
    const advice = [];
    if (findings.contradiction.length) advice.push(`These hard rules can never all hold: ${findings.contradiction.join(" and ")}.`);
    for (const { rule, by } of findings.implied) advice.push(`“${rule}” is redundant: it follows from ${by.join(" and ")}.`);
    for (const label of findings.impossible_labels) advice.push(`No text can have the label ${label}.`);
    editor.showAdvice(advice, advice.length ? "" : "No contradictory and no redundant rules.");
  } catch {
    // nobody waits for advice, so an error is not shown
  }
}, 600);

function wrong(is) {
  find("stale").hidden = !is;
  find("file-mark").hidden = !is;
}

function say(text) {
  find("state").textContent = text;
  find("state").removeAttribute("role"); // a screen reader should not read out the time at every key
  find("state").classList.remove("bad");
}

function fail(error) {
  find("state").setAttribute("role", "alert");
  find("state").textContent = error.message;
  find("state").classList.add("bad");
}

function choose(name) {
  for (const panel of ["list", "file"]) {
    const chosen = panel === name;
    const tab = find(`tab-${panel}`);
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    find(`panel-${panel}`).hidden = !chosen;
  }
  if (name === "file") editor.number();
}

for (const name of ["list", "file"]) {
  const tab = find(`tab-${name}`);
  const other = name === "list" ? "file" : "list";
  tab.addEventListener("click", () => choose(name));
  tab.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    choose(other);
    find(`tab-${other}`).focus();
  });
}
find("all-on").addEventListener("click", () => list.switchAll(true));
find("all-off").addEventListener("click", () => list.switchAll(false));
find("reset").addEventListener("click", () => list.reset());
find("restore").addEventListener("click", () => {
  editor.value = original;
  readFile(original);
});

try {
  const [served, examples] = await Promise.all([ask("/rules"), ask("/examples")]);
  original = served.text;
  setColours(served.colours);
  find("model").textContent = served.model;
  editor.value = served.text;
  list.show(served.rules, served.text);
  texts.show(examples);
  update();
} catch (error) {
  fail(error);
}
