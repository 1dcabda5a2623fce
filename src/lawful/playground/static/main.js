// The page: each change of the text or the rules asks the server for labels at once, and for reasons after a short pause.

import { ask, newest } from "./api.js";
import { Details } from "./details.js";
import { debounce, find } from "./elements.js";
import { Editor } from "./editor.js";
import { showContradiction, showExplanation, showFacts } from "./explanation.js";
import { download, save, writeChoices } from "./files.js";
import { RuleList } from "./rules.js";
import { breachesByToken, setColours, showStrip } from "./strips.js";
import { Texts } from "./texts.js";
import { showVotes } from "./votes.js";

const RUNNERS_UP = 2;
let served = null; // the rule file as the server has it
let turn = 0; // counts changes, so that reasons for an outdated answer are not shown

const list = new RuleList(find("rules"), {
  search: find("search"), found: find("found"), changed: update, jump: (line) => { choose("file"); editor.jump(line); },
});
const editor = new Editor(find("editor"), find("problems"), { changed: (text) => { tellSaved(); readSoon(text); } });
const texts = new Texts(
  { area: find("text"), select: find("examples"), back: find("example-back"), next: find("example-next"), place: find("example-place") },
  { changed: update });
const details = new Details(find("details"), [find("after"), find("before"), find("gold")],
  async () => (await ask("/decode", { ...question(), probabilities: true })).probabilities);

function question() {
  return { ...texts.question, rules: list.text, ...list.choice() };
}

function update() {
  turn += 1;
  find("write").hidden = !list.isChanged;
  label();
  explainSoon();
}

const label = newest(async () => {
  const started = performance.now();
  const picked = texts.picked;
  try {
    const answer = await ask("/decode", question());
    showAnswer(answer, picked?.gold ?? null);
    say(`answered in ${Math.max(1, Math.round(performance.now() - started))} ms`);
  } catch (error) {
    fail(error);
  }
});

const explainSoon = debounce(newest(async () => {
  const asked = turn;
  try {
    const answer = await ask("/decode", { ...question(), explain: true, runners_up: RUNNERS_UP });
    if (asked !== turn) return;
    showExplanation(find("why"), answer, answer.explanation);
    showVotes(find("votes-card"), find("votes"), answer);
  } catch (error) {
    fail(error);
  }
}), 120);

function showAnswer(answer, gold) {
  const changed = new Set(answer.changed);
  showStrip(find("after"), answer.tokens, answer.labels, { changed, breaches: breachesByToken(answer.violations), gold });
  showStrip(find("before"), answer.tokens, answer.plain_labels, { changed, kind: "was", breaches: breachesByToken(answer.plain_violations), gold });
  find("gold-part").hidden = !gold;
  if (gold) showStrip(find("gold"), answer.tokens, gold);
  details.about(answer, gold);
  showFacts(find("facts"), answer, gold);
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
const readSoon = debounce((text) => readFile(text), 150);

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
  find("save").disabled = is;
}

// --- the file -----------------------------------------------------------------------------------------------

function setText(text) {
  editor.value = text;
  tellSaved();
  return readFile(text);
}

function tellSaved(remark) {
  const edited = served !== null && editor.value !== served.text;
  find("restore").disabled = !edited;
  find("saved").classList.remove("bad");
  find("saved").textContent = remark ?? (edited && served.saves_to ? "not saved yet" : "");
}

async function saveFile() {
  if (!served.saves_to) return download(editor.value, "rules.toml");
  const text = editor.value;
  try {
    const { saved, fingerprint } = await save(text, served.fingerprint);
    served = { ...served, text, fingerprint };
    tellSaved(`saved to ${saved}`);
  } catch (error) {
    find("saved").textContent = error.problems.length ? "not saved: the rules have errors" : `not saved: ${error.message}`;
    find("saved").classList.add("bad");
  }
}

/** Prices and switches become part of the file, if the rules that come out are what the switches say. */
async function writeFile() {
  const { off, prices } = list.choice();
  const text = writeChoices(list.text, list.rules, new Map(Object.entries(prices)), new Set(off));
  const checked = text === null ? null : await ask("/check", { rules: text });
  const now = new Map(checked?.rules.map(({ name, price }) => [name, price]));
  const isRight = checked?.ok && off.every((name) => !now.has(name)) && Object.entries(prices).every(([name, price]) => now.get(name) === price);
  if (!isRight) return fail(new Error("these rules are not written as tables [[rule]] of their own: change them in the rule file"));
  list.reset();
  choose("file");
  return setText(text);
}

find("save").addEventListener("click", saveFile);
find("download").addEventListener("click", () => download(editor.value, served?.saves_to ?? "rules.toml"));
find("restore").addEventListener("click", () => setText(served.text));
find("write").addEventListener("click", () => writeFile().catch(fail));
find("file").addEventListener("keydown", (event) => {
  if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  saveFile();
});
addEventListener("beforeunload", (event) => {
  if (served?.saves_to && editor.value !== served.text) event.preventDefault();
});

// --- the rest of the page -----------------------------------------------------------------------------------

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

try {
  const [rules, examples] = await Promise.all([ask("/rules"), ask("/examples")]);
  served = rules;
  setColours(served.colours);
  find("model").textContent = served.model;
  find("save").hidden = !served.saves_to;
  editor.value = served.text;
  tellSaved();
  list.show(served.rules, served.text);
  texts.show(examples);
  update();
  if (!served.valid) readFile(served.text);
} catch (error) {
  fail(error);
}
