import { parseEntryComment } from "../../base/memory-type.ts";
import type { SourceSection } from "../../base/passage.ts";
import { isIdLike } from "./topic-passage.ts";
import { isTurn } from "./transcript.ts";

/** A section, and whether its heading names a topic or was pasted into a conversation. */
export interface ReadSection {
  readonly section: SourceSection;
  readonly heading: "given" | "pasted";
}

/**
 * Sections with those joined that one conversation was torn into by headings pasted into it. Behind a conversation of the same log, a section that nobody
 * typed or logged belongs to it when the talk goes on below its heading; when nothing more is said, it stands for itself under a heading that
 * names nothing for sure. An entry in items with keys is always one of its own.
 */
export function withoutPasted(sections: readonly SourceSection[]): readonly ReadSection[] {
  const read: ReadSection[] = [];
  for (let index = 0; index < sections.length; index++) {
    const section = sections[index] as SourceSection;
    if (!isConversation(section)) {
      read.push({ section, heading: "given" });
      continue;
    }
    let behind = index + 1;
    while (behind < sections.length && mayBePasted(section, sections[behind] as SourceSection)) behind += 1;
    const pasted = sections.slice(index + 1, behind);
    const last = pasted.findLastIndex(goesOn);
    const joined = pasted.slice(0, last + 1);
    const lines = [section, ...joined].flatMap((one) => one.lines);
    read.push({ section: joined.length === 0 ? section : { ...section, lines }, heading: "given" });
    for (const one of pasted.slice(last + 1)) read.push({ section: one, heading: "pasted" });
    index = behind - 1;
  }
  return read;
}

function isConversation(section: SourceSection): boolean {
  return (section.topic === "" || isIdLike(section.topic)) && section.lines.some(({ text }) => isTurn(text));
}

function mayBePasted(conversation: SourceSection, section: SourceSection): boolean {
  return (
    section.log === conversation.log &&
    section.tagged === "untagged" &&
    hasOwnHeading(section) &&
    parseEntryComment(section.lines[1]?.text ?? "") === undefined &&
    !isTurn(section.lines.slice(1).find(({ text }) => text.trim() !== "")?.text ?? "") &&
    !section.lines.some(({ text }) => keyedItem.test(text))
  );
}

/** A heading that is neither a conversation's nor the date of the log. */
function hasOwnHeading(section: SourceSection): boolean {
  const first = section.lines[0];
  if (section.topic !== "") return !isIdLike(section.topic);
  return first?.kind === "heading" && !/^#\s+\d{4}-\d\d-\d\d\s*$/u.test(first.text);
}

/** As entries are written: `- decisions: …`, `1. status: …`. */
const keyedItem =
  /^\s*(?:[-*+]|\d{1,9}[.)])\s+\**(?:request|decisions?|outcome|status|open|lessons?|result|todo|rule|why|how-to-apply)\**\s*:/iu;

function goesOn(section: SourceSection): boolean {
  return section.lines.some(({ text }) => isTurn(text));
}
