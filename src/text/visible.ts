import { belongingPart, withinBounds } from "./hidden-run.ts";
import { withoutWrappers } from "./wrapper-tags.ts";

/** `text`: for a person or a prompt. `json`: a JSON document, which keeps every value. */
export type VisibleForm = "text" | "json";

/**
 * A text that is safe to show to a person or to a model, on every surface. Characters that control a terminal, turn or hide text are shown as `\u{1b}`; CRLF becomes
 * LF, and a byte order mark at the start goes. Where a client's wrapper would begin or end, `<` becomes `‹` and `[` becomes `❲`. All else stays. In the form `json`
 * the same characters are written as JSON escapes, so that a reader gets the values unchanged. Applying it again changes nothing.
 */
export function visible(text: string, form: VisibleForm = "text"): string {
  if (ordinary.test(text)) return text;
  const escaped = form === "json" ? jsonEscape : codePoint;
  const lines = form === "json" ? text : withLineFeeds(text);
  const bare = withoutWrappers(lines, form, form === "json" ? jsonEscape : lookalike);
  const isWithinBounds = withinBounds(bare);
  return bare.replaceAll(hidden, (run, at: number) => {
    const neighbours = { before: characterBefore(bare, at), after: characterAt(bare, at + run.length) };
    const part = belongingPart(run, neighbours);
    const kept = part.kept !== "" && isWithinBounds(part, at) ? part.kept.length : 0;
    return run.slice(0, kept) + Array.from(run.slice(kept), escaped).join("");
  });
}

function withLineFeeds(text: string): string {
  return text.replace(/^\ufeff+/u, "").replaceAll(/\r+\n?/gu, (found) => (found.endsWith("\n") ? "\n" : found));
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visible(text.replaceAll(/\s+/gu, " ").trim());
}

/** The same value with every text in it visible. */
export function visibleIn<T>(value: T): T {
  return mapped(value) as T;
}

function mapped(value: unknown): unknown {
  if (typeof value === "string") return visible(value);
  if (Array.isArray(value)) return value.map(mapped);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [visible(key), mapped(part)]));
}

/** Nothing in it is looked at twice. */
const ordinary = /^[\t\n\x20-\x3b\x3d-\x5a\x5c-\x7e]*$/u;

/** Runs of characters that control, turn, hide or cannot be written: C0, C1, fillers, joiners, bidi controls, separators, selectors, annotations, tags, half pairs. */
const hidden =
  /(?:\u034f|[\ufe00-\ufe0f]|[\u17b4\u17b5\u180b-\u180f]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\p{Cs}\u{13430}-\u{1345f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}])+/gu;

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function characterBefore(text: string, at: number): string {
  const isPair = /[\udc00-\udfff]/.test(text[at - 1] ?? "") && /[\ud800-\udbff]/.test(text[at - 2] ?? "");
  return text.slice(Math.max(0, at - (isPair ? 2 : 1)), at);
}

function codePoint(one: string): string {
  return `\\u{${one.codePointAt(0)?.toString(16) ?? ""}}`;
}

function jsonEscape(one: string): string {
  return Array.from({ length: one.length }, (_, at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, "0")}`).join(
    "",
  );
}

/** No client reads these as the beginning of a tag. */
function lookalike(bracket: string): string {
  return bracket === "[" ? "❲" : "‹";
}
