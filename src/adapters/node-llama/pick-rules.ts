import { literal } from "./literals.ts";

export interface Picking {
  readonly least: number;
  readonly most: number;
  /** Stands before each but the first. */
  readonly between: string;
}

/**
 * Rules for at least so many and at most so many of some texts, each at most once, in their order: an automaton of the next text and how many are chosen. It is
 * recursive at its end only, and each choice has one way through it, so that following it costs no more than there are texts. `start` names its first rule.
 */
export function pickRules(
  name: string,
  texts: readonly string[],
  picking: Picking,
): { readonly start: string; readonly rules: readonly string[] } {
  const most = Math.min(picking.most, texts.length);
  const least = Math.max(1, Math.min(picking.least, most));
  const rules = texts.map((text, at) => `${name}${at} ::= ${literal(text)}`);
  const seen = new Set<string>();
  /** The rule that chooses one at or behind `at`, when `chosen` are chosen. */
  const from = (at: number, chosen: number): string => {
    const state = `${name}${at}c${chosen}`;
    if (seen.has(state)) return state;
    seen.add(state);
    const before = chosen === 0 || picking.between === "" ? "" : `${literal(picking.between)} `;
    const isEnd = chosen + 1 === most || at + 1 === texts.length;
    const more = isEnd ? "" : ` ${from(at + 1, chosen + 1)}${chosen + 1 >= least ? "?" : ""}`;
    const isLast = texts.length - (at + 1) < Math.max(1, least - chosen);
    const later = isLast ? "" : ` | ${from(at + 1, chosen)}`;
    rules.push(`${state} ::= ${before}${name}${at}${more}${later}`);
    return state;
  };
  return { start: from(0, 0), rules };
}
