import { isPreserved, type Topic } from "../base/memory-type.ts";
import type { Passage, Role, SourceSection, VerbatimLine } from "../base/passage.ts";
import { mergeRefs, type Ref } from "../base/refs.ts";
import { isEphemeral, withoutNoise, wordForWord, type KeptLine } from "./exclude.ts";
import { entitiesOf } from "./entities.ts";
import { progressOf } from "./progress.ts";
import { tidy } from "./sentences.ts";
import { fromRoot, rootHeading } from "./from-root.ts";
import { passageOf, refOf } from "./passage-of.ts";
import { isTurn, saidByPerson } from "./transcript.ts";
import { contentWords, WordCounts } from "./words.ts";

/** Everything worth telling in one section of a raw log; `[]` when it has nothing. */
export function extractSection(section: SourceSection): readonly Passage[] {
  if (!isPreserved(section.type) && isEphemeral(section.heading)) return [];
  const body =
    section.heading === ""
      ? section.lines.filter((line) => line.kind !== "heading")
      : section.lines.slice(bodyStart(section));
  const kept = withoutNoise(body).filter((line) => line.text.trim() !== "");
  if (isSnapshot(section.topic)) return openItems(section, kept);
  const words = isPreserved(section.type) ? wordForWord(body) : kept;
  if (words.length === 0 && section.topic === "") return [];
  if (section.topic === rootHeading) return fromRoot(section, kept);
  if (isPreserved(section.type)) return preservedEntry(section, words, kept);
  if (kept.some((line) => isTurn(line.text))) return transcript(section, kept);
  return entry(section, withoutEphemeral(kept));
}

/** The topics that `extractSection` would name. A heading that names one is enough where the entry says anything. */
export function topicsOfSection(section: SourceSection): readonly Topic[] {
  const named =
    section.topic !== "" && !isIdLike(section.topic) && !isSnapshot(section.topic) && section.topic !== rootHeading;
  if (named && (isPreserved(section.type) || !section.lines.some((line) => isEphemeral(line.text))))
    return [{ name: section.topic, type: section.type }];
  const passages = extractSection(section).filter((passage) => passage.role === "topic");
  return passages.map((passage) => ({ name: passage.topic, type: passage.type }));
}

function isSnapshot(topic: string): boolean {
  return topic === "Working State Snapshot";
}

function bodyStart(section: SourceSection): number {
  return section.lines[0]?.kind === "heading" ? 1 : 0;
}

/** The list items and paragraphs without those that carry an ephemeral marker. */
function withoutEphemeral(lines: readonly KeptLine[]): readonly KeptLine[] {
  const groups: KeptLine[][] = [];
  for (const line of lines) {
    const last = groups.at(-1)?.at(-1);
    if (last === undefined || isItem(line.text) || line.number > last.to + 1) groups.push([line]);
    else groups.at(-1)?.push(line);
  }
  return groups.filter((group) => !group.some((line) => isEphemeral(line.text))).flat();
}

function isItem(text: string): boolean {
  return /^\s*(?:[-*+]|\d+[.)])\s/u.test(text);
}

/** A topic with its keywords; the refs are the section from its first to its last line. */
function topicPassage(section: SourceSection, topic: string, counts: WordCounts): Passage {
  const own = new Set(contentWords(topic).map((word) => word.key));
  const keywords = counts.top(10, own).map((word) => word.shown.replaceAll(/[,:()[\]]/gu, " ").trim());
  const said = section.lines.filter((line) => line.text.trim() !== "");
  const [first, last] = [said[0] ?? section.lines[0], said.at(-1) ?? section.lines.at(-1)];
  const refs = [{ log: section.log, from: first?.number ?? 0, to: last?.number ?? 0 }];
  return {
    ...passageOf(section, "topic", topic),
    text: keywords.join(", "),
    refs,
    weight: 1 + Math.log2(1 + section.lines.length) / 4,
  };
}

