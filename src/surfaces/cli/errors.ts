import { couldNot, type ErrorCode } from "../../base/errors.ts";
import type { CommonOptions } from "../../operations/command-line.ts";
import { failureOf, redacted } from "../../operations/failure.ts";
import type { Terminal } from "./terminal.ts";
import { visible } from "../../text/visible.ts";

/** 0 done, 1 findings, 2 bad input, 3 failed. */
export type ExitStatus = 0 | 1 | 2 | 3;

/**
 * Reports a failure: with `--json` one document `{error: {code, message, ...details}}` on stdout, otherwise one sentence on stderr, with a stack only
 * if HEARTWOOD_DEBUG=1.
 */
export function reportFailure(thrown: unknown, terminal: Terminal, output: CommonOptions["output"]): ExitStatus {
  const { code, message, details } = failureOf(thrown);
  if (output === "json") {
    // Details first, so a detail named `code` or `message` cannot override ours.
    const document = { error: { ...details, code, message } };
    terminal.stdout.write(`${visible(JSON.stringify(document), "json")}\n`);
  } else {
    const shownCode = terminal.errorCodes === "told" ? `error ${code}: ` : "";
    terminal.stderr.write(`heartwood: ${shownCode}${visible(message).replaceAll("\n", " ")}\n`);
  }
  if (terminal.debugging === "on") terminal.stderr.write(`${visible(redacted(stackOf(thrown)))}\n`);
  return (couldNot as readonly ErrorCode[]).includes(code) ? 3 : 2;
}

function stackOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause === undefined ? "" : `\ncaused by ${stackOf(thrown.cause)}`;
  return `${thrown.stack ?? thrown.message}${cause}`;
}
