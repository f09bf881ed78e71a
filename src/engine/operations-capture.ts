import type { CaptureInput, HistoryInput } from "./capture/inputs.ts";
import type { CaptureResult } from "./capture/results.ts";
import { checked } from "./checked.ts";
import type { Field } from "./operation.ts";
import { flag, text } from "./thread-fields.ts";

const agents = ["claude-code", "codex", "gemini", "copilot", "opencode", "openclaw"];
const exports = ["chatgpt", "claude-ai"];

function clientField(values: readonly string[]): Field {
  return {
    name: "client",
    kind: { kind: "choice", values },
    place: "argument",
    presence: "required",
    placeholder: "CLIENT",
    summary: values.join(", "),
  };
}

const path: Field = {
  ...text("path", "PATH", "the transcript (default: the newest of this folder)"),
  place: "argument",
};

const capture = checked<CaptureInput, CaptureResult>({
  name: "capture.run",
  command: ["capture"],
  summary: "Keep what is new in an agent's transcript",
  description:
    "Reads what a client wrote of a conversation since the last time: each message goes into the thread of its session, each turn that is over " +
    "into the log of the day on which that sitting began, with secrets replaced. The same row is never kept twice. Hooks call it.",
  fields: [
    clientField(agents),
    path,
    text("session", "ID", "the session, where the transcript holds several"),
    {
      name: "ended",
      kind: { kind: "choice", values: ["turn", "session"] },
      placeholder: "WHAT",
      summary: "what is over: turn or session (default: what the transcript says)",
    },
    flag("all", "every session of this folder, also those that ended without a word"),
  ],
  examples: ["heartwood capture claude-code", "heartwood capture claude-code session.jsonl --ended turn"],
  effect: "writes",
  run: async (memory, input, call) => (await import("./capture/run.ts")).runCapture(memory, input, call),
});

const importHistory = checked<HistoryInput, CaptureResult>({
  name: "capture.import",
  command: ["import"],
  summary: "Take over earlier conversations of an agent or an export",
  description:
    "Reads transcripts from their beginning: a file, what lies below a folder, or without a path every session that took place in this folder. " +
    "What is there already is passed over. ChatGPT and Claude.ai are read from the conversations.json of their export.",
  fields: [
    clientField([...agents, ...exports]),
    { ...path, summary: "a file or a folder (default: the sessions of this folder)" },
    flag("all", "without a path: also the sessions of other folders"),
    flag("dry_run", "say what would be taken over, write nothing"),
  ],
  examples: ["heartwood import codex --dry-run", "heartwood import chatgpt conversations.json"],
  effect: "writes",
  run: async (memory, input, call) => (await import("./capture/run.ts")).runImport(memory, input, call),
});

/** Operations that take over what clients write, in the order in which help shows them. */
export const captureOperations = [capture, importHistory] as const;
