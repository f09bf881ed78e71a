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
  return bare.replaceAll(hidden, (run, at: number) => {
    const kept = ordinaryPart(run, { before: characterBefore(bare, at), after: characterAt(bare, at + run.length) });
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

interface Neighbours {
  /** Never one of a run, so what is decided by them stays decided. Empty at an end of the text. */
  readonly before: string;
  readonly after: string;
}

const joins =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mand}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Phag}\p{scx=Adlm}\p{scx=Rohg}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Thai}\p{scx=Laoo}\p{scx=Tibt}\p{scx=Mymr}\p{scx=Khmr}\p{scx=Java}\p{scx=Bali}\p{scx=Sund}\p{scx=Newa}\p{scx=Tirh}\p{scx=Gran}\p{scx=Brah}\p{scx=Cakm}]/u;
const isJoining = (one: string): boolean => /[\p{L}\p{M}]/u.test(one) && joins.test(one);
const isHan = (one: string): boolean => /\p{Script=Han}/u.test(one);

/**
 * What stays of a run behind a character: each rule has the character before and the beginning of the run that belongs to it. These are the selectors, joiners, breaks
 * and tags that Unicode's emoji, variation sequences and scripts need.
 */
const belonging: readonly (readonly [(before: string) => boolean, RegExp])[] = [
  // England, Scotland and Wales: a black flag and tag letters.
  [
    (before) => before === "\u{1f3f4}",
    /^\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/u,
  ],
  [(before) => /[\p{L}\p{N}\p{M}\p{P}\p{S}]/u.test(before), /^[\ufe00-\ufe0f]/u],
  [isHan, /^[\u{e0100}-\u{e01ef}]/u],
  [(before) => /\p{Script=Mongolian}/u.test(before), /^[\u180b-\u180d\u180f]?[\u180e\u200c\u200d]?/u],
  [isJoining, /^[\u200c\u200d]/u],
  [
    (before) => /[\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}\p{scx=Bali}]/u.test(before),
    /^\u200b/u,
  ],
  [(before) => /\p{Script=Hebrew}/u.test(before), /^\u034f/u],
  [(before) => /\p{Script=Egyptian_Hieroglyphs}/u.test(before), /^[\u{13430}-\u{1345f}]+/u],
];

/** How many units of a run belong to ordinary text. */
function ordinaryPart(run: string, { before, after }: Neighbours): number {
  if (/^\ufe0f?\u200d$/u.test(run) && isEmoji(before) && /\p{Extended_Pictographic}/u.test(after)) return run.length;
  if (run === "\u00ad" && /[\p{L}\p{M}]/u.test(before) && /\p{L}/u.test(after)) return 1;
  if (run === "\u1160" && /[\u1100-\u115e]/u.test(before)) return 1;
  if (run === "\u115f" && /[\u1161-\u11a7]/u.test(after)) return 1;
  for (const [belongs, beginning] of belonging) {
    const kept = belongs(before) ? (beginning.exec(run)?.[0].length ?? 0) : 0;
    if (kept > 0) return kept;
  }
  return 0;
}

function isEmoji(one: string): boolean {
  return /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u.test(one);
}

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
