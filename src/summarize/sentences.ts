/** Characters of a line of a summary. */
export const longestText = 220;

/** One line: markup and spaces folded, cut at a word with an ellipsis. Never cuts a character in two. */
export function tidy(text: string, most: number = longestText): string {
  const flat = !/[*_`\p{Cc}]|\s\s|[^\S ]/u.test(text)
    ? text.trim()
    : text
        .replaceAll(/\*\*|__|`/gu, "")
        .replaceAll(/[\p{Cc}\s]+/gu, " ")
        .trim();
  if (flat.length <= most) return flat;
  const characters = Array.from(flat.slice(0, most * 2));
  const cut = characters.slice(0, most - 1).join("");
  const space = cut.lastIndexOf(" ");
  return `${(space > most * 0.6 ? cut.slice(0, space) : cut).replace(/[\s,;:–—-]+$/u, "")}…`;
}

/** The sentences of a text: ends at `.`, `!`, `?` before a space, and at the full stops of Chinese and Japanese. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?…]["”')\]]?)\s+(?=[\p{Lu}\p{Lo}\p{N}"“'(])|(?<=[。！？])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}
