import { Buffer, isUtf8 } from "node:buffer";
import { type AuditFinding, createFinding, thresholds } from "../model/finding.ts";
import type { MemoryText, NoteText } from "../model/memory-text.ts";
import { listNumbers, oneLine, secretsIn, shownLines } from "../model/shown-text.ts";
import type { FileAsRead } from "../model/workspace.ts";
import type { Day } from "../../base/calendar.ts";
import { parseEntryComment } from "../../base/memory-type.ts";
import { readFrontMatter } from "../../base/front-matter.ts";
import { splitLines } from "../../base/lines.ts";
import { dayOfPart } from "../../tree/model/moved-format.ts";

/** `not_utf8`: one per file, with the lines that are not UTF-8. */
export function checkEncoding({ path, bytes }: Pick<FileAsRead, "path" | "bytes">): readonly AuditFinding[] {
  if (isUtf8(bytes)) return [];
  const wrong = splitLines(bytes).flatMap(({ encoding }, index) => (encoding === "not-utf-8" ? [index + 1] : []));
  const [first, last] = [wrong[0], wrong.at(-1)];
  if (first === undefined || last === undefined) return [];
  const which =
    wrong.length === 1 ? `Line ${first} is not UTF-8: it is` : `Lines ${listNumbers(wrong)} are not UTF-8: they are`;
  const message = `${which} kept but not compared. Save the file as UTF-8.`;
  return [createFinding("not_utf8", path, message, [first, last])];
}

/** `broken_front_matter`: the file begins with front matter that cannot be parsed. */
export function checkFrontMatter({ path, lines }: MemoryText): readonly AuditFinding[] {
  const reading = readFrontMatter(lines.map(({ text }) => text));
  if (reading.state !== "broken") return [];
  const message = `The front matter is invalid: ${oneLine([reading.message], 120)}. Fix this line, or remove the front matter.`;
  return [createFinding("broken_front_matter", path, message, [reading.line, reading.line])];
}

/** `dangling_reference`: a line outside fences names a missing `knowledge/….md`, as a link or bare. One per name and line. */
export function checkKnowledgeReferences(text: MemoryText, knowledge: ReadonlySet<string>): readonly AuditFinding[] {
  return text.lines.flatMap((line, index) => {
    const isRead = line.part !== "derived" && line.kind !== "code" && line.kind !== "fence";
    if (!isRead || !line.text.includes("knowledge/")) return [];
    const missing = new Set(
      knowledgeReferences(shownLines(text)[index] ?? "").filter((name) => !isThere(name, knowledge)),
    );
    return [...missing].map((name) => {
      const message = `${oneLine([name], 120)} does not exist: create it, or correct the name.`;
      return createFinding("dangling_reference", text.path, message, [index + 1, index + 1]);
    });
  });
}

