import { findRests, findBlocks } from "./several-lines.ts";
import { scan } from "./scan.ts";
import { mergeSpans, replaceSpans, type Span } from "./span.ts";

/** Identifies the rule set. Changes with every rule change, so that text redacted by older rules can be recognized. */
export const ruleSetId = "secrets-2";

/** One secret that was removed. */
export interface SecretFound {
  /** Kebab-case, as in the marker: `github-token`, `private-key`, `password`. */
  readonly kind: string;
  /** 1-based line on which the secret begins. */
  readonly line: number;
}

/** A redacted text. */
interface Redaction {
  /** The text with `[REDACTED:<kind>]` for every secret; the same string if there is none. */
  readonly text: string;
  /** In text order. */
  readonly found: readonly SecretFound[];
}

/**
 * Removes the secrets from a text. Never adds or removes lines: every line of a private key gets its own marker.
 * Idempotent. Linear.
 */
export function redact(text: string): Redaction {
  const shown = withoutColour(text);
  const firsts = mergeSpans([...findBlocks(shown.text), ...scan(shown.text)]);
  const spans = shown.inWhole(mergeSpans([...firsts, ...findRests(shown.text, firsts)]));
  return { text: replaceAll(text, spans), found: listFound(text, spans) };
}

/** Limits of the context kept before a window. No private key is longer. */
const [mostLines, mostCharacters] = [200, 65_536];

/**
 * Redacts the next lines in a long text. `before` is the `last` of the previous window: the lines from which a secret may
 * continue. Together the windows give the same result as `redact` on the whole text, with one exception: the first line of
 * a private key counts as a secret if it is the last line of its window, because the key may follow in the next window.
 * Returns the same lines if there is no secret.
 */
export function redactWindow(
  lines: readonly string[],
  before: readonly string[],
): Record<"lines" | "last", readonly string[]> {
  const all = [...before, ...lines];
  const text = `${all.join("\n")}\n`;
  const redacted = redact(text).text;
  let from = Math.max(0, all.length - mostLines);
  for (let size = all.slice(from).join("\n").length; size > mostCharacters; from++)
    size -= (all[from] ?? "").length + 1;
  const clean = redacted === text ? lines : redacted.split("\n").slice(before.length, all.length);
  return { lines: clean, last: all.slice(from) };
}

/** Replaces the spans line by line and checks each changed line again. No span crosses a line break. */
function replaceAll(text: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (let i = 0; i < spans.length;) {
    const start = text.lastIndexOf("\n", spans[i]?.start) + 1;
    const stop = text.indexOf("\n", spans[i]?.end);
    const end = stop < 0 ? text.length : stop;
    const own: Span[] = [];
    for (let span = spans[i]; span !== undefined && span.start < end; span = spans[++i]) {
      own.push({ ...span, start: span.start - start, end: span.end - start });
    }
    pieces.push(text.slice(from, start), settle(replaceSpans(text.slice(start, end), own)));
    from = end;
  }
  return pieces.join("") + text.slice(from);
}

/** Replacing a secret can expose another one next to it. A few more passes find those too. */
function settle(line: string): string {
  let settled = line;
  for (let pass = 0; pass < 4; pass++) {
    const shown = withoutColour(settled);
    const spans = scan(shown.text);
    if (spans.length === 0) break;
    settled = replaceSpans(settled, shown.inWhole(mergeSpans(spans)));
  }
  return settled;
}

/** The secrets of the spans with their lines. */
export function listFound(text: string, spans: readonly Span[]): readonly SecretFound[] {
  const found: SecretFound[] = [];
  let line = 1;
  let next = text.indexOf("\n");
  for (const { start, kind, part } of spans) {
    for (; next >= 0 && next < start; next = text.indexOf("\n", next + 1)) line++;
    if (part === "first") found.push({ kind, line });
  }
  return found;
}

/** A color sequence, also in the escaped forms of JSON and source code. */
const COLOUR = /(?:\u001b|\\u001[bB]|\\x1[bB])\[[0-9;?]{0,24}[A-Za-z]/g;

/** A text as a terminal shows it, with a mapping back to the original. */
interface Shown {
  readonly text: string;
  /** Maps ordered spans of the shown text to spans of the original, including hidden sequences within them. */
  readonly inWhole: (spans: readonly Span[]) => readonly Span[];
}

/** Removes color sequences: they would separate a name from its value, and a token from the text before it. */
function withoutColour(text: string): Shown {
  const mayHaveColour = text.includes("\u001b[") || text.includes("1b[") || text.includes("1B[");
  if (!mayHaveColour) return { text, inWhole: (spans) => spans };
  const sequences = Array.from(text.matchAll(COLOUR), ({ 0: { length }, index }) => ({ index, length }));
  const inWhole = (spans: readonly Span[]): readonly Span[] => {
    let [next, hidden] = [0, 0];
    const whole = (at: number): number => {
      for (let one = sequences[next]; one !== undefined && one.index - hidden <= at; one = sequences[++next])
        hidden += one.length;
      return at + hidden;
    };
    return spans.map((span) => ({ ...span, start: whole(span.start), end: whole(span.end - 1) + 1 }));
  };
  return { text: text.replaceAll(COLOUR, ""), inWhole };
}
