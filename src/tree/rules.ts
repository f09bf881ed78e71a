/** The rules that make bodies. An id changes whenever the rule would make other bytes of the same sources. */
export const copyRule = "copy-1";
export const concatRule = "concat-1";
export const rootRule = "root-1";
/** The body was written by somebody else and recorded. */
export const foreignRule = "foreign";

/** The rules that are in force when `summarizer` is the one that summarises. */
export function knownRules(summarizer: string): ReadonlySet<string> {
  return new Set([copyRule, concatRule, foreignRule, summarizer]);
}
