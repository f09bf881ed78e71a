/** Marks above and below letters are no letters to the index: they would cut a word. */
const marks = /\p{M}+/gu;

/** The letters of a run, without marks. */
export function lettersOf(run: string): readonly string[] {
  return Array.from(run.replaceAll(marks, ""));
}

/** Each letter with the one behind it. */
export function pairsOf(letters: readonly string[]): readonly string[] {
  const pairs: string[] = [];
  for (let at = 1; at < letters.length; at++) pairs.push(`${letters[at - 1] ?? ""}${letters[at] ?? ""}`);
  return pairs;
}

const unusual = /[^\u3005-\u3007\u3041-\u3096\u309d-\u30ff\u3400-\u9fff]/;

/** The same where each letter is one UTF-16 unit and none a mark. */
function partsOfUnits(run: string): readonly string[] {
  const parts: string[] = [];
  for (let at = 1; at < run.length; at++) parts.push(run.slice(at - 1, at + 1));
  const last = run.charAt(run.length - 1);
  if (run.length === 1 || last >= "\u3400") parts.push(last);
  return parts;
}

const han = /\p{Script=Han}/u;

/**
 * Under what a run without spaces is found: its pairs in their order, and behind them its last letter when it is Han (each other letter begins a pair,
 * so the beginning of a word finds it) or the only one.
 */
export function partsOfRun(run: string): readonly string[] {
  if (!unusual.test(run)) return partsOfUnits(run);
  const letters = lettersOf(run);
  const last = letters.at(-1);
  if (last === undefined) return [];
  const pairs = pairsOf(letters);
  return pairs.length === 0 || han.test(last) ? [...pairs, last] : pairs;
}
