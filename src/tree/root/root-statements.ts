import { listMark } from "../../base/markdown.ts";
import { topicKey } from "../../base/memory-type.ts";
import type { Role } from "../../base/passage.ts";
import type { Day } from "../../base/calendar.ts";
import { lastDayOf } from "../../base/refs.ts";
import { sentencesOf, withoutEmphasis } from "../../text/extract/sentences.ts";
import { isPolar } from "../../text/polarity.ts";
import { saysTheSame, wordKeys } from "../../text/word-keys.ts";
import type { PlacedPassage } from "../model/node-passages.ts";

/** One thing that is told of a topic, in the words of its source. */
export interface Statement {
  readonly text: string;
  /** Of feedback: the rule itself, or how to apply it and why. */
  readonly part: "itself" | "how" | "why";
  readonly keys: ReadonlySet<string>;
  readonly passage: PlacedPassage;
  /** Its newest day. */
  readonly day: Day;
}

const ruleKey = /^(?:rule|regel|règle|regla|regra|regola|규칙|ルール|规则|規則)\s*[:：]\s*/iu;
const howKey = /^(?:how[- ]to[- ]apply|applies|when|where|적용|適用|适用|应用)\s*[:：]/iu;
const whyKey = /^(?:why|reason|warum|이유|理由|原因)\s*[:：]/iu;

/** What a passage says: each item of a person's entry, rules before how and why; of anything else its text. */
export function statementsOf(passage: PlacedPassage): readonly Statement[] {
  const texts = passage.role === "preserved" ? itemsOf(passage).map(plainMarkup) : [plainMarkup(passage.text)];
  const day = lastDayOf(passage.refs);
  const statements = texts.flatMap((text): readonly Statement[] => {
    const said = text.replace(ruleKey, "");
    if (!/[\p{L}\p{N}]/u.test(said) || topicKey(said.replace(/[.!。…\s]+$/u, "")) === topicKey(passage.topic))
      return [];
    const part = howKey.test(said) ? "how" : whyKey.test(said) ? "why" : "itself";
    return [{ text: said, part, keys: wordKeys(said), passage, day }];
  });
  const parts = ["itself", "how", "why"] as const;
  return parts.flatMap((part) => statements.filter((one) => one.part === part));
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

/** How much the role of a statement says about the state of its topic. */
export function rankOf({ passage }: Statement): number {
  return ranks[passage.role] ?? 0;
}

/** Whether two statements say nearly the same: the same words and numbers, and neither denies what the other says. */
export function isRepeat(a: Statement, b: Statement): boolean {
  if (a.text === b.text) return true;
  return a.keys.size > 1 && b.keys.size > 1 && saysTheSame(a.keys, b.keys) && isPolar(a.text) === isPolar(b.text);
}

const itemStart = new RegExp(String.raw`^\s*${listMark}`, "u");
/** An item of more characters is told sentence by sentence. */
const longestItem = 240;

/** The items and paragraphs of a person's entry without headings, fences and comments; what is long comes in sentences. */
function itemsOf(passage: PlacedPassage): readonly string[] {
  const items: string[] = [];
  let fence: "in" | "out" = "out";
  let isList = false;
  for (const { text } of passage.lines.slice(1)) {
    if (/^\s*(?:`{3}|~{3})/u.test(text)) fence = fence === "in" ? "out" : "in";
    else if (fence === "out" && !/^\s*(?:<!--|\\?#{1,6}\s|$)/u.test(text)) {
      const begins = itemStart.test(text);
      const goesOn: boolean = items.length > 0 && !begins && (/^\s/u.test(text) || !isList);
      if (goesOn) items.push(`${items.pop() ?? ""} ${text.trim()}`);
      else items.push(text.trim());
      isList = begins || (isList && goesOn);
    }
  }
  return items.flatMap((item) => (itemStart.test(item) && item.length <= longestItem ? [item] : sentencesOf(item)));
}

/** A line as plain words: no list marker, no check box, no markup. */
function plainMarkup(line: string): string {
  return withoutEmphasis(
    line
      .replace(/^\s*(?:\\?#{1,6}\s+|>\s+)/u, "")
      .replace(itemStart, "")
      .replace(/^\[[ xX]\]\s*/u, ""),
  )
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .replace(/[\s;,:、，]+$/u, "")
    .trim();
}
