import { firstDifference, type NumberedLine } from "../../base/lines.ts";
import { takenOut } from "../../text/redact/known-secrets.ts";
import type { SecretFound } from "../../text/redact/redact.ts";

/** A finding of `verify` in a file. */
export interface Finding {
  readonly code: string;
  readonly severity: "info" | "warning" | "error";
  readonly path: string;
  readonly line: number | null;
  readonly message: string;
}

const severities = {
  answer_damaged: "error",
  answer_missing: "warning",
  artifact_damaged: "error",
  artifact_missing: "info",
  child_changed: "info",
  dangling_ref: "error",
  due: "info",
  fixed_before_child: "error",
  fixed_too_early: "error",
  foreign_summary: "info",
  front_matter: "error",
  late_source: "info",
  not_in_parent: "info",
  not_ours: "info",
  not_reproducible: "error",
  not_traceable: "error",
  over_cap: "error",
  over_loaders_limit: "error",
  root_missing: "info",
  rule_older: "info",
  secret: "error",
  source_edited: "info",
  source_missing: "warning",
  source_unread: "info",
  summary_too_long: "error",
  unreadable: "error",
} as const;
export type Code = keyof typeof severities;

/** `at`: a file, or a line of one. */
export function finding(
  code: Code,
  at: string | readonly [path: string, line: number | null],
  message: string,
): Finding {
  const [path, line] = typeof at === "string" ? [at, null] : at;
  return { code, severity: severities[code], path, line, message };
}

export function secretFindings(path: string, found: readonly SecretFound[]): readonly Finding[] {
  return found.map(({ kind, line }) => {
    const message = `line ${line} of ${path} contains a secret (${kind}): heartwood doctor --fix redacts it`;
    return finding("secret", [path, line], message);
  });
}

/**
 * Like `firstDifference`, but ignores differences due to later redaction: markers in place of text, and the changed
 * digests.
 */
export function firstDifferenceBesideSecrets(expected: string, found: readonly NumberedLine[]): number | undefined {
  const first = firstDifference(expected, found);
  if (first === undefined) return undefined;
  const wanted = expected.split("\n");
  const isExplained = (line: string, text: string): boolean =>
    text === line ||
    ["content: ", "made-from: "].some((key) => line.startsWith(key) && text.startsWith(key)) ||
    takenOut(line, text) !== undefined;
  return wanted.length === found.length && found.every(({ text }, index) => isExplained(wanted[index] ?? "", text))
    ? undefined
    : first;
}
