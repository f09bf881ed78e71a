// Measures how fast the lines for a thread are chosen: extraction over all messages, and all merges of the ladder, on one core. Measures CPU
// time, because the machine may be busy.
//   node bench/thread-lines.mjs [--messages 100000] [--runs 5] [--held-back]
import { parseArgs } from "node:util";
import { builtInThreadSummarizer as summarizer } from "../src/threads/extract/built-in.ts";
import { blockSize, weightOf } from "../src/threads/plan/ladder.ts";
import { heldBack } from "./corpora/thread-held-back.mjs";
import { conversation } from "./corpora/thread.mjs";
import { median, report } from "./harness.mjs";

const { values } = parseArgs({
  options: {
    messages: { type: "string", default: "100000" },
    runs: { type: "string", default: "5" },
    "held-back": { type: "boolean", default: false },
  },
});

function cpuMilliseconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function blocksOf(messages) {
  const blocks = [];
  let weight = 0;
  for (const message of messages) {
    (blocks[Math.floor(weight / blockSize(0))] ??= []).push(message);
    weight += weightOf(message.text);
  }
  return Array.from(blocks, (block = []) => block);
}

function merged(level) {
  const above = [];
  for (let at = 0; at < level.length; at += 4) above.push(summarizer.merge(level.slice(at, at + 4)));
  return above;
}

const source = values["held-back"] ? heldBack : conversation;
const messages = [...source({ seed: 7, count: Number(values.messages) })].map(({ seq, role, text }) => ({
  seq,
  role,
  text: Buffer.from(text).toString(),
}));
const bytes = messages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
const blocks = blocksOf(messages);
const times = { extract: [], merge: [] };
for (let run = 0; run < Number(values.runs); run++) {
  const from = cpuMilliseconds();
  let level = blocks.map((block) => summarizer.extract(block));
  const between = cpuMilliseconds();
  while (level.length > 1) level = merged(level);
  times.extract.push(between - from);
  times.merge.push(cpuMilliseconds() - between);
}
const [extract, merge] = [median(times.extract), median(times.merge)];
console.log(`${messages.length} messages, ${(bytes / 1e6).toFixed(1)} MB, ${blocks.length} blocks`);
console.log(
  `extract ${(bytes / 1e3 / extract).toFixed(0)} MB/s, merge ${(bytes / 1e3 / merge).toFixed(0)} MB/s of messages`,
);
const isFast = report("microseconds for 400 bytes", ((extract + merge) * 1e3) / (bytes / 400), 7, "us");
process.exitCode = isFast ? 0 : 1;
