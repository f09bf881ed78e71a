// Plants facts in known messages of long conversations and runs them through the store, `schedule` and `compile`. Counts the facts in the compiled context of
// 8,000 tokens after 1, 3, 10 and 100 strides, by age. Usage: node bench/threads-probe.mjs [--seed N] [--stride N] [--quick] [--held-back] [--only third]
// Bounds: after 100 strides, the newest stride keeps at least 80 % of its facts (over all seeds), each older octave keeps some, and the budget is met.
import { parseArgs } from "node:util";
import { conversation } from "./corpora/thread.mjs";
import { heldBack } from "./corpora/thread-held-back.mjs";
import { third } from "./corpora/thread-third.mjs";
import { temporaryFolder } from "./harness.mjs";
import { tells } from "./thread-probe.mjs";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    stride: { type: "string" },
    quick: { type: "boolean" },
    "held-back": { type: "boolean" },
    only: { type: "string" },
    budget: { type: "string" },
  },
});
const PER_STRIDE = 10;
const seedsOf = (stride) => {
  if (values.seed !== undefined) return [Number(values.seed)];
  return stride <= 100 ? [1, 2, 3, 4] : [1, 2];
};
const strides = values.stride === undefined ? (values.quick ? [100] : [100, 1000]) : [Number(values.stride)];
const budget = Number(values.budget ?? 8000);
const { openMemory } = await import("../dist/index.js");
let failed = 0;
let passed = 0;

for (const [name, source] of [
  ["own", conversation],
  ["held back", heldBack],
  ["third", third],
]) {
  if (values["held-back"] && name !== "held back") continue;
  if (values.only !== undefined && name !== values.only) continue;
  for (const stride of strides) {
    // A stride has only about ten facts, so shares are judged over all seeds together.
    const told = new Map();
    for (const seed of seedsOf(stride)) await probe({ name, source, stride, seed, told });
    judgeShares(told);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function probe({ name, source, stride, seed, told }) {
  console.log(
    `\n--- ${name} conversation, seed ${seed}: ${PER_STRIDE} facts in a stride of ${stride} messages, ${budget} tokens`,
  );
  const memory = await openMemory({ dir: temporaryFolder(), create: true });
  const { threads } = memory;
  const id = "probe";
  await threads.create({ id });
  const facts = [];
  let count = 0;
  let batch = [];
  const flush = async () => {
    if (batch.length > 0) await threads.append(id, batch);
    batch = [];
  };
  for (const { role, text, fact } of source({ seed, count: stride * 100, every: stride / PER_STRIDE })) {
    count += 1;
    batch.push({ content: text, actor: role === "tool" ? "tool:run" : role, origin: "probe" });
    if (fact !== undefined) facts.push({ ...fact, ordinal: count });
    if (batch.length === 500 || count % stride === 0) await flush();
    if (![1, 3, 10, 100].includes(count / stride)) continue;
    await threads.schedule(id, { strideMessages: stride, actor: "probe", origin: "probe" });
    const context = await threads.compile(id, { budget, render: "text" });
    judge({ context, facts, count, stride, told });
  }
  await memory.close();
}

/** Counts found facts by age: in the newest stride, and in octaves of strides before it. */
function judge({ context, facts, count, stride, told: total }) {
  const octaves = new Map();
  for (const fact of facts) {
    const age = Math.floor((count - fact.ordinal) / stride);
    const octave = Math.floor(Math.log2(age + 1));
    const seen = octaves.get(octave) ?? { told: 0, all: 0 };
    seen.all += 1;
    if (tells(context.rendered, fact)) seen.told += 1;
    octaves.set(octave, seen);
  }
  const cells = [...octaves].toSorted(([a], [b]) => a - b).map(([, { told, all }]) => `${told}/${all}`);
  console.log(
    `${String(count / stride).padStart(4)} strides: ${context.tokens} tokens, ${context.rawMessages} raw, ${context.uncoveredMessages} uncovered; told by age ${cells.join("  ")}`,
  );
  check(context.tokens <= budget, "the context is within its budget");
  check(context.uncoveredMessages === 0, "nothing is uncovered after schedule");
  if (count / stride < 100) return;
  for (const [octave, { told, all }] of octaves) {
    const sum = total.get(octave) ?? { told: 0, all: 0 };
    total.set(octave, { told: sum.told + told, all: sum.all + all });
  }
  check(
    [...octaves.values()].every(({ told }) => told > 0),
    "each older octave keeps some",
  );
}

function judgeShares(told) {
  const newest = told.get(0);
  const share = newest.told / newest.all;
  console.log(
    `after 100 strides: ${Math.round(share * 100)} % of the facts of the newest stride (${newest.told} of ${newest.all})`,
  );
  check(share >= 0.8, "the newest stride keeps 80 % of its facts");
}

function check(holds, sentence) {
  if (holds) passed += 1;
  else failed += 1;
  if (!holds) console.log(`MISS  ${sentence}`);
}
