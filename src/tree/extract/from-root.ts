import { isPreserved } from "../../base/memory-type.ts";
import type { Passage, SourceSection } from "../../base/passage.ts";
import type { KeptLine } from "../../text/extract/noise.ts";
import { keywordsOf } from "../../text/extract/keywords.ts";
import { passageOf, refOf } from "./passage-of.ts";
import { tidy } from "../../text/extract/sentences.ts";
import { withKeywords } from "./topic-passage.ts";
import { contentWords } from "../../text/extract/words.ts";

/** Where lines that a person had added to ROOT.md are kept in the raw log. */
export const rootHeading = "From ROOT.md";

/** A person's lines from ROOT.md: each is a topic of its own, as it was there. */
export function fromRoot(section: SourceSection, kept: readonly KeptLine[]): readonly Passage[] {
  return kept.flatMap((line): readonly Passage[] => {
    const text = line.text.replace(/^\s*(?:\\?[-*+#]+)\s+/u, "");
    const match = /^([^[\]]+?)\s*(?:\[[^\]]*\])?\s*(?::\s+|：\s*)(\S.*)$/u.exec(text);
    const refs = [refOf(section, line)];
    const said = text.replace(/\s*\[[^\]]*\]\s*$/u, "");
    const bare = said.replaceAll(address, " ").replaceAll(/\s+/gu, " ").trim();
    const words = contentWords(match === null ? bare : text).map((word) => word.shown);
    const short = bare.length <= 40 ? bare : words.slice(0, 3).join(" ");
    const topic = nameOfLine(match?.[1] ?? (short || said));
    const told = tidy(match === null || match[1]?.includes("://") === true ? said : (match[2] ?? ""));
    const lines = [
      { text: `${topic} [${section.type}]`, ref: undefined },
      { text: line.text, ref: refs[0] },
    ];
    if (isPreserved(section.type))
      return [
        {
          ...withKeywords(passageOf(section, "topic", topic), keywordsOf([{ text, weight: 1 }], topic)),
          refs,
          weight: 6,
        },
        { ...passageOf(section, "preserved", topic), lines, refs, weight: 10 },
      ];
    return [
      {
        ...passageOf(section, "topic", topic),
        text: tidy(
          match?.[2] ??
            keywordsOf([{ text, weight: 1 }], topic)
              .map(({ shown }) => shown)
              .join(", "),
        ),
        refs,
        weight: 6,
      },
      { ...passageOf(section, "note", topic), text: told, refs, weight: 4 },
    ];
  });
}

const address = /https?:\/\/[^\s<>()[\]"'`]+/gu;

/** A name of at most 80 characters; an address is called by its host. */
function nameOfLine(name: string): string {
  const host = /^https?:\/\/([^\s/?#]+)\S*$/u.exec(name.trim())?.[1];
  return Array.from(host ?? name)
    .slice(0, 80)
    .join("")
    .trim();
}
