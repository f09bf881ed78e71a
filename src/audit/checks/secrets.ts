import { redact } from "../../text/redact/redact.ts";
import { dayOfPart } from "../../tree/model/moved-format.ts";
import { createFinding, type AuditFinding } from "../model/finding.ts";
import { decodeLoosely } from "../model/shown-text.ts";
import type { FileAsRead } from "../model/workspace.ts";

/** `secret_found`: kind and line of each secret, never its text; once for a kind on a line. Linear. */
export function checkSecrets({ path, bytes }: Pick<FileAsRead, "path" | "bytes">): readonly AuditFinding[] {
  const { found } = redact(decodeLoosely(bytes));
  const places = new Map(found.map(({ kind, line }) => [`${line} ${kind}`, { kind, line }]));
  const advice =
    dayOfPart(path) === undefined
      ? "then take it out of the file."
      : "and then, since this file keeps a log that an audit shortened and must stay as it is, take that audit back (`heartwood audit history` names it) before you take the secret out of the log.";
  return [...places.values()].map(({ kind, line }) => {
    const message = `A secret stands here (${kind}): change it where it is used, ${advice}`;
    return createFinding({ code: "secret_found", path, lines: [line, line], message });
  });
}
