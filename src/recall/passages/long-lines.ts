/** Ends of sentences of all scripts. */
const sentenceEnd = /[.!?…]["'”’)\]]*(?=\s)|[。！？]["'”’」』）)]*/gu;

/** A long line in pieces of at most about `most` characters: cut behind sentences, else at spaces, else between characters. Nothing but white space is lost. */
export function sentenceParts(text: string, most: number): readonly string[] {
  const ends = [...text.matchAll(sentenceEnd)].map((match) => match.index + match[0].length);
  const parts: string[] = [];
  let next = 0;
  for (let from = 0; from < text.length;) {
    let to = text.length;
    if (to - from > most) {
      while ((ends[next] ?? Number.POSITIVE_INFINITY) <= from + most / 4) next += 1;
      let end = 0;
      for (; (ends[next] ?? Number.POSITIVE_INFINITY) <= from + most; next++) end = ends[next] ?? 0;
      to = end > 0 ? end : placeAtSpace(text, from, from + most);
    }
    const part = text.slice(from, to).trim();
    if (part !== "") parts.push(part);
    from = to;
  }
  return parts;
}

function placeAtSpace(text: string, from: number, to: number): number {
  const space = text.slice(from, to).lastIndexOf(" ");
  if (space > (to - from) / 2) return from + space;
  const code = text.charCodeAt(to);
  // Never between the two halves of one character.
  return code >= 0xdc00 && code <= 0xdfff ? to + 1 : to;
}
