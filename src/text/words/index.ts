export { isFunctionWord } from "./function-words.ts";
export { partsOf, termsOfText, type TextTerms } from "./parts.ts";
export { tellingWords } from "./telling-words.ts";
export { termsOfBeginning, termsOfPhrase, termsOfQuery } from "./query.ts";
export type { QueryWord, Term, Weighted } from "./terms.ts";
