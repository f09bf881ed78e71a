import { listFound, type SecretFound } from "./redact.ts";
import { replaceSpans, secretAt, type Span } from "./span.ts";
import { looksRandom } from "./value.ts";

/**
 * Known secret values. Once a value has been found by the name next to it, it is also found where it occurs alone. Values
 * are never written to disk. Only values that look random are learned: see `looksRandom`.
 */
export class SecretValues {
  /** All values, with their kinds. */
  readonly kinds = new Map<string, string>();
  /** Values by their first characters, longest first. */
  readonly #byHead = new Runs<readonly string[]>();

  get size(): number {
    return this.kinds.size;
  }

  /** Learns the values in `before` where `after`, the same lines redacted, has markers. */
  learn(before: string, after: string): void {
    if (before === after) return;
    const redacted = after.split("\n");
    for (const [index, line] of before.split("\n").entries()) {
      const clean = redacted[index] ?? line;
      if (clean === line) continue;
      for (const { value, kind } of takenOut(line, clean) ?? [])
        if (looksRandom(value.trim())) this.add(value.trim(), kind);
    }
  }

  addAll(other: Pick<SecretValues, "kinds">): void {
    for (const [value, kind] of other.kinds) this.add(value, kind);
  }

  /** The text with every value replaced by a marker; the same string if it contains none. */
  replaceIn(text: string): string {
    if (this.size === 0) return text;
    return replaceSpans(text, this.hits(text));
  }

  /** Where the values occur in a text. */
  find(text: string): readonly SecretFound[] {
    return listFound(text, this.hits(text));
  }

  /** Adds a value known to be a secret, even if it does not look random. */
  add(value: string, kind: string): void {
    if (this.kinds.has(value) || value.length < runLength) return;
    this.kinds.set(value, kind);
    const head = value.slice(0, runLength);
    const alike = [...(this.#byHead.get(head) ?? []), value];
    this.#byHead.set(
      head,
      alike.toSorted((a, b) => b.length - a.length),
    );
  }

  /** The values in a text, in order. */
  hits(text: string): readonly Span[] {
    const hits: Span[] = [];
    for (const [at, head] of this.#byHead.in(text)) {
      if (at < (hits.at(-1)?.end ?? 0)) continue;
      const value = this.#byHead.get(head)?.find((one) => text.startsWith(one, at) && isWhole(text, at, one));
      if (value !== undefined) hits.push(secretAt(at, at + value.length, this.kinds.get(value) ?? "secret"));
    }
    return hits;
  }
}

/** Shorter values and parts are ignored. */
const runLength = 5;

/** A map from runs of `runLength` characters. */
class Runs<T> extends Map<string, T> {
  /** Hashes of the beginnings of runs: a quick test that rejects most positions. */
  #begins: Uint8Array | undefined;

  override set(run: string, value: T): this {
    // Most maps stay empty.
    this.#begins ??= new Uint8Array(1 << 16);
    this.#begins[hashOf(run, 0)] = 1;
    return super.set(run, value);
  }

