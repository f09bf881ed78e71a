import { redact } from "../../base/redact/index.ts";
import { createFinding, type AuditFinding } from "../finding.ts";
import { decodeLoosely } from "../shown-text.ts";
import type { FileAsRead } from "../workspace.ts";

/** `secret_found`: kind and line of each secret, never its text; once for a kind on a line. Linear. */
export function checkSecrets({ path, bytes }: Pick<FileAsRead, "path" | "bytes">): readonly AuditFinding[] {
  const { found } = redact(decodeLoosely(bytes));
  const places = new Map(found.map(({ kind, line }) => [`${line} ${kind}`, { kind, line }]));
  return [...places.values()].map(({ kind, line }) => {
    const message = `A secret stands here (${kind}): change it where it is used, then take it out of the file.`;
    return createFinding({ code: "secret_found", path, lines: [line, line], message });
  });
}
