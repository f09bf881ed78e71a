// Measures of rankings and contexts. Values are percentages; intervals are at 95 %, over questions (or groups of questions), in 2,000 draws.
import { cutText, generator } from "../recall-conversation-score.mjs";

const draws = 2000;

/** Whether a gold document is first, whether any and whether all of them are among the first five. Documents count once, at their best rank. */
export function rankMeasures(ranking, gold) {
  const ranked = [...new Set(ranking)];
  const wanted = [...new Set(gold)];
  const top = new Set(ranked.slice(0, 5));
  return {
    first: Number(wanted.includes(ranked[0])),
    any5: Number(wanted.some((id) => top.has(id))),
    all5: Number(wanted.every((id) => top.has(id))),
  };
}

/** What a random ranking of `n` documents, `gold` of them relevant, scores on average. */
export function rankChance(n, gold) {
  const k = Math.min(5, n);
  const chooses = ways(n, k);
  return {
    first: gold / n,
    any5: 1 - ways(n - gold, k) / chooses,
    all5: gold > k ? 0 : ways(n - gold, k - gold) / chooses,
  };
}

function ways(n, k) {
  if (k < 0 || k > n) return 0;
  let result = 1;
  for (let i = 1; i <= k; i++) result *= (n - k + i) / i;
  return result;
}

/** NDCG@k with relevance 0 or 1, as in trec_eval. */
export function ndcg(ranking, gold, k = 10) {
  const wanted = new Set(gold);
  let sum = 0;
  [...new Set(ranking)].slice(0, k).forEach((id, index) => {
    if (wanted.has(id)) sum += gain(index);
  });
  return sum / ideal(wanted.size, k);
}

export function ndcgChance(n, gold, k = 10) {
  return ((gold / n) * ideal(Math.min(k, n), k)) / ideal(gold, k);
}

function ideal(count, k) {
  return Array.from({ length: Math.min(count, k) }, (_, index) => gain(index)).reduce((sum, one) => sum + one, 0);
}

function gain(index) {
  return 1 / Math.log2(index + 2);
}

/** `rows`: objects with the same numeric keys; NaN is left out. `groupOf(row)`: rows of a group are drawn together. */
export function averages(rows, groupOf) {
  const keys = Object.keys(rows[0] ?? {}).filter((key) => typeof rows[0][key] === "number");
  return Object.fromEntries(keys.map((key) => [key, average(rows, key, groupOf)]));
}

/** Averages over all rows, over those with odd ids (development), and over those with even ids (held back). */
export function halves(rows, name) {
  const odd = rows.filter(hasOddId);
  const even = rows.filter((row) => !hasOddId(row));
  const parts = { [name]: rows, [`${name}, odd`]: odd, [`${name}, even`]: even };
  return Object.fromEntries(Object.entries(parts).map(([part, list]) => [part, averages(list)]));
}

function hasOddId({ id }) {
  return Number(/\d+$/u.exec(String(id))[0]) % 2 === 1;
}

/** The passages of a context that fit into `budget` tokens; the last one is cut. */
export function cutPassages(passages, budget) {
  const kept = [];
  let left = budget;
  for (const passage of passages) {
    if (left <= 0) break;
    const cut = cutText(passage.text, left);
    kept.push({ ...passage, text: cut.text });
    left = cut.left;
  }
  return kept;
}

function average(rows, key, groupOf = (_, index) => index) {
  const groups = new Map();
  rows.forEach((row, index) => {
    if (Number.isNaN(row[key])) return;
    const group = groupOf(row, index);
    const [sum, count] = groups.get(group) ?? [0, 0];
    groups.set(group, [sum + row[key], count + 1]);
  });
  const sums = [...groups.values()];
  const random = generator(1);
  const sampled = Array.from({ length: draws }, () => ratio(sums.map(() => sums[random(sums.length)])));
  sampled.sort((a, b) => a - b);
  const n = sums.reduce((total, [, count]) => total + count, 0);
  return { n, value: ratio(sums), low: sampled[Math.floor(0.025 * draws)], high: sampled[Math.floor(0.975 * draws)] };
}

function ratio(sums) {
  let sum = 0;
  let count = 0;
  for (const [value, number] of sums) {
    sum += value;
    count += number;
  }
  return (100 * sum) / count;
}
