import type { CompileResult, VerifyThreadsResult } from "../../../threads/run/results.ts";
import { columns, counted } from "./layout.ts";
import type { Screen } from "./screen.ts";

/** The context as text; messages of a chat API are printed as a document. */
export function renderCompiled({ rendered }: CompileResult, _screen: Screen): string {
  return String(rendered);
}

/** Whether every thread is what a replay gives, and every finding. */
export function renderThreadVerify({ ok, threads, frames, findings }: VerifyThreadsResult, { paint }: Screen): string {
  const verdict = ok ? paint.good("The threads are sound") : paint.bad("The threads have findings");
  const rows = findings.map(({ severity, thread_id, seq, code, message }) => [
    severity === "error" ? paint.bad(severity) : severity === "warning" ? paint.warn(severity) : paint.dim(severity),
    seq === null ? thread_id : `${thread_id}:${seq}`,
    code,
    message,
  ]);
  const size = `${counted(threads, "thread")}, ${counted(frames, "frame")}`;
  return [`${verdict}: ${size}, ${counted(findings.length, "finding")}.`, ...columns(rows)].join("\n");
}
