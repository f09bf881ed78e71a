/** A token that can be known by its own form: a fixed beginning and a tail of a known alphabet and length. */
export interface TokenShape {
  readonly kind: string;
  /** Literal beginnings, case-sensitive. */
  readonly starts: readonly string[];
  /** Source of what must stand before the beginning and belongs to the token. Without it a word boundary must. */
  readonly lead?: string;
  /** Source of the pattern that must follow the beginning. Every quantifier in it is bounded. */
  readonly tail: string;
  /** What the whole token must be besides: see `value.ts`. Default `unmasked`. */
  readonly must?: TokenTest;
}

/**
 * `any`: the form is enough. `unmasked`: no long run of one filler character. `digit`: unmasked, and a digit in the
 * tail. `random`: unmasked, well spread characters, no alphabet written out. `payload`: for tails of any length from a
 * floor on; two kinds of characters that change often, neither words nor a stand-in.
 */
export type TokenTest = "any" | "unmasked" | "digit" | "random" | "payload";
