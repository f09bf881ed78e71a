import type { Field } from "./operation.ts";

/** Fields that several operations on threads take. */

export const text = (name: string, placeholder: string, summary: string): Field => ({
  name,
  kind: { kind: "text" },
  placeholder,
  summary,
});
export const flag = (name: string, summary: string): Field => ({ name, kind: { kind: "flag" }, summary });
export const number = (name: string, min: number, max: number, summary: string): Field => ({
  name,
  kind: { kind: "integer", min, max },
  placeholder: "N",
  summary,
});
export const required = (field: Field): Field => ({ ...field, presence: "required" });

export const MOST = 9_007_199_254_740_991;
export const threadId: Field = {
  ...required(text("thread_id", "ID", "the thread")),
  place: "argument",
};
export const anyThread: Field = { ...threadId, presence: "optional", summary: "the thread (default: all)" };
export const actor: Field = {
  ...required(text("actor_id", "A", "who does it: user, assistant, tool:NAME, …")),
  option: "actor",
};
export const origin = required(text("origin", "O", "the surface it comes from: cli, chat, hook, …"));
export const stride = number("stride_messages", 0, MOST, "messages between two cut points (default: 10000)");
export const at = text("at", "MESSAGE_ID", "as of this message (default: the newest frame)");
export const title = text("title", "T", "the title of the new thread");
export const most = number("max_new_checkpoints", 1, 32, "at most N checkpoints (default: 1)");
export const dryRun = flag("dry_run", "show the plan, append nothing");
export const summaryFile: Field = {
  name: "summary_file",
  kind: { kind: "file" },
  placeholder: "FILE",
  summary: "Markdown; - for standard input",
};
export const artifact = text("artifact", "ARTIFACT", "the id of a summary that is in the artifact store");