// A bare name ends at white space or at punctuation that surrounds names in prose; in <…> and [[…]] it may contain spaces.
const reference =
  /(?<![\w/.~\\@%+-])(?:(?<=<)(?:\.{1,2}\/)*(knowledge\/[^<>]{1,200}?\.md)(?=[>#])|(?<=\[\[)(?:\.{1,2}\/)*(knowledge\/[^[\]|#]{1,200}?\.md)(?=[\]|#])|(?:\.{1,2}\/)*(knowledge\/[^\s"'`<>()[\]{}|*?$,;:#，。、；：？！「」『』（）《》【】“”‘’…]{1,200}?\.md)(?![\w/-]|\.\w))/gu;

/** The files in `knowledge/` that a line names, in order, with percent escapes decoded and `.` and `..` resolved: `knowledge/a b.md`. */
export function knowledgeReferences(line: string): readonly string[] {
  return [...line.matchAll(reference)].flatMap(([, angle, wiki, plain]) => {
    const path = resolved(decoded(angle ?? wiki ?? plain ?? ""));
    // `knowledge/...md` is a placeholder for any file.
    return path.startsWith("knowledge/") && !path.includes("...") ? [path] : [];
  });
}

function decoded(name: string): string {
  return name.replaceAll(/(?:%[0-9A-Fa-f]{2})+/gu, (escape) => {
    try {
      return decodeURIComponent(escape);
    } catch {
      // Not UTF-8, so the percent signs are part of the name.
      return escape;
    }
  });
}

function resolved(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** Compares composed and decomposed forms, because some file systems store letters and accents separately. */
function isThere(name: string, knowledge: ReadonlySet<string>): boolean {
  return [name, name.normalize("NFC"), name.normalize("NFD")].some((form) => knowledge.has(form));
}

/** `secret_found`: kind and line of each secret, never its text. One per kind and line. Linear time. */
export function checkSecrets({ path, bytes }: Pick<FileAsRead, "path" | "bytes">): readonly AuditFinding[] {
  const places = new Map(secretsIn(bytes).map(({ kind, line }) => [`${line} ${kind}`, { kind, line }]));
  const advice =
    dayOfPart(path) === undefined
      ? "then remove it from the file."
      : "then undo the audit that shortened this log (see `heartwood audit history`) before you remove the secret from the log: this file contains the original and must not change.";
  return [...places.values()].map(({ kind, line }) => {
    const message = `This line contains a secret (${kind}): replace it where it is used, ${advice}`;
    return createFinding("secret_found", path, message, [line, line]);
  });
}

export interface NoteFigures {
  readonly path: string;
  /** Size of the note's own text. */
  readonly bytes: number;
  readonly over: "bloat" | "rotation" | null;
  readonly captured: boolean;
  readonly shortened: boolean;
}

/** Figures for a note that is over a threshold or was shortened, else `undefined`. Today's note is never over the rotation limit. */
export function measureNote(own: NoteText, today: Day): NoteFigures | undefined {
  const { note } = own;
  const bytes = note.bytes.length - (note.state === "shortened" ? note.ownFrom : 0);
  const isOld = note.day < today;
  const isBloat = bytes > thresholds.noteBloat;
  const over = bytes > thresholds.noteRotation && isOld ? "rotation" : isBloat ? "bloat" : null;
  if (over === null && note.state === "whole") return undefined;
  return { path: note.path, bytes, over, captured: isCaptured(own), shortened: note.state !== "whole" };
}

/** `note_over_rotation`, or else `note_bloat`. Captured notes are skipped: they are as long as their sessions. */
export function checkNoteSize({ note }: NoteText, figures: NoteFigures): readonly AuditFinding[] {
  const { path, bytes, over, captured } = figures;
  if (over === null || captured) return [];
  if (over === "bloat") {
    const message = `The note has ${bytes} bytes; the limit is ${thresholds.noteBloat}: keep its conclusions, move detail to knowledge/.`;
    return [createFinding("note_bloat", path, message)];
  }
  const what =
    note.state === "edited"
      ? "its summary was edited, so audits do not move it: move it by hand"
      : "`heartwood audit --aggressive --apply` moves it to memory/archive/ and leaves a summary";
  const message = `The note has ${bytes} bytes; the limit is ${thresholds.noteRotation}: ${what}.`;
  return [createFinding("note_over_rotation", path, message)];
}

/** Whether the note contains only a title and entries whose ids begin with `capture-`. */
export function isCaptured(own: NoteText): boolean {
  // Most notes are ruled out without their lines.
  if (!Buffer.from(own.note.bytes.buffer, own.note.bytes.byteOffset, own.note.bytes.length).includes("capture-"))
    return false;
  const { lines } = own.text;
  const first = lines.findIndex(isEntryHeading);
  if (first < 0) return false;
  const before = lines.slice(0, first).filter((line) => line.reading !== "exact" || line.text.trim() !== "");
  if (before.length > 1 || before.some((line) => line.kind !== "heading" || line.level !== 1)) return false;
  return lines.every((line, index) => {
    if (!isEntryHeading(line)) return true;
    return parseEntryComment(lines[index + 1]?.text ?? "")?.id.startsWith("capture-") === true;
  });
}

function isEntryHeading({ kind, level }: MemoryText["lines"][number]): boolean {
  return kind === "heading" && level === 2;
}
