// An agent loop on a thread: each turn appends what the user says, compiles a context within a budget, answers, and
// appends the answer. Summarising happens after the answer, so that nobody waits for it. The model here is a stand-in;
// put yours in its place. Usage: node examples/agent-loop.mjs [FOLDER]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemory } from "heartwood";

const given = process.argv[2];
const folder = given ?? mkdtempSync(join(tmpdir(), "heartwood-example-"));
const memory = await openMemory({ dir: folder, create: true });
const { threads } = memory;

try {
  const { id } = await threads.create({ title: "Release 4" });
  for (let turn = 1; turn <= 120; turn++) await answer(id, wordsOf(turn));

  const { tokens, rawMessages, summarizedMessages, uncoveredMessages } = await threads.compile(id, { budget: 4000 });
  console.log(
    `${tokens} tokens: ${rawMessages} messages raw, ${summarizedMessages} in summaries, ${uncoveredMessages} uncovered`,
  );
  const { ok, frames } = await threads.verify({ thread: id });
  console.log(`${frames} frames, ${ok ? "every decision replays" : "verify has findings"}`);
} finally {
  await memory.close();
  if (given === undefined) rmSync(folder, { recursive: true });
}

async function answer(thread, words) {
  await threads.append(thread, { actor: "user", origin: "example", content: words });
  const { rendered } = await threads.compile(thread, { budget: 4000, render: "openai" });
  const reply = await model(rendered);
  await threads.append(thread, { actor: "assistant", origin: "example", content: reply });
  // In a service: not awaited, or `heartwood thread schedule --all` by a timer.
  await threads.schedule(thread, { actor: "agent", origin: "example" });
}

/** A stand-in for a model: it answers the last message. `messages` is what a chat API takes. */
async function model(messages) {
  const last = messages.at(-1).content;
  return `Noted, with ${messages.length - 1} messages before it: ${last.slice(0, 60)}`;
}

function wordsOf(turn) {
  const facts = {
    3: "The staging database is pg-stage-2; the old one goes away on 14 March.",
    40: "Marta decided that invoices are rounded per line, not per sum, because the tax office asked for it.",
  };
  return (
    facts[turn] ??
    `Step ${turn} of the release list: is anything open there? ${"Let us go through it once more. ".repeat(8)}`
  );
}
