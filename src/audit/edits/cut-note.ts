import { parseEntryComment } from "../../base/entry-comment.ts";
import type { SectionMatch } from "../checks/redundant-sections.ts";
import type { Edit, EditAction } from "../edit.ts";
import { isBlank, keyOf } from "../line-key.ts";
import type { MemoryText } from "../memory-text.ts";
import type { NoteText } from "../note-text.ts";
import { firstOwnLine } from "../own-sections.ts";
import { shownHeading } from "../shown-text.ts";
import { describeGone, endsInFrozen, spansOf, type LinesGone } from "./line-cut.ts";

/** What a cut goes by. */
export interface NoteCut {
  readonly note: NoteText;
  /** Its sections that stand in MEMORY.md too. */
  readonly matches: readonly SectionMatch[];
  /** The texts of MEMORY.md's lines. */
  readonly keys: ReadonlySet<string>;
}

/** Takes the lines that MEMORY.md has out of these sections of a note: docs/formats/audit.md, "Redundant sections". `undefined`: none can go. */
export function cutNote(cut: NoteCut): Edit | undefined {
  // A heading can be what ends a fence or the Core; then the headings stay.
  for (const headings of ["go", "stay"] as const) {
    const gone = linesGone(cut, headings);
    if (gone.size === 0) return undefined;
    const spans = spansOf(cut.note.text, gone);
    if (spans === undefined) continue;
    const { path, sha256 } = cut.note.note;
    const bytes = spans.reduce((sum, [from, to]) => sum + to - from, 0);
    return { path, before: sha256, change: { kind: "cut", spans }, actions: actionsOf(cut, gone, bytes) };
  }
  return undefined;
}

function linesGone(cut: NoteCut, headings: "go" | "stay"): LinesGone {
  const gone = linesGoneBut(undefined, cut, headings);
  const { text } = cut.note;
  // A frozen line keeps its line end: the file's last line stays to be without one.
  return endsInFrozen(text, gone) ? linesGoneBut(text.lines.length - 1, cut, headings) : gone;
}

function linesGoneBut(kept: number | undefined, { note, matches, keys }: NoteCut, headings: "go" | "stay"): LinesGone {
  const { text } = note;
  const gone: LinesGone = new Set();
  const candidates = new Set<number>();
  for (const { section } of matches) {
    for (let index = section.from; index < section.to; index++) {
      const line = text.lines[index];
      if (line === undefined || line.part !== "free" || index === kept) continue;
      if (line.kind === "heading") candidates.add(index);
      else if (!isOwnComment(text, index) && keys.has(keyOf(line))) gone.add(index);
    }
  }
  if (headings === "go") addHeadings(text, { gone, candidates, keys, kept });
  if (gone.size > 0) addBlanks(note, gone, kept);
  return gone;
}

/** Whether a line is the comment of the entry whose heading stands above it. */
function isOwnComment(text: MemoryText, index: number): boolean {
  const line = text.lines[index];
  if (line === undefined || text.lines[index - 1]?.kind !== "heading") return false;
  return parseEntryComment(line.text) !== undefined;
}

interface Headings {
  readonly gone: LinesGone;
  readonly candidates: ReadonlySet<number>;
  readonly keys: ReadonlySet<string>;
  readonly kept: number | undefined;
}

/** Headings below which nothing stays, the last first, so that of several with one text that MEMORY.md lacks the first stays. */
function addHeadings(text: MemoryText, { gone, candidates, keys, kept }: Headings): void {
  const left = countHeadings(text);
  // Whether something stays between here and the next heading of this level or above.
  const stays = new Uint8Array(7);
  for (let index = text.lines.length - 1; index >= 0; index--) {
    const line = text.lines[index];
    if (line === undefined || gone.has(index) || isBlank(line)) continue;
    if (line.kind !== "heading") {
      if (index === kept || !isOwnComment(text, index)) stays.fill(1);
      continue;
    }
    const key = keyOf(line);
    const others = (left.get(key) ?? 0) - 1;
    const isSaid = keys.has(key) || (line.level <= 3 && key !== "" && others > 0);
    const goes = candidates.has(index) && stays[line.level] === 0 && isSaid;
    stays.fill(0, line.level);
    if (!goes) {
      stays.fill(1, 0, line.level);
      continue;
    }
    left.set(key, others);
    gone.add(index);
    if (isOwnComment(text, index + 1)) gone.add(index + 1);
  }
}

function countHeadings(text: MemoryText): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.lines)
    if (line.kind === "heading") counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1);
  return counts;
}

/** Blank lines behind what goes, when a blank line, a heading or nothing would stand above them. */
function addBlanks(note: NoteText, gone: LinesGone, kept: number | undefined): void {
  let above: "nothing" | "blank" | "heading" | "text" = "nothing";
  let isBehind = false;
  const own = firstOwnLine(note);
  for (const [index, line] of note.text.lines.entries()) {
    if (gone.has(index)) isBehind = true;
    else if (isBehind && above !== "text" && isBlank(line) && line.part === "free" && index >= own && index !== kept)
      gone.add(index);
    else {
      above = isBlank(line) ? "blank" : line.kind === "heading" ? "heading" : "text";
      isBehind = false;
    }
  }
}

function actionsOf({ note, matches }: NoteCut, gone: LinesGone, bytes: number): readonly EditAction[] {
  const left = new Set(gone);
  const actions = matches.flatMap(({ section, likeness }): readonly EditAction[] => {
    const own: number[] = [];
    for (let index = section.from; index < section.to; index++) if (left.delete(index)) own.push(index);
    if (own.length === 0) return [];
    const { count, ...figures } = describeGone(note.text, own);
    const heading = shownHeading(note.text, section);
    const message = `${count} ${count === 1 ? "line" : "lines"} of the section "${heading}" that MEMORY.md has too go (similarity ${likeness.similarity.toFixed(3)}).`;
    return [{ kind: "remove_section", ...figures, message }];
  });
  // The line end of what becomes the last line.
  const rest = bytes - actions.reduce((sum, action) => sum + action.bytes, 0);
  const last = actions.at(-1);
  return last === undefined ? actions : [...actions.slice(0, -1), { ...last, bytes: last.bytes + rest }];
}