  /** Finds the runs in a text. */
  *in(text: string, from = 0): Iterable<readonly [at: number, run: string]> {
    const begins = this.#begins;
    for (let at = from; begins !== undefined && at + runLength <= text.length; at++) {
      if (begins[hashOf(text, at)] === 0) continue;
      const run = text.slice(at, at + runLength);
      if (this.has(run)) yield [at, run];
    }
  }
}

/** The hash of the three characters at `at`. */
function hashOf(text: string, at: number): number {
  return (text.charCodeAt(at) * 521 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & 0xffff;
}

/** Values up to this length are replaced only as whole words. */
const longestWord = 15;

function isWhole(text: string, at: number, value: string): boolean {
  if (value.length > longestWord) return true;
  const before = text.slice(Math.max(0, at - 1), at);
  const after = text.slice(at + value.length, at + value.length + 1);
  return !(isLetter(before) && isLetter(value.charAt(0))) && !(isLetter(after) && isLetter(value.slice(-1)));
}

function isLetter(char: string): boolean {
  return /^[\p{L}\p{N}]$/u.test(char);
}

const marker = /\[REDACTED:([a-z0-9-]+)\]/u;

/**
 * The values that the markers of a redacted line replaced; `undefined` if the lines differ in anything else. Values of
 * adjacent markers are unknown and omitted.
 */
export function takenOut(before: string, after: string): readonly Record<"value" | "kind", string>[] | undefined {
  const [first = "", ...rest] = after.split(marker);
  if (!before.startsWith(first)) return undefined;
  const taken: Record<"value" | "kind", string>[] = [];
  let at = first.length;
  for (let index = 0; index < rest.length; index += 2) {
    const kind = rest[index] ?? "";
    const literal = rest[index + 1] ?? "";
    const isLast = index + 2 >= rest.length;
    if (literal === "" && !isLast) continue;
    const end = isLast ? lastPlace(before, literal, at + 1) : before.indexOf(literal, at + 1);
    if (end < 0) return undefined;
    if (rest[index - 1] !== "") taken.push({ value: before.slice(at, end), kind });
    at = end + literal.length;
  }
  return at === before.length ? taken : undefined;
}

function lastPlace(text: string, ending: string, least: number): number {
  const at = text.length - ending.length;
  return at >= least && text.endsWith(ending) ? at : -1;
}

/**
 * Finds parts of known secrets in composed text: a keyword can be half of a password, so searching for the whole value is
 * not enough. A part counts if the sources contain it only within secrets.
 */
export class SecretPieces {
  readonly #values: SecretValues;
  readonly #seen = new Map<string, string>();
  /** Runs of characters of the values, and whether they also occur in the sources outside secrets. */
  readonly #isPlain = new Runs<boolean>();

  constructor(values: SecretValues) {
    this.#values = values;
    for (const value of values.kinds.keys())
      for (let at = 0; at + runLength <= value.length; at++) this.#isPlain.set(value.slice(at, at + runLength), false);
    this.#markPlain(ownWords);
  }

  /** The secrets in the sources, with their kinds. */
  get seen(): ReadonlyMap<string, string> {
    return this.#seen;
  }

  /** Reads a source text. `rest`: the text without its secrets. */
  read(text: string, rest?: string): void {
    if (this.#values.size === 0) return;
    for (const { start, end, kind } of this.#values.hits(text)) this.#seen.set(text.slice(start, end), kind);
    this.#markPlain(rest ?? this.#values.replaceIn(text));
  }

  /** Adds secrets seen further up, in the sources of the sources. */
  addSeen(seen: ReadonlyMap<string, string>): void {
    for (const [value, kind] of seen) this.#seen.set(value, kind);
  }

  /** The known values, plus their parts in a composed text; the same object if there are none. */
  in(composed: string): SecretValues {
    if (this.#seen.size === 0) return this.#values;
    const text = this.#values.replaceIn(composed);
    const own = new SecretValues();
    for (let at = this.#next(text, 0); at >= 0;) {
      const [piece, kind] = this.#pieceAt(text, at);
      if (piece !== "") own.add(piece, kind);
      at = this.#next(text, at + Math.max(1, piece.length - runLength));
    }
    if (own.size === 0) return this.#values;
    own.addAll(this.#values);
    return own;
  }

  /** The longest part of a secret around a position. */
  #pieceAt(text: string, at: number): readonly [piece: string, kind: string] {
    let longest: readonly [string, string] = ["", ""];
    for (const [value, kind] of this.#seen) {
      if (!value.includes(text.slice(at, at + runLength))) continue;
      let from = at;
      let to = at + runLength;
      while (from > 0 && value.includes(text.slice(from - 1, to))) from--;
      while (to < text.length && value.includes(text.slice(from, to + 1))) to++;
      if (to - from > longest[0].length) longest = [text.slice(from, to), kind];
    }
    return longest;
  }

  /** The start of the next run of a secret that does not occur elsewhere in the sources; -1 if there is none. */
  #next(text: string, from: number): number {
    for (const [at, run] of this.#isPlain.in(text, from))
      if (this.#isPlain.get(run) === false && /\p{L}|^\d+$/u.test(run)) return at;
    return -1;
  }

  #markPlain(text: string): void {
    for (const [, run] of this.#isPlain.in(text)) this.#isPlain.set(run, true);
  }
}

/** Text that composed files contain in addition to the sources. */
const ownWords = "[project] [feedback] [reference] [user] [REDACTED: (since open) nothing to keep";
