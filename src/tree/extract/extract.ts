import { isPreserved, type Topic } from "../../base/memory-type.ts";
import type { Passage, SourceSection, VerbatimLine } from "../../base/passage.ts";
import { mergeRefs, type Ref } from "../../base/refs.ts";
import { transcript } from "./conversation.ts";
import { entry } from "./entry.ts";
import { isEphemeral, withoutNoise, wordForWord, type KeptLine } from "../../text/extract/noise.ts";
import { fromRoot, rootHeading } from "./from-root.ts";
import { withoutEphemeral } from "./items.ts";
import { countTerms } from "../../text/extract/keywords.ts";
import { isLongNote } from "./notes.ts";
import { passageOf, refOf } from "./passage-of.ts";
import { tidy } from "../../text/extract/sentences.ts";
import { isNamed, keyedTopic } from "./topic-passage.ts";
import { isTurn } from "./transcript.ts";

/** Everything worth telling in one section of a raw log; `[]` when it has nothing. */
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
  // An entry of nothing but passing notes names no topic.
  return lasting.length === 0 && kept.length > 0 ? [] : entry(section, lasting);
}

/** The topics that `extractSection` would name. A heading that names one is enough where the entry says anything. */
export function topicsOfSection(section: SourceSection): readonly Topic[] {
  const named = isNamed(section) && !isSnapshot(section.topic) && section.topic !== rootHeading;
  const divided = !isPreserved(section.type) && isLongNote(section);
  if (named && !divided && (isPreserved(section.type) || !section.lines.some((line) => isEphemeral(line.text))))
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

/** `words`: every line; `kept`: those that the keywords are taken from. */
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

/** A line of a fence that would end the entry in a summary is escaped, as in an entry that is appended. */
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
