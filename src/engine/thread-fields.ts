import type { Field } from "./operation.ts";

/** A text behind an option. */
export const text = (name: string, placeholder: string, summary: string): Field => ({
  name,
  kind: { kind: "text" },
  placeholder,
  summary,
});
/** An option without a value. */
export const flag = (name: string, summary: string): Field => ({ name, kind: { kind: "flag" }, summary });
/** True unless the option is given. `summary` is of the option, `meaning` of both values. */
export const switchOff = (name: string, said: Required<Pick<Field, "option" | "summary" | "meaning">>): Field => ({
  name,
  kind: { kind: "flag", given: "off" },
  ...said,
});
/** A whole number within limits. */
export const number = (name: string, min: number, max: number, summary: string): Field => ({
  name,
  kind: { kind: "integer", min, max },
  placeholder: "N",
  summary,
});
/** The same field, which must be given. */
const required = (field: Field): Field => ({ ...field, presence: "required" });

/** The greatest whole number that is exact. */
export const MOST = 9_007_199_254_740_991;
/** The thread that an operation is about. */
export const threadId: Field = {
  ...required(text("thread_id", "ID", "the thread")),
  place: "argument",
};
/** A thread, or all of them. */
export const anyThread: Field = { ...threadId, presence: "optional", summary: "the thread (default: all)" };
/** Who appends. */
export const actor: Field = {
  ...required(text("actor_id", "A", "who does it: user, assistant, tool:NAME, …")),
  option: "actor",
};
/** Where it comes from. */
export const origin = required(text("origin", "O", "the surface it comes from: cli, chat, hook, …"));
/** Messages between two cut points. */
export const stride = number("stride_messages", 0, MOST, "messages between two cut points (default: 10000)");
/** A message as the point of time. */
export const at = text("at", "MESSAGE_ID", "as of this message (default: the newest frame)");
/** The title of a new thread. */
export const title = text("title", "T", "the title of the new thread");
/** Checkpoints that one call may make. */
export const most = number("max_new_checkpoints", 1, 32, "at most N checkpoints (default: 1)");
/** Plan only. */
export const dryRun = flag("dry_run", "show the plan, append nothing");
/** A summary that the caller wrote. */
export const summaryFile: Field = {
  name: "summary_file",
  kind: { kind: "file" },
  placeholder: "FILE",
  summary: "Markdown; - for standard input",
  meaning: "the summary, Markdown",
};
/** A summary that is stored already. */
export const artifact = text("artifact", "ARTIFACT", "the id of a summary that is in the artifact store");
