// Measures which planted facts survive in the summaries of a thread. Builds the ladder in memory.
//   node bench/thread-probe.mjs [--seed 1] [--messages 100000] [--every 1000] [--held-back] [--talk <folder>] [--show 4]
// With --talk, the filler comes from transcripts in a folder: lines `User: …` and `Assistant: …` of its `.md` files.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { builtInThreadSummarizer } from "../src/threads/extract/built-in.ts";
import { weightOf, blockSize } from "../src/threads/plan/ladder.ts";
import { printLine } from "../src/threads/model/summary.ts";
import { conversation } from "./corpora/thread.mjs";
import { heldBack } from "./corpora/thread-held-back.mjs";

const depths = [3, 4, 6, 10, 24];

/** The rungs of a thread, level by level: `{ facts, lines }` for each block with messages. */
export function buildLadder(messages, summarizer = builtInThreadSummarizer) {
  const blocks = [];
  let weight = 0;
  for (const message of messages) {
    const block = (blocks[Math.floor(weight / blockSize(0))] ??= []);
    block.push(message);
    weight += weightOf(message.text);
  }
  let level = Array.from(blocks, (block = []) => ({
    lines: summarizer.extract(block.map(({ seq, role, text }) => ({ seq, role, text }))),
    facts: block.flatMap(({ fact }) => (fact === undefined ? [] : [fact])),
  }));
  const levels = [level];
  while (level.length >= 4) {
    const above = [];
    for (let at = 0; at + 4 <= level.length; at += 4) {
      const four = level.slice(at, at + 4);
      above.push({
        lines: summarizer.merge(four.map(({ lines }) => lines)),
        facts: four.flatMap(({ facts }) => facts),
      });
    }
    level = above;
    levels.push(level);
  }
  return levels;
}

/** Whether a text contains all words of a fact. */
export function tells(text, fact) {
  const lower = text.toLowerCase();
  return fact.words.every((word) => lower.includes(word.toLowerCase()));
}

/** The facts found in the first `depth` lines, as a share of those that could fit. */
export function recallOf(level, depth) {
  let possible = 0;
  let kept = 0;
  for (const { lines, facts } of level) {
    const shown = lines.slice(0, depth);
    const text = shown.map((line) => line.text).join("\n");
    possible += Math.min(facts.length, depth);
    kept += Math.min(depth, facts.filter((fact) => tells(text, fact)).length);
  }
  return possible === 0 ? Number.NaN : kept / possible;
}

/** The facts in the compiled context that `contextOf(thread)` returns; tests the whole path through the store. */
export async function contextRecall({ thread, facts, contextOf }) {
  const text = await contextOf(thread);
  return { told: facts.filter((fact) => tells(text, fact)), all: facts.length };
}

/** The cumulative summary after each stride, built from the lines of the stride's blocks, as the engine does. */
export function* cumulativeOf(messages, { stride, most = 20_000, summarizer = builtInThreadSummarizer }) {
  let base = [];
  let baseTo = 0;
  for (let at = 0; at + stride <= messages.length; at += stride) {
    const part = messages.slice(at, at + stride);
    const delta = deltaLines(part, summarizer);
    const to = part.at(-1).seq;
    base = summarizer.cumulate({ base, delta, base_to_seq: baseTo, to_seq: to, space: most - 60 });
    baseTo = to;
    const printed = base.reduce((sum, line) => sum + printLine(line).length + 1, 0);
    if (printed > most) throw new Error(`a cumulative summary has ${printed} characters`);
    yield { lines: base, to };
  }
}

/** The lines that the engine passes as delta: those of the coarsest blocks that still provide enough lines to choose from. */
export function deltaLines(part, summarizer) {
  const levels = buildLadder(part, summarizer);
  let level = 0;
  while (level + 1 < levels.length && levels[level].length * 16 > 400) level += 1;
  const lines = levels[level].flatMap((block) => block.lines);
  let after = levels[level].length * 4 ** level;
  const rest = levels[0].slice(after).flatMap((block) => block.lines);
  return [...lines, ...rest];
}