/** `words`: every line; `kept`: those that the keywords are taken from. */
function preservedEntry(
  section: SourceSection,
  words: readonly KeptLine[],
  kept: readonly KeptLine[],
): readonly Passage[] {
  const heading: VerbatimLine = { text: `${section.topic} [${section.type}]`, ref: headingRef(section) };
  const lines = [
    heading,
    ...words.map((line): VerbatimLine => ({ text: withoutHeading(line.text), ref: refOf(section, line) })),
  ];
  const refs = mergeRefs(lines.map((line) => line.ref).filter((ref) => ref !== undefined));
  const counts = new WordCounts();
  for (const line of kept)
    counts.add(contentWords(line.text.replace(/^\s*[-*]\s*\**(?:rule|why|how[- ]to[- ]apply)\**:?\**/iu, "")), 1);
  return [
    topicPassage(section, section.topic, counts),
    { ...passageOf(section, "preserved", section.topic), lines, refs, weight: 10 },
  ];
}

/** A line of a fence that would end the entry in a summary is escaped, as in an entry that is appended. */
function withoutHeading(text: string): string {
  return /^#{1,2}\s/u.test(text) ? `\\${text}` : text;
}

function headingRef(section: SourceSection): Ref | undefined {
  const first = section.lines[0];
  return first?.kind === "heading" ? refOf(section, first) : undefined;
}

const keyed = /^\s*[-*+]\s+(?:\*\*)?([\p{L}][\p{L}\p{N} _-]{0,24}?)(?:\*\*)?\s*[:：]\s*(?:\*\*)?\s*(.+)$/u;
const roleOfKey: readonly (readonly [RegExp, Role])[] = [
  [/^(?:decisions?|decided|chose|결정|決定|决定)$/iu, "decision"],
  [/^(?:outcomes?|results?|status|done|completed|결과|상태|結果|状態|状态)$/iu, "done"],
  [/^(?:lessons?(?: learned)?|learned|insights?|교훈|教訓|学び)$/iu, "lesson"],
  [/^(?:open(?: items?)?|todo|next(?: steps?)?|pending|questions?|blocked|미해결|할 일|未解決|課題)$/iu, "open"],
];

function roleOf(
  section: SourceSection,
  text: string,
): { readonly role: Role; readonly text: string; readonly weight: number } {
  const box = !text.includes("[") ? null : /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]\s+(.*)$/u.exec(text);
  if (box !== null) return { role: box[1] === " " ? "open" : "done", text: box[2] ?? "", weight: 2 };
  const match = /[:：]/u.test(text) ? keyed.exec(text) : null;
  const role = match === null ? undefined : roleOfKey.find(([pattern]) => pattern.test(match[1] ?? ""))?.[1];
  if (role !== undefined) return { role, text: match?.[2] ?? "", weight: role === "decision" ? 3 : 2.5 };
  return {
    role: "note",
    text: text.replace(/^\s*(?:[-*+]|\d+[.)])\s+/u, ""),
    weight: section.type === "reference" ? 2 : 1,
  };
}

function entry(section: SourceSection, kept: readonly KeptLine[]): readonly Passage[] {
  const found = detailsOf(section, kept);
  const counts = new WordCounts();
  for (const detail of found) counts.add(contentWords(detail.text), 1);
  const topic = section.topic === "" || isIdLike(section.topic) ? nameFrom(counts) : section.topic;
  if (topic === "") return [];
  const progress = progressOf(
    section.heading,
    kept.map((line) => line.text),
  );
  const details = found.map((detail): Passage => ({ ...detail, topic, progress }));
  const told = section.type === "reference" ? pointerOnly(details) : details.filter((passage) => passage.text !== "");
  return [{ ...topicPassage(section, topic, counts), progress }, ...told, ...entitiesOf(section, kept)];
}

