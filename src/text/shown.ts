import type { Warning } from "../base/errors.ts";
import { type MemoryType, memoryTypes, parseHeadingTopic } from "../base/memory-type.ts";
import { redact } from "./redact/redact.ts";
import { visibleLine } from "./visible.ts";
import { editsBetween } from "./words/index-terms.ts";

/** The start of untrusted text on one line, for use in a message: visible, redacted, at most `most` characters. */
export function shown(text: string, most = 40): string {
  // Redact before cutting, because half a secret is not recognized. Cut by characters, because half a surrogate pair cannot be shown.
  const characters = Array.from(visibleLine(redact(text).text));
  return characters.length <= most ? characters.join("") : `${characters.slice(0, most).join("")}…`;
}

/** Maximum characters read, and maximum passes to remove marks. */
const mostRead = 4000;
const mostRounds = 8;

/**
 * A model's text as one line of plain text with at most `most` UTF-16 units: no secrets, no Markdown block marks, no
 * marks of heartwood's formats, and no characters that reverse or hide text. Empty if nothing remains, or if marks are
 * nested too deeply. Idempotent.
 */
export function plainLine(given: string, most: number): string {
  let text = given.slice(0, mostRead);
  for (let round = 0; round < mostRounds; round++) {
    const next = plainer(text, most);
    if (next === text) return text;
    text = next;
  }
  return "";
}

/** Characters that reverse or hide text, or end a line. */
const hidden = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
/** Type tags and position marks of heartwood's formats. */
const tag = /\s*\[(?:project|user|feedback|reference)(?:(?:,| by )[^\]]*)?\]/giu;
const place = /\{\d+\+\d+=[^}]*\}/gu;
const marks = [tag, place, /<!--|-->/gu, /[`~]{3,}/gu];
const start = /^(?:(?:#{1,6}|[-*+>]|\d{1,3}[.)])(?:\s+|$)|(?:-{3,}|={3,}|<{7}|>{7})\s*)+/u;

function plainer(given: string, most: number): string {
  const flat = given.toWellFormed().replaceAll(hidden, " ");
  const inert = marks.reduce((text, mark) => text.replaceAll(mark, ""), flat);
  const bare = inert.replaceAll(/\s+/gu, " ").trim().replace(start, "");
  return clipped(redact(bare).text, most).trim();
}

function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  const space = text.lastIndexOf(" ", most - 1);
  const end = space > most / 2 ? space : most - 1;
  return `${text
    .slice(0, end)
    .toWellFormed()
    .replace(/\ufffd$/u, "")}…`;
}

/** ` (did you mean plain?)`, to append to a list of allowed values; empty if none is similar. */
export function didYouMean(seen: unknown, known: readonly string[]): string {
  const near = typeof seen === "string" ? nearestOf(seen, known) : undefined;
  return near === undefined ? "" : ` (did you mean ${near}?)`;
}

/** A warning for each unknown key. `under`: the key of the object; empty for the whole file. */
export function unknownKeys(
  path: string,
  { under, values, known }: { readonly under: string; readonly values: object; readonly known: readonly string[] },
): readonly Warning[] {
  const before = under === "" ? "" : `${under}.`;
  const unknown = Object.keys(values).filter((key) => !known.includes(key));
  return unknown.map((key) => ({
    code: "unknown_key",
    path,
    message: `${before}${shown(key, 60)} is not a known key and is ignored; known keys: ${known.join(", ")}${didYouMean(key, known)}`,
  }));
}

const inBrackets = /^[[［【]\s*([^\s\][［］【】]+)\s*[\]］】]|[[［【]\s*([^\s\][［］【】]+)\s*[\]］】][\s:：.!]*$/u;

/**
 * The type that a misspelled word in brackets at the start or end of a heading probably stands for. Such an entry counts
 * as `project`.
 */
export function typeMeantBy(heading: string): { readonly written: string; readonly type: MemoryType } | undefined {
  if (!/[[［【]/u.test(heading) || parseHeadingTopic(heading).tagged === "tagged") return undefined;
  const [, front, back] = inBrackets.exec(heading) ?? [];
  const written = front ?? back ?? "";
  const said = written.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const near = (type: MemoryType): boolean =>
    said.startsWith(type.slice(0, 2))
      ? editsBetween(said, type, mostEdits) <= type.length / 4
      : said === `p${type}` || said === `p${type}s`;
  const type = memoryTypes.find((one) => one !== "project" && near(one));
  return type === undefined ? undefined : { written, type };
}

/** A warning that an entry with an unknown type counts as `project`. */
export function typeWarning(
  path: string,
  { line, written, type }: { readonly written: string; readonly type: MemoryType; readonly line?: number },
): Warning {
  const message = `"[${shown(written)}]" in ${line === undefined ? "the topic" : `line ${line}`} of ${path} is not a type, so the entry is treated as project; write [${type}] if you meant that`;
  return { code: "unknown_type", path, message, ...(line === undefined ? {} : { line }) };
}

/** `typeWarning` for a topic being written, unless its type is given. */
export function tagWarnings(path: string, topic: string, given: string | undefined): readonly Warning[] {
  const near = given === undefined ? typeMeantBy(topic) : undefined;
  return near === undefined ? [] : [typeWarning(path, near)];
}

const mostEdits = 3;

/** The known word with the fewest edits, or one with the same first part. */
function nearestOf(seen: string, known: readonly string[]): string | undefined {
  const word = seen.toLowerCase();
  const all = known.map((name) => ({ name, edits: editsBetween(word, name.toLowerCase(), mostEdits) }));
  const near = all.filter(
    ({ name, edits }) => edits <= mostEdits && edits * 5 < Math.max(word.length, name.length) * 3,
  );
  const closest = near.toSorted((a, b) => a.edits - b.edits)[0]?.name;
  const isStart = (name: string): boolean => name.startsWith(`${word}-`) || word.startsWith(`${name}-`);
  return closest ?? known.find(isStart);
}
