import { defineOperation } from "./checked.ts";
import * as I from "../agents/capture/inputs.ts";

const capture = defineOperation({
  name: "capture.run",
  command: ["capture"],
  summary: "Keep what is new in an agent's transcript",
  description:
    "Reads what a client wrote of a conversation since the last time: each message goes into the thread of its session, each turn that is over " +
    "into the log of the day on which that sitting began, with secrets replaced. The same row is never kept twice. Hooks call it.",
  input: I.captureInput,
  examples: ["heartwood capture claude-code", "heartwood capture claude-code session.jsonl --ended turn"],
  effect: "writes",
  run: async (memory, input, call) => (await import("../agents/capture/run.ts")).runCapture(memory, input, call),
});

const importHistory = defineOperation({
  name: "capture.import",
  command: ["import"],
  summary: "Take over earlier conversations of an agent or an export",
  description:
    "Reads transcripts from their beginning: a file, what lies below a folder, or without a path every session that took place in this folder. " +
    "What is there already is passed over. ChatGPT and Claude.ai are read from the conversations.json of their export.",
  input: I.historyInput,
  examples: ["heartwood import codex --dry-run", "heartwood import chatgpt conversations.json"],
  effect: "writes",
  run: async (memory, input, call) => (await import("../agents/capture/run.ts")).runImport(memory, input, call),
});

/** Operations that take over what clients write, in the order in which help shows them. */
export const captureOperations = [capture, importHistory] as const;
