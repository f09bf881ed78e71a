import type { SectionMatch } from "../checks/redundant-sections.ts";
import type { Edit, EditAction } from "../model/finding.ts";
import { isBlank, isOwnComment, keyOf, type NoteText, firstOwnLine } from "../model/memory-text.ts";
import { shownHeading } from "../model/shown-text.ts";
import { cutEdit, cutLines, describeGone, type LinesGone } from "./compress-memory.ts";

interface NoteCut {
  readonly note: NoteText;
  /** Sections in the note that repeat MEMORY.md. */
  readonly matches: readonly SectionMatch[];
  /** The keys of MEMORY.md's lines. */
  readonly keys: ReadonlySet<string>;
}

/** Removes lines that MEMORY.md also has from these sections in a note: docs/formats/audit.md, "Redundant sections". `undefined` if nothing can be removed. */
export function cutNote(cut: NoteCut): Edit | undefined {
  const { text } = cut.note;
  const gone = linesGone(cut);
  const spans = cutLines(text, firstOwnLine(cut.note), gone);
  return spans === undefined ? undefined : cutEdit(text, spans, actionsOf(cut, gone));
}

function linesGone(cut: NoteCut): LinesGone {
  const { note, matches, keys } = cut;
  const { text } = note;
  const gone: LinesGone = new Set();
  const candidates = new Set<number>();
  for (const { section } of matches) {
    for (let index = section.from; index < section.to; index++) {
      const line = text.lines[index];
      if (line === undefined || line.part !== "free") continue;
      if (line.kind === "heading") candidates.add(index);
      else if (!isOwnComment(text, index) && keys.has(keyOf(line))) gone.add(index);
    }
  }
  addHeadings(cut, gone, candidates);
  if (gone.size > 0) addBlanks(note, gone);
  return gone;
}

/** Adds headings with nothing left below them. Starts at the last one, so that the first of several equal headings stays if MEMORY.md does not have it. */
function addHeadings({ note, keys }: NoteCut, gone: LinesGone, candidates: ReadonlySet<number>): void {
  const { text } = note;
  const headings = text.lines.filter(({ kind }) => kind === "heading").map(keyOf);
  const left = new Map<string, number>();
  for (const key of headings) left.set(key, (left.get(key) ?? 0) + 1);
  // By level: whether anything stays before the next heading of this level or above.
  const stays = new Uint8Array(7);
  for (let index = text.lines.length - 1; index >= 0; index--) {
    const line = text.lines[index];
    if (line === undefined || gone.has(index) || isBlank(line)) continue;
    if (line.kind !== "heading") {
      if (!isOwnComment(text, index)) stays.fill(1);
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

/** Adds blank lines after removed lines if they would follow another blank line or the start of the file. */
function addBlanks(note: NoteText, gone: LinesGone): void {
  let isFree = true;
  let isAfterGone = false;
  const own = firstOwnLine(note);
  for (const [index, line] of note.text.lines.entries()) {
    if (gone.has(index)) isAfterGone = true;
    else if (isAfterGone && isFree && isBlank(line) && line.part === "free" && index >= own) gone.add(index);
    else [isFree, isAfterGone] = [isBlank(line), false];
  }
}

function actionsOf({ note: { text }, matches }: NoteCut, gone: LinesGone): readonly EditAction[] {
  return matches.flatMap(({ section, likeness }): readonly EditAction[] => {
    const { from, to } = section;
    const own = Array.from({ length: to - from }, (_, at) => from + at).filter((index) => gone.has(index));
    if (own.length === 0) return [];
    const count = own.flatMap((index) => text.lines[index] ?? []).filter((line) => !isBlank(line)).length;
    const what = `${count} ${count === 1 ? "line is" : "lines are"} removed from the section "${shownHeading(text, section)}"`;
    const message = `${what}, since MEMORY.md already has ${count === 1 ? "it" : "them"} (similarity of the section: ${likeness.similarity.toFixed(3)}).`;
    return [{ kind: "remove_section", ...describeGone(text, own), message }];
  });
}
