import { listMark } from "../../base/markdown.ts";

/** Characters of a line of a summary. */
export const longestText = 220;

const opening = new RegExp(
  String.raw`^(?:\s*(?:${listMark}|\[[ xX]\]\s+|#{1,6}\s+|>\s+|\*\*(?:context|note|notes|summary|background|details?|info|참고|메모|備考|背景|说明|备注)\s*[:：]?\*\*\s*[:：]?\s*))+`,
  "iu",
);

/**
 * One line without the marks of a list, boxes, numbering and markup, spaces folded; cut at a clause or else at a word, with an ellipsis. Never cuts a
 * character in two.
 */
export function tidy(text: string, most: number = longestText): string {
  const said = /^\s*(?:[-*+>#[–—ー•·‣・･●○■□◆◇▪※]|\d)/u.test(text) ? text.replace(opening, "") : text;
  const flat = !/[*_`\p{Cc}]|\s\s|[^\S ]/u.test(said)
    ? said.trim()
    : said
        .replaceAll(/\*\*|__|`/gu, "")
        .replaceAll(/[\p{Cc}\s]+/gu, " ")
        .trim();
  return flat.length <= most ? flat : shortened(flat, most);
}

/** The end of a clause: behind its punctuation, before a space; behind the punctuation of scripts without spaces. */
const clauseEnd = /[.!?;:,،؛…)](?=\s)|\s[–—-](?=\s)|[。！？；、，]/gu;

function shortened(flat: string, most: number): string {
  const cut = Array.from(flat.slice(0, most * 2))
    .slice(0, most - 1)
    .join("");
  let clause = 0;
  for (const match of cut.matchAll(clauseEnd)) clause = match.index + match[0].length;
  const space = cut.lastIndexOf(" ");
  const end = clause > most * 0.7 ? clause : space > most * 0.6 ? space : wordEnd(cut, flat.slice(cut.length));
  return `${cut.slice(0, end).replace(/[\s,;:،、，–—-]+$/u, "")}…`;
}

/** Where the last whole word ends when no space is near: no run of letters of one script is cut, and no joined sign. */
function wordEnd(cut: string, rest: string): number {
  const joined = /(?:\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?\u200d)+$/u.exec(cut)?.[0];
  if (joined !== undefined) return cut.length - joined.length;
  const run =
    /(?:[\p{Script=Katakana}ー]+|[A-Za-z0-9._-]+|\p{L}\p{M}*|(?:\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?\u200d?)+)$/u.exec(
      cut,
    )?.[0] ?? "";
  const goesOn =
    /^(?:\p{M}|\u200d|\p{Emoji_Modifier})/u.test(rest) ||
    (/^[\p{Script=Katakana}ーA-Za-z0-9]/u.test(rest) && /[\p{Script=Katakana}ーA-Za-z0-9._-]$/u.test(run));
  return goesOn && run.length < 40 ? cut.length - run.length : cut.length;
}

const mayEndSentence = /[.!?…]["”')\]]?\s|[。！？]/u;

/** The sentences of a text: ends at `.`, `!`, `?` before a space, behind no abbreviation of a title or a first name and no German ordinal (`am 12. Juni`), and at the full stops of Chinese and Japanese. */
export function sentencesOf(text: string): readonly string[] {
  if (!mayEndSentence.test(text)) {
    const whole = text.trim();
    return whole === "" ? [] : [whole];
  }
  return text
    .split(
      /(?<=[.!?…]["”')\]]?)(?<!(?<![\p{L}\p{N}])(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|vs|No|Nr|\p{Lu})\.)(?<!(?<![\p{L}\p{N}])(?:[Vv]om|[Zz]um|[Bb]eim|[Dd]er|[Dd]em|[Dd]en|[Dd]es|[Ii]m) \d{1,2}\.)(?!\s+(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)(?!\p{L})(?<=\d\.\s+\p{L}+))\s+(?=[\p{Lu}\p{Lo}\p{N}"“'(])|(?<=[。！？])/u,
    )
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}
