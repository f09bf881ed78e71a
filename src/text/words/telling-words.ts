import { isAscii } from "./scripts.ts";
import { isCourtesy, isGoAhead, isOfSaying, withoutCourtesy, withoutSayings } from "./courtesy.ts";
import { termsOfQuery } from "./query.ts";
import type { QueryWord } from "./terms.ts";

/** A message of more words is none that only thanks or agrees. */
const mostOfGoAhead = 40;

/** The words of a message that tell what it is about, in their order; none of one that only greets, thanks, agrees or says to go on. */
export function tellingWords(message: string): readonly QueryWord[] {
  const words = termsOfQuery(withoutCourtesy(message)).filter(isTelling);
  if (words.length > mostOfGoAhead) return words;
  // One such word is left whatever sayings are taken out; to read the message once more takes longer than all else here. What is written without spaces may have been cut.
  if (words.some(({ word }) => isAscii(word) && !isOfSaying(word) && !isGoAhead(word))) return words;
  const rest = termsOfQuery(withoutSayings(message));
  return rest.every((word) => !isTelling(word) || isGoAhead(word.word)) ? [] : words;
}

function isTelling({ word, carries }: QueryWord): boolean {
  return carries === "much" && !isCourtesy(word);
}
