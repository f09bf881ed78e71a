import { listMark } from "../../base/markdown.ts";
import { topicKey } from "../../base/memory-type.ts";
import type { Role } from "../../base/passage.ts";
import type { Day } from "../../base/calendar.ts";
import { lastDayOf } from "../../base/refs.ts";
import { isPolar, sentencesOf, withoutEmphasis } from "../../text/extract/sentences.ts";
import { wordKeys } from "../../text/word-keys.ts";
import { rawItemsOf } from "../extract/items.ts";
import type { PlacedPassage } from "../model/node-passages.ts";

/** One statement about a topic, in the words of its source. */
export interface Statement {
  readonly text: string;
  /** For feedback: the rule itself, how to apply it, or why. */
  readonly part: "itself" | "how" | "why";
  readonly keys: ReadonlySet<string>;
  readonly passage: PlacedPassage;
  /** The newest day of its refs. */
  readonly day: Day;
}

const ruleKey = /^(?:rule|decisions?|regel|règle|regla|regra|regola|규칙|ルール|规则|規則)\s*[:：]\s*/iu;
const howKey = /^(?:how[- ]to[- ]apply|applies|when|where|적용|適用|适用|应用)\s*[:：]/iu;
const whyKey = /^(?:why|reason|warum|이유|理由|原因)\s*[:：]/iu;

/** The statements in a passage: each item of a preserved entry (rules before how and why), otherwise the text. */
export function statementsOf(passage: PlacedPassage): readonly Statement[] {
  const texts =
    passage.role === "preserved"
      ? itemsOf(passage).map((item) => plainMarkup(item.replace(itemStart, "")))
      : [plainMarkup(passage.text)];
  const day = lastDayOf(passage.refs);
  // A text marked as a rule comes before its context.
  const ordered = texts.toSorted((a, b) => Number(ruleKey.test(b)) - Number(ruleKey.test(a)));
  const statements = ordered.flatMap((text): readonly Statement[] => {
    const said = text.replace(ruleKey, "");
    if (!/[\p{L}\p{N}]/u.test(said) || topicKey(said.replace(/[.!。…\s]+$/u, "")) === topicKey(passage.topic))
      return [];
    const part = howKey.test(said) ? "how" : whyKey.test(said) ? "why" : "itself";
    return [{ text: said, part, keys: wordKeys(said), passage, day }];
  });
  return byPart(statements);
}

/** Rules before how to apply them and why. */
export function byPart(statements: readonly Statement[]): readonly Statement[] {
  const parts = ["itself", "how", "why"] as const;
  return parts.flatMap((of) => statements.filter(({ part }) => part === of));
}

const ranks: Partial<Record<Role, number>> = {
  preserved: 4,
  said: 4,
  open: 4,
  blocked: 4,
  failed: 4,
  decision: 3,
  done: 3,
  outcome: 3,
  abandoned: 3,
  lesson: 2,
  note: 1,
};

/** How much the role of a statement says about the topic's state. */
export function rankOf({ passage, text }: Statement): number {
  return isBare(text) ? 0.5 : (ranks[passage.role] ?? 0);
}

/** Whether a text is only a word or two: `status: done`. */
export function isBare(text: string): boolean {
  return Array.from(text.replace(/^[\p{L} ]{2,20}[:：]\s*/u, "")).length < (eastAsian.test(text) ? 4 : 8);
}

const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * A key shared by statements with the same words, in any form, and the same polarity. In scripts without spaces between
 * words, the texts must be equal.
 */
export function repeatKey({ text, keys }: Statement): string {
  if (keys.size < 2 || eastAsian.test(text)) return topicKey(text).replace(/[.。!！]$/u, "");
  return `${[...keys].toSorted().join(" ")} ${isPolar(text)}`;
}

const itemStart = new RegExp(String.raw`^\s*${listMark}`, "u");
/** Longer items are split into sentences. */
const longestItem = 240;

/** The items and paragraphs of a preserved entry, without headings, fences and comments. */
function itemsOf(passage: PlacedPassage): readonly string[] {
  let fence: "in" | "out" = "out";
  const lines = passage.lines.slice(1).flatMap(({ text }, number) => {
    const isFence = /^\s*(?:`{3}|~{3})/u.test(text);
    if (isFence) fence = fence === "in" ? "out" : "in";
    const isSaid = !isFence && fence === "out" && !/^\s*(?:<!--|\\?#{1,6}\s|$)/u.test(text);
    return isSaid ? [{ number, to: number, text }] : [];
  });
  return rawItemsOf(lines).flatMap(({ text }) =>
    itemStart.test(text) && text.length <= longestItem ? [text] : sentencesOf(text),
  );
}

/** Struck-out text no longer counts. */
const struck = /~~[^~]+~~\s*/gu;

/**
 * A line as plain words: no bullet, check box or markup. Keeps a number at the start, which may be a day: `14. April`.
 */
function plainMarkup(line: string): string {
  return withoutEmphasis(
    line
      .replace(/^\s*(?:\\?#{1,6}\s+|>\s+)/u, "")
      .replace(/^\s*[-*+•]\s+/u, "")
      .replace(/^\[[ xX]\]\s*/u, "")
      .replaceAll(struck, ""),
  )
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .replace(/[\s;,:、，]+$/u, "")
    .trim();
}
