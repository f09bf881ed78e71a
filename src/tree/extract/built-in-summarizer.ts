import { isPreserved, lastOfEachId, parseEntryComment, standingOf, topicKey } from "../../base/memory-type.ts";
import type { Passage, SourceSection, VerbatimLine } from "../../base/passage.ts";
import { type ReadSection, transcript, withoutPasted } from "./conversation.ts";
import { isTurn } from "../../text/extract/said.ts";
import { mergeRefs, type Ref } from "../../base/refs.ts";
import { isEphemeral, type KeptLine, withoutNoise, wordForWord } from "../../text/extract/noise.ts";
import { itemsIn, progressOf, withColon, withoutAttempts, withoutEphemeral } from "./items.ts";
import { countTerms, keywordsOf, entitiesOf } from "../../text/extract/keywords.ts";
import { isLongNote, notes } from "./long-notes.ts";
import { detailsOf, isNamed, keyedTopic, nameOf, passageOf, refOf, saidIn, withKeywords } from "./passages.ts";
import { tidy } from "../../text/extract/sentences.ts";
import { contentWords } from "../../text/extract/words.ts";

/**
 * Extracts every passage worth keeping, with one `topic` passage per topic. Deterministic, and every line has its
 * source lines. Handles structured entries, free notes and transcripts in any script.
 */
export function extractPassages(sections: readonly SourceSection[]): readonly Passage[] {
  const given = namesGiven(sections);
  return read(sections).flatMap((one) => withFreeName(passagesOf(one), one, given));
}

function read(sections: readonly SourceSection[]): readonly ReadSection[] {
  return withoutPasted(eachOnce(sections));
}

/** A heading pasted into a conversation is no better as a topic name than the words in the text. */
function passagesOf({ section, heading }: ReadSection): readonly Passage[] {
  const passages = extractSection(asItCounts(section));
  if (heading === "given") return passages;
  return passages.map((passage) => (passage.role === "topic" ? { ...passage, naming: "found" } : passage));
}

function namesGiven(sections: readonly SourceSection[]): ReadonlySet<string> {
  return new Set(sections.filter(isNamed).map(({ topic }) => topicKey(topic)));
}

/**
 * A topic found in a note must not share the name of a topic from a heading, or the two would be mistaken for one. It
 * gets its next best word instead.
 */
function withFreeName(
  passages: readonly Passage[],
  { section }: Pick<ReadSection, "section">,
  given: ReadonlySet<string>,
): readonly Passage[] {
  if (isNamed(section)) return passages;
  const names = new Map<string, string>();
  for (const { role, topic, text } of passages) {
    const other = text.split(", ").find((word) => word !== "" && !given.has(topicKey(word)));
    if (role === "topic" && other !== undefined && given.has(topicKey(topic))) names.set(topic, other);
  }
  return passages.map((passage) => {
    const topic = names.get(passage.topic);
    if (topic === undefined) return passage;
    if (passage.role !== "topic") return { ...passage, topic };
    const words = passage.text.split(", ");
    const at = words.indexOf(topic);
    return { ...passage, topic, text: words.toSpliced(at, 1).join(", "), scores: passage.scores?.toSpliced(at, 1) };
  });
}

/** The comment below the heading records who wrote the entry. */
function asItCounts(section: SourceSection): SourceSection {
  return { ...section, ...standingOf(section.type, parseEntryComment(section.lines[1]?.text ?? "")?.origin) };
}

function eachOnce(sections: readonly SourceSection[]): readonly SourceSection[] {
  return lastOfEachId(sections, (section) => parseEntryComment(section.lines[1]?.text ?? "")?.id);
}