function percent(value) {
  return Number.isNaN(value) ? "   -" : `${String(Math.round(value * 100)).padStart(3)}%`;
}

function printLadder(messages, show) {
  const levels = buildLadder(messages);
  console.log(`level  blocks  facts/block  ${depths.map((depth) => `first ${depth}`).join("  ")}`);
  for (const [at, level] of levels.entries()) {
    const facts = level.reduce((sum, block) => sum + block.facts.length, 0) / level.length;
    const cells = depths.map((depth) => percent(recallOf(level, depth)).padStart(6));
    console.log(
      `${String(at).padStart(5)}  ${String(level.length).padStart(6)}  ${facts.toFixed(2).padStart(11)}  ${cells.join("  ")}`,
    );
  }
  if (show === undefined) return;
  for (const block of levels[show].slice(0, 3)) {
    console.log(`--- level ${show}: ${block.facts.length} facts`);
    for (const line of block.lines) {
      const isFact = block.facts.some((fact) => tells(line.text, fact));
      console.log(`${isFact ? "FACT" : "    "} ${printLine(line)}`);
    }
  }
}

function printCumulative({ source, seed, stride, perStride }) {
  for (const strides of [1, 3, 10, 100]) {
    const messages = [...source({ seed, count: stride * strides, every: stride / perStride })];
    let last;
    for (const summary of cumulativeOf(messages, { stride })) last = summary;
    const text = last.lines.map(({ text: line }) => line).join("\n");
    const newest = messages.slice(-stride).flatMap(({ fact }) => fact ?? []);
    const all = messages.flatMap(({ fact }) => fact ?? []);
    const share = (facts) => percent(facts.filter((fact) => tells(text, fact)).length / facts.length);
    const lines = last.lines.length;
    const fromNewest = last.lines.filter(({ seq }) => seq > messages.length - stride).length;
    console.log(
      `stride ${stride}, ${String(strides).padStart(3)} strides: facts ${share(all)} of ${all.length}, of the newest stride ${share(newest)} of ${newest.length}; lines ${lines}, newest ${fromNewest}`,
    );
  }
}

/** The messages of the transcripts in a folder. */
function talkOf(folder) {
  const messages = [];
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith(".md"))
    .toSorted()) {
    let last;
    for (const line of readFileSync(join(folder, name), "utf8").split("\n")) {
      const turn = /^(User|Assistant): (.*)$/u.exec(line);
      if (turn !== null) messages.push((last = { role: turn[1].toLowerCase(), text: turn[2] }));
      else if (/^(?:#|Session Date)/u.test(line)) last = undefined;
      else if (last !== undefined) last.text += `\n${line}`;
    }
  }
  return messages;
}

/** The planted messages, with talk instead of filler. */
function* among(talk, planted) {
  for (const message of planted)
    yield message.fact === undefined ? { ...talk[message.seq % talk.length], seq: message.seq } : message;
}

function main() {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      messages: { type: "string", default: "100000" },
      every: { type: "string", default: "1000" },
      "held-back": { type: "boolean", default: false },
      talk: { type: "string" },
      show: { type: "string" },
    },
  });
  const planted = values["held-back"] ? heldBack : conversation;
  const talk = values.talk === undefined ? undefined : talkOf(values.talk);
  const source = (options) => (talk === undefined ? planted(options) : among(talk, planted(options)));
  const seed = Number(values.seed);
  const messages = [...source({ seed, count: Number(values.messages), every: Number(values.every) })];
  printLadder(messages, values.show === undefined ? undefined : Number(values.show));
  for (const [stride, perStride] of [
    [100, 10],
    [1000, 10],
  ])
    printCumulative({ source, seed, stride, perStride });
}

if (import.meta.main) main();
