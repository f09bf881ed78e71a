import type { Day } from "../../base/calendar.ts";
import { listMark } from "../../base/markdown.ts";
import { topicKey } from "../../base/memory-type.ts";
import { dayOfRef } from "../../base/refs.ts";
import { wordKeys } from "../../text/word-keys.ts";
import type { PlacedPassage } from "./root-topics.ts";

/** A sentence that a passage says, ready to stand in ROOT.md. */
export interface Said {
  readonly text: string;
  readonly keys: ReadonlySet<string>;
  readonly passage: PlacedPassage;
  /** Its newest day. */
  readonly day: Day;
}

/** What a passage says in one sentence; undefined when that is nothing, or no more than the topic's name. */
export function saidBy(passage: PlacedPassage): Said | undefined {
  const text = sentenceOf(passage);
  const name = topicKey(passage.topic);
  if (!/[\p{L}\p{N}]/u.test(text) || topicKey(text.replace(/[.!。…\s]+$/u, "")) === name) return undefined;
  return { text, keys: wordKeys(text), passage, day: newestDay(passage) };
}

/** The newest day on which a passage was said. */
export function newestDay(passage: PlacedPassage): Day {
  return passage.refs.reduce((newest, ref) => (dayOfRef(ref) > newest ? dayOfRef(ref) : newest), "");
}

/** Of a preserved entry its rule, or the first line of it; of anything else its text. */
function sentenceOf(passage: PlacedPassage): string {
  if (passage.role !== "preserved") return plainText(passage.text);
  const lines = linesOf(passage);
  const rule = lines.find((line) => /^(?:rule|규칙|ルール|规则)\s*[:：]/iu.test(plainMarkup(line)));
  return plainText(rule ?? lines[0] ?? "");
}

/** The lines of a preserved entry that say something: no heading, fence, comment or blank line. */
export function linesOf(passage: PlacedPassage): readonly string[] {
  let fence: "in" | "out" = "out";
  return passage.lines.slice(1).flatMap(({ text }): readonly string[] => {
    if (/^\s*(?:`{3}|~{3})/u.test(text)) {
      fence = fence === "in" ? "out" : "in";
      return [];
    }
    return fence === "in" || /^\s*(?:<!--|$)/u.test(text) ? [] : [text];
  });
}

const sourceKey =
  /^(?:rule|why|how[- ]to[- ]apply|requests?|asked|decisions?|decided|outcomes?|results?|status|lessons?(?: learned)?|learned|insights?|open(?: items?)?|todo|next(?: steps?)?|pending|notes?|요청|결정|결과|상태|교훈|규칙|미해결|할 일|依頼|決定|结果|結果|状態|状态|教訓|学び|ルール|规则|未解決|課題)\s*[:：]\s*/iu;

/** A line of a log as plain words: no list marker, no check box, no markup, no key of the entry's format. */
export function plainText(line: string): string {
  let text = plainMarkup(line);
  for (let key = sourceKey.exec(text); key !== null; key = sourceKey.exec(text)) text = text.slice(key[0].length);
  return text.replace(/[\s;,:、，]+$/u, "");
}

const itemStart = new RegExp(String.raw`^\s*${listMark}`, "u");

function plainMarkup(line: string): string {
  return line
    .replace(/^\s*(?:\\?#{1,6}\s+|>\s+)/u, "")
    .replace(itemStart, "")
    .replace(/^\[[ xX]\]\s*/u, "")
    .replaceAll(/\*\*|__|`/gu, "")
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
}

/** Ends of clauses, at which a text may be cut. */
const clauseEnd = /[;.!?,:](?=\s)|\s[–—-](?=\s)|[。！？；，、]/gu;

/**
 * At most `most` characters of a text: whole when it fits, else up to the last end of a clause in its second half, else up to the last whole
 * word; then with an ellipsis. A word is never cut; Han and Kana, which have no spaces, are cut between two characters.
 */
export function clipText(text: string, most: number): string {
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  const cut = characters.slice(0, most - 1).join("");
  const clause = [...`${cut} `.matchAll(clauseEnd)].map(({ index }) => index).filter((at) => at > cut.length / 2);
  const at = clause.at(-1) ?? lastWordEnd(cut, characters[most - 1] ?? "");
  return `${cut.slice(0, at).replace(/[\s,;:.–—、，；-]+$/u, "")}…`;
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー。、，；！？]/u;

function lastWordEnd(cut: string, next: string): number {
  if (next === " " || unspaced.test(next)) return cut.length;
  const letters = Array.from(cut);
  let end = letters.length;
  while (end > 0 && letters[end - 1] !== " " && !unspaced.test(letters[end - 1] ?? "")) end -= 1;
  return end === 0 ? cut.length : letters.slice(0, end).join("").length;
}