/** Every passage worth keeping in one section of a raw log; `[]` if there is none. */
export function extractSection(section: SourceSection): readonly Passage[] {
  if (!isPreserved(section.type) && isEphemeral(section.heading)) return [];
  const body =
    section.heading === ""
      ? section.lines.filter((line) => line.kind !== "heading" || !/^\s*#{1,2}(?:\s|$)/u.test(line.text))
      : section.lines.slice(bodyStart(section));
  const kept = withoutNoise(body).filter((line) => line.text.trim() !== "");
  if (isSnapshot(section.topic)) return openItems(section, kept);
  const words = isPreserved(section.type) ? wordForWord(body) : kept;
  if (words.length === 0 && section.topic === "") return [];
  if (section.topic === rootHeading) return fromRoot(section, kept);
  if (isPreserved(section.type)) return preservedEntry(section, words, kept);
  if (kept.some((line) => isTurn(line.text))) return transcript(section, kept);
  const lasting = withoutEphemeral(kept);
  // An entry that contains only ephemeral notes names no topic.
  return lasting.length === 0 && kept.length > 0 ? [] : entry(section, lasting);
}

function isSnapshot(topic: string): boolean {
  return topic === "Working State Snapshot";
}

function bodyStart(section: SourceSection): number {
  return section.lines[0]?.kind === "heading" ? 1 : 0;
}

/** `words`: every line; `kept`: the lines that keywords are taken from. */
function preservedEntry(
  section: SourceSection,
  words: readonly KeptLine[],
  kept: readonly KeptLine[],
): readonly Passage[] {
  const heading: VerbatimLine = { text: `${section.topic} [${section.tag ?? section.type}]`, ref: headingRef(section) };
  const lines = [
    heading,
    ...words.map((line): VerbatimLine => ({ text: withoutHeading(line.text), ref: refOf(section, line) })),
  ];
  const refs = mergeRefs(lines.map((line) => line.ref).filter((ref) => ref !== undefined));
  const counts = countTerms(
    kept.map((line) => ({
      text: line.text.replace(/^\s*[-*]\s*\**(?:rule|why|how[- ]to[- ]apply)\**:?\**/iu, ""),
      weight: 1,
    })),
  );
  return [
    keyedTopic(section, section.topic, counts),
    { ...passageOf(section, "preserved", section.topic), lines, refs, weight: 10 },
  ];
}

/** Escapes a line inside a fence that would otherwise end the entry in a summary. */
function withoutHeading(text: string): string {
  return /^#{1,2}\s/u.test(text) ? `\\${text}` : text;
}

function headingRef(section: SourceSection): Ref | undefined {
  const first = section.lines[0];
  return first?.kind === "heading" ? refOf(section, first) : undefined;
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

/** An entry or a free note: its topic, or the topics found in it, with details. */
function entry(section: SourceSection, lines: readonly KeptLine[]): readonly Passage[] {
  const kept = lines.map(withColon);
  const items = withoutAttempts(itemsIn(section, kept));
  const entities = entitiesOf(section, kept);
  if (isLongNote(section)) {
    const found = notes(section, items);
    if (found.length > 0) return [...found, ...entities];
  }
  const stated = items.filter(({ text }) => !/[?？]\s*$/u.test(text));
  const counts = countTerms((stated.length > 0 ? stated : items).map(saidIn));
  const named = isNamed(section);
  const topic = named ? section.topic : nameOf(counts) || section.topic;
  if (topic === "") return [];
  const progress = progressOf(
    section.heading,
    kept.map((line) => line.text),
  );
  const naming = named ? "given" : "found";
  const details = detailsOf(section, items, { topic, progress });
  const told = section.type === "reference" ? pointerOnly(details) : details.filter((passage) => passage.text !== "");
  return [{ ...keyedTopic(section, topic, counts), progress, naming }, ...told, ...entities];
}

/** A reference with a URL or a path is reduced to that line and one line of description. */
function pointerOnly(details: readonly Passage[]): readonly Passage[] {
  const told = details.filter(({ text }) => text !== "");
  const pointer = told.find(({ text }) => /https?:\/\/|→|\/\w/u.test(text));
  if (pointer === undefined) return told;
  return [pointer, ...told.filter((passage) => passage !== pointer).slice(0, 1)];
}

/** The raw log heading for lines that a person added to ROOT.md. */
export const rootHeading = "From ROOT.md";

/** Each line that a person added to ROOT.md becomes a topic of its own. */
function fromRoot(section: SourceSection, kept: readonly KeptLine[]): readonly Passage[] {
  return kept.flatMap((line): readonly Passage[] => {
    const text = line.text.replace(/^\s*(?:\\?[-*+#]+)\s+/u, "");
    const [, name = "", value = ""] = /^([^[\]]+?)\s*(?:\[[^\]]*\])?\s*(?::\s+|：\s*)(\S.*)$/u.exec(text) ?? [];
    const said = text.replace(/\s*\[[^\]]*\]\s*$/u, "");
    const bare = said.replaceAll(address, " ").replaceAll(/\s+/gu, " ").trim();
    const words = contentWords(bare).map((word) => word.shown);
    const topic = nameOfLine(name || (bare.length <= 40 ? bare : words.slice(0, 3).join(" ")) || said);
    const refs = [refOf(section, line)];
    const head: Passage = {
      ...withKeywords(passageOf(section, "topic", topic), keywordsOf([{ text, weight: 1 }], topic)),
      refs,
      weight: 6,
    };
    if (isPreserved(section.type)) {
      const lines = [
        { text: `${topic} [${section.type}]`, ref: undefined },
        { text: line.text, ref: refs[0] },
      ];
      return [head, { ...passageOf(section, "preserved", topic), lines, refs, weight: 10 }];
    }
    const told = tidy(name === "" || name.includes("://") ? said : value);
    return [
      { ...head, text: tidy(value || head.text), scores: undefined },
      { ...passageOf(section, "note", topic), text: told, refs, weight: 4 },
    ];
  });
}

const address = /https?:\/\/[^\s<>()[\]"'`]+/gu;

/** A name of at most 80 characters. A URL is named by its host. */
function nameOfLine(name: string): string {
  const host = /^https?:\/\/([^\s/?#]+)\S*$/u.exec(name.trim())?.[1];
  return Array.from(host ?? name)
    .slice(0, 80)
    .join("")
    .trim();
}