/** The items as passages; items below a bare `- open:` have its role. */
function detailsOf(section: SourceSection, kept: readonly KeptLine[]): readonly Passage[] {
  let group: { readonly indent: number; readonly role: Role } | undefined;
  return itemsOf(kept).flatMap((item): readonly Passage[] => {
    const indent = item.text.search(/\S/u);
    if (group !== undefined && indent <= group.indent) group = undefined;
    const bare = !/[:：]\s*$/u.test(item.text)
      ? null
      : /^\s*[-*+]\s+(?:\*\*)?([\p{L}][\p{L}\p{N} _-]{0,24}?)(?:\*\*)?\s*[:：]\s*$/u.exec(item.text);
    const opened = bare === null ? undefined : roleOfKey.find(([pattern]) => pattern.test(bare[1] ?? ""))?.[1];
    if (bare !== null) {
      group = opened === undefined ? group : { indent, role: opened };
      return [];
    }
    const own = roleOf(section, item.text);
    const { role, weight } = group !== undefined && own.role === "note" ? { role: group.role, weight: 2.5 } : own;
    const value = weight + (/\d/u.test(own.text) ? 0.3 : 0) + (/https?:\/\//u.test(own.text) ? 0.5 : 0);
    return [{ ...passageOf(section, role, ""), text: tidy(own.text), refs: [refOf(section, item)], weight: value }];
  });
}

/** Of a reference: the line with the URL, or the first one. */
function pointerOnly(details: readonly Passage[]): readonly Passage[] {
  const pointer = details.find((passage) => /https?:\/\/|→|\/\w/u.test(passage.text)) ?? details[0];
  const described = details.find((passage) => passage !== pointer && passage.text !== "");
  return [pointer, described].filter((passage) => passage !== undefined);
}

/** List items with their continuation lines, and paragraphs. */
function itemsOf(lines: readonly KeptLine[]): readonly KeptLine[] {
  const items: KeptLine[] = [];
  let last = -1;
  for (const line of lines) {
    const open = items.at(-1);
    const continues =
      open !== undefined &&
      line.number === last + 1 &&
      !isItem(line.text) &&
      !line.text.startsWith("#") &&
      (/^\s/u.test(line.text) || !isItem(open.text));
    if (continues && open.text.length < 600)
      items[items.length - 1] = { number: open.number, to: line.to, text: `${open.text} ${line.text.trim()}` };
    else if (!/^\s*(?:#{1,6}\s|[-*_]{3,}\s*$|\|?[\s:|-]+\|?$)/u.test(line.text)) items.push(line);
    last = line.to;
  }
  return items;
}

/** Headings that only number a conversation. */
function isIdLike(topic: string): boolean {
  return /^(?:session|conversation|chat|thread|log)\b[\s:#-]*[\w-]*$/iu.test(topic) || /^[0-9a-f-]{8,}$/iu.test(topic);
}

function nameFrom(counts: WordCounts): string {
  return counts
    .top(2)
    .map((word) => word.shown.toLowerCase())
    .join(" ");
}

/** Sentences of one conversation that may compete for the space. */
const mostSaid = 16;

function transcript(section: SourceSection, kept: readonly KeptLine[]): readonly Passage[] {
  const said = saidByPerson(kept).filter((sentence) => !isEphemeral(sentence.text));
  const counts = new WordCounts();
  for (const sentence of said) counts.add(contentWords(sentence.text), 1);
  const topic = section.topic === "" || isIdLike(section.topic) ? nameFrom(counts) : section.topic;
  if (topic === "") return [];
  const best = said
    .filter((sentence) => sentence.value > 2.5)
    .toSorted((a, b) => b.value - a.value || a.number - b.number)
    .slice(0, mostSaid);
  const notes = best.map((sentence): Passage => ({
    ...passageOf(section, "note", topic),
    text: tidy(sentence.text),
    refs: [refOf(section, sentence)],
    weight: sentence.value / 3,
  }));
  return [topicPassage(section, topic, counts), ...notes];
}

function openItems(section: SourceSection, kept: readonly KeptLine[]): readonly Passage[] {
  return kept
    .filter((line) => /^\s*[-*] \[ \]/u.test(line.text))
    .map((line): Passage => ({
      ...passageOf(section, "open", ""),
      text: tidy(line.text.replace(/^\s*[-*] \[ \]/u, "")),
      refs: [refOf(section, line)],
    }));
}
