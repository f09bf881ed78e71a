/** What is quoted over more than this is no single saying. In characters. */
const longestQuote = 240;

/** Titles of persons, places and numbers, behind which the name comes, and initials of a name (`George R. R. Martin`). */
const goesOn =
  /(?<![\p{L}\p{N}.])(?:Drs?|Mrs?|Ms|Mx|Prof|St|Sra?|Sta|Dra|Hr|Mme|Mlle|Capt|Col|Gen|Lt|Sgt|Rev|Sen|Gov|Mt|Ft|Nr|vs|[Ee]\.g|[Ii]\.e|z\. ?B|d\. ?h|(?<=^|\p{Lu}[\p{L}.]+ )\p{Lu})\.$/u;
const pairs: readonly (readonly [string, string])[] = [
  ["「", "」"],
  ["『", "』"],
  ["“", "”"],
  ["(", ")"],
  ["（", "）"],
];

/** Pieces of a text that were cut too often, joined as they stood in it: linear but for the few that a quote can hold. */
export function wholeOnes(pieces: readonly string[], text: string): readonly string[] {
  const whole: string[] = [];
  let at = 0;
  for (let index = 0; index < pieces.length;) {
    const count = belonging(pieces, index);
    const from = text.indexOf(pieces[index] ?? "", at);
    for (const piece of pieces.slice(index, index + count)) at = text.indexOf(piece, at) + piece.length;
    whole.push(text.slice(from, at));
    index += count;
  }
  return whole;
}

function belonging(pieces: readonly string[], index: number): number {
  let count = 1;
  while (index + count < pieces.length && isGoingOn(pieces[index + count - 1] ?? "")) count += 1;
  const first = pieces.slice(index, index + count).join(" ");
  if (!isOpen(first)) return count;
  for (let text = first, more = count; text.length <= longestQuote && index + more < pieces.length;) {
    text += ` ${pieces[index + more]}`;
    more += 1;
    if (!isOpen(text)) return text.length <= longestQuote ? more : count;
  }
  return count;
}

/** What `goesOn` ends with, without what stands before: most sentences end otherwise, and to know that costs a tenth of the whole pattern. */
const mayGoOn =
  /(?:Drs?|Mrs?|Ms|Mx|Prof|St|Sra?|Sta|Dra|Hr|Mme|Mlle|Capt|Col|Gen|Lt|Sgt|Rev|Sen|Gov|Mt|Ft|Nr|vs|g|e|h|[A-Z]|[^\0-\x7f])\.$/;

function isGoingOn(piece: string): boolean {
  return piece.endsWith(".") && mayGoOn.test(piece.slice(-8)) && goesOn.test(piece);
}

const opens = /["「『“(（]/;

function isOpen(text: string): boolean {
  if (!opens.test(text)) return false;
  const of = (mark: string): number => text.split(mark).length - 1;
  return of('"') % 2 === 1 || pairs.some(([open, close]) => of(open) > of(close));
}
