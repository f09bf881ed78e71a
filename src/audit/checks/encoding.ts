import { isUtf8 } from "node:buffer";
import { createFinding, type AuditFinding } from "../model/finding.ts";
import { splitLines } from "../../base/lines.ts";
import type { FileAsRead } from "../model/workspace.ts";
import { listNumbers } from "./number-list.ts";

/** `not_utf8`: one for a file, with its lines that are not UTF-8. */
export function checkEncoding({ path, bytes }: Pick<FileAsRead, "path" | "bytes">): readonly AuditFinding[] {
  if (isUtf8(bytes)) return [];
  const wrong = splitLines(bytes).flatMap(({ encoding }, index) => (encoding === "not-utf-8" ? [index + 1] : []));
  const [first, last] = [wrong[0], wrong.at(-1)];
  if (first === undefined || last === undefined) return [];
  const which =
    wrong.length === 1 ? `Line ${first} is not UTF-8: it is` : `Lines ${listNumbers(wrong)} are not UTF-8: they are`;
  const message = `${which} kept and compared with nothing. Save the file as UTF-8.`;
  return [createFinding({ code: "not_utf8", path, lines: [first, last], message })];
}
