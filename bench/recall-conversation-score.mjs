// Scores how much of a question's evidence a context of passages contains, no matter how the passages were found.
import { decode, encode } from "gpt-tokenizer/encoding/o200k_base";

export const budgets = [500, 1000, 2000];
/** The number of consecutive words that a passage must share with a turn, so chance matches do not count. */
const run = 3;
/** A turn counts as found with at least this share of its words: one of two sentences is enough. */
const enough = 0.5;
const draws = 2000;

export const measures = ["evidence", "any", "all", "answer"];

/**
 * Scores contexts: a Map from question id to `[{ text, source: "memory/2023-05-08.md:4-9" }]`, best first, cut at `budget` tokens. Returns
 * `{ value, low, high, chance }` in percent for each measure, for `answerable` (all categories except adversarial) and for each category:
 *
 * - `evidence`: share of evidence turns with at least half of their words, in runs of three or more, in passages that include their line;
 * - `any`, `all`: at least one of them, all of them;
 * - `answer`: at least 80 % of the answer's words are in the context (only for questions whose evidence contains the answer's words).
 *
 * Chance uses the contexts of other questions of the same conversation that share no evidence, in five draws. Intervals are at 95 %, resampled
 * over whole conversations.
 */
export function scoreContexts(cases, contexts, budget) {
  const rows = cases.flatMap((one, group) => rowsOfCase(one, group, contexts, budget));
  const kinds = [...new Set(rows.map(({ category }) => category))].sort();
  const parts = { answerable: rows.filter(({ category }) => category !== 5) };
  for (const kind of kinds) parts[kind] = rows.filter(({ category }) => category === kind);
  const tokens = mean(rows.map((row) => row.tokens));
  const passages = mean(rows.map((row) => row.passages));
  const scored = Object.entries(parts).map(([part, list]) => [part, summary(list, cases.length)]);
  return { tokens, passages, ...Object.fromEntries(scored) };
}

function rowsOfCase({ questions }, group, contexts, budget) {
  const random = generator(11);
  const cut = questions.map((question) => cutContext(contexts.get(question.id) ?? [], budget));
  return questions.map((question, index) => {
    const others = questions.flatMap((other, at) =>
      other.evidence.some((turn) => question.evidence.includes(turn)) ? [] : at,
    );
    const chances = Array.from({ length: 5 }, () => judge(question, cut[others[random(others.length)]]));
    const chance = Object.fromEntries(measures.map((name) => [name, mean(chances.map((one) => one[name]))]));
    const { tokens, passages } = cut[index];
    return {
      group,
      category: question.category,
      tokens,
      passages: passages.length,
      real: judge(question, cut[index]),
      chance,
    };
  });
}

/** Tokens of a text. Names of special tokens in it are text. */
export function tokensOf(text) {
  return encode(text, { disallowedSpecial: new Set() });
}

/** The text, cut to `budget` tokens, and what of the budget is left. */
export function cutText(text, budget) {
  const tokens = tokensOf(text);
  return tokens.length <= budget
    ? { text, left: budget - tokens.length }
    : { text: decode(tokens.slice(0, budget)), left: 0 };
}

function cutContext(context, budget) {
  const passages = [];
  let left = budget;
  for (const { text, source } of context) {
    const cut = cutText(text, left);
    const place = /^(.*):(\d+)-(\d+)$/u.exec(source ?? "");
    passages.push({ words: wordsOf(cut.text), file: place?.[1], from: Number(place?.[2]), to: Number(place?.[3]) });
    left = cut.left;
    if (left === 0) break;
  }
  return { passages, tokens: budget - left, words: new Set(passages.flatMap(({ words }) => words)) };
}

function judge(question, context) {
  const found = question.evidence.map((turn) => Number(shareOf(turn, context.passages) >= enough));
  const answer = contentWords(question.answer);
  const said = new Set(question.evidence.flatMap((turn) => wordsOf(turn.said)));
  const isAnswerSaid = answer.length > 0 && coverage(answer, said) >= 0.8;
  return {
    evidence: mean(found),
    any: Math.max(...found),
    all: Math.min(...found),
    answer: isAnswerSaid && question.category !== 5 ? Number(coverage(answer, context.words) >= 0.8) : Number.NaN,
  };
}

/** Whether each turn `{ file, line, to, said }` is found in a context cut at `budget` tokens, by the rule of `evidence`. */
export function foundTurns(turns, context, budget) {
  const { passages } = cutContext(context, budget);
  return turns.map((turn) => shareOf(turn, passages) >= enough);
}

/** The share of the turn's words that occur, in runs, in passages that include one of its lines. */
function shareOf({ file, line, to = line, said }, passages) {
  const words = wordsOf(said);
  const length = Math.min(run, words.length);
  const covered = new Set();
  for (const passage of passages) {
    if (passage.file !== file || passage.from > to || passage.to < line) continue;
    const runs = new Set(runsOf(passage.words, length));
    runsOf(words, length).forEach((one, at) => {
      if (runs.has(one)) for (let offset = 0; offset < length; offset++) covered.add(at + offset);
    });
  }
  return words.length === 0 ? 0 : covered.size / words.length;
}

/** Whether `text` contains three words of `said` in a row, or all of them if they are fewer. */
export function sharesRun(said, text) {
  const words = wordsOf(said);
  const length = Math.min(run, words.length);
  const runs = new Set(runsOf(wordsOf(text), length));
  return runsOf(words, length).some((one) => runs.has(one));
}

function runsOf(words, length) {
  return words.slice(0, Math.max(0, words.length - length + 1)).map((_, at) => words.slice(at, at + length).join(" "));
}

function summary(rows, groups) {
  const random = generator(1);
  const picks = Array.from({ length: draws }, () => Array.from({ length: groups }, () => random(groups)));
  const figures = measures.map((name) => {
    const sums = Array.from({ length: groups }, () => [0, 0]);
    for (const { group, real } of rows) {
      if (Number.isNaN(real[name])) continue;
      sums[group][0] += real[name];
      sums[group][1]++;
    }
    const sampled = picks.map((pick) => ratio(pick.map((group) => sums[group]))).sort((a, b) => a - b);
    return [
      name,
      {
        n: sums.reduce((sum, [, count]) => sum + count, 0),
        value: ratio(sums),
        low: sampled[Math.floor(0.025 * draws)],
        high: sampled[Math.floor(0.975 * draws)],
        chance: 100 * mean(rows.map(({ chance }) => chance[name])),
      },
    ];
  });
  return Object.fromEntries(figures);
}

function ratio(sums) {
  return (100 * sums.reduce((sum, [value]) => sum + value, 0)) / sums.reduce((sum, [, count]) => sum + count, 0);
}

function mean(values) {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? Number.NaN : known.reduce((sum, value) => sum + value, 0) / known.length;
}

export function wordsOf(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

const little = new Set(
  "a an and are as at be because been but by did do does for from had has have he her him his i in is it its my no not of on or she so that the their them they this to was we were what when who will with would yes you your".split(
    " ",
  ),
);

function contentWords(text) {
  return [...new Set(wordsOf(text))].filter((word) => !little.has(word));
}

/** The share of wanted words that are present. Words that differ only in a plain English ending count as the same. */
function coverage(wanted, words) {
  const stems = new Set([...words].map(stem));
  return wanted.filter((word) => stems.has(stem(word))).length / wanted.length;
}

function stem(word) {
  return word.length < 5 ? word.replace(/s$/u, "") : word.replace(/(?:ing|ed|es|s)$/u, "");
}

/** A generator of integers below `n`; the same seed gives the same sequence. */
export function generator(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * n);
  };
}
