import { listMark } from "../../base/markdown.ts";
import { topicKey } from "../../base/memory-type.ts";
import type { PlacedPassage } from "../model/node-passages.ts";

/** One thing that a preserved entry states. */
export interface Statement {
  readonly kind: "correction" | "rule" | "fact" | "how" | "why";
  /** What it is about, where that can be told: two values of one key contradict each other. Empty when it cannot. */
  readonly key: string;
  /** The key as it is written, where the value alone does not say what it is. */
  readonly label: string;
  readonly value: string;
  /** What it says itself was so before. */
  readonly was: string;
}

const itemStart = new RegExp(String.raw`^\s*${listMark}(?:\[[ xX]\]\s*)?`, "u");

const kinds: readonly (readonly [Statement["kind"], RegExp])[] = [
  ["correction", /^(?:corrections?|corrected|update|updated|now|정정|수정|訂正|修正|更正|纠正)$/iu],
  ["rule", /^(?:rule|규칙|ルール|规则|規則)$/iu],
  ["how", /^(?:how[- ]to[- ]apply|applies|when|where|적용|適用|适用|应用)$/iu],
  ["why", /^(?:why|reason|이유|理由|原因)$/iu],
];

/** The statements of an entry in the order of what they say: corrections, rules, facts, how to apply a rule, why. */
export function statementsOf(passage: PlacedPassage): readonly Statement[] {
  const found = linesOf(passage).flatMap((line) => statementsIn(line, passage.topic));
  return order.flatMap((kind) => found.filter((one) => one.kind === kind));
}

const order: readonly Statement["kind"][] = ["correction", "rule", "fact", "how", "why"];

function statementsIn(line: string, topic: string): readonly Statement[] {
  const text = line
    .replace(itemStart, "")
    .replaceAll(/\*\*|__|`/gu, "")
    .trim();
  const match = /^([\p{L}][\p{L}\p{N} '/_-]{0,30}?)\s*(?:[:：]\s+|：)(\S.*)$/su.exec(text);
  const kind = match === null ? undefined : kinds.find(([, pattern]) => pattern.test(match[1] ?? ""))?.[0];
  if (match !== null && kind !== undefined) return keyed(kind, match[2] ?? "", topic);
  if (match !== null && plainText(text) === text.replace(/[\s;,:、，]+$/u, "")) {
    const label = (match[1] ?? "").trim();
    return [statement({ kind: "fact", label, value: match[2] ?? "", topic })];
  }
  return keyed("fact", plainText(line), topic);
}

/** A statement for each sentence. */
function keyed(kind: Statement["kind"], text: string, topic: string): readonly Statement[] {
  const sentences = text
    .split(/(?<=[.!?])\s+(?=[\p{Lu}\p{Script=Hangul}])|(?<=[。！？])/u)
    .filter((one) => one.trim() !== "");
  return sentences.map((value) => statement({ kind, label: "", value, topic }));
}

function statement(said: {
  readonly kind: Statement["kind"];
  readonly label: string;
  readonly value: string;
  readonly topic: string;
}): Statement {
  const correction = correctionIn(said.value);
  const value = correction?.now ?? said.value;
  const rest = correction?.rest ?? "";
  const generic = topicKey(said.label) === topicKey(said.topic) || genericLabel.test(said.label);
  return {
    kind: said.kind,
    key: said.label === "" ? keyIn(value, said) : listKey(topicKey(said.label)),
    label: generic ? "" : said.label,
    value: rest === "" ? value : `${value}; ${rest}`,
    was: correction?.was ?? "",
  };
}

const genericLabel = /^(?:facts?|notes?|details?|preferences?|prefers|info|about|who|what|user|사실|메모|メモ|备注)$/iu;

/** Keys in the plural name lists, to which more may be added. */
function listKey(key: string): string {
  return /[^su]s$/u.test(key) ? "" : key;
}

/** What a sentence is about: `lives in X` · `X is Y`, in the scripts in which that can be told. */
function keyIn(value: string, said: { readonly kind: Statement["kind"]; readonly topic: string }): string {
  const text = value.trim().replace(/^(?:(?:the user|user|I|he|she|they|we)\s+|I'm\s+|I am\s+)/iu, "");
  if (said.kind === "rule") return "rule";
  if (said.kind === "how" || said.kind === "why") return "";
  if (/^(?:lives?|living|based|located|resides?|moved|relocated) (?:in|to|at)\b/iu.test(text)) return "lives";
  const work = /^(works?|working) (at|for|as)\b/iu.exec(text);
  if (work !== null) return `works ${work[2]?.toLowerCase() === "as" ? "as" : "at"}`;
  const is = /^(?:my |our |the )?([\p{L}][\p{L}\p{N} '-]{1,30}?) (?:is|are)(?: now)? /iu.exec(text);
  if (is !== null) return listKey(topicKey(is[1] ?? ""));
  const topicOf = /^([\p{L}\p{N}]{1,12}?)(?:는 |은 |は|是)/u.exec(text)?.[1] ?? "";
  if (topicOf !== "" && !/^(?:저|나|私|僕|我|사용자|他|她|彼|彼女)$/u.test(topicOf)) return topicOf;
  return shapeOf(text);
}

/** A bare value such as a zone, a version or a time, by its form: `Europe/Lisbon` and `Asia/Seoul` are values of one thing. */
function shapeOf(text: string): string {
  if (/\s/u.test(text) || !/[\d/+@]/u.test(text) || text.length > 40) return "";
  return `value ${text
    .replaceAll(/\p{L}+/gu, "a")
    .replaceAll(/\d+/gu, "0")
    .replaceAll(/(?:a[._-])+a/gu, "a")}`;
}

/** A statement that says itself what it corrects. */
interface Correction {
  readonly now: string;
  readonly was: string;
  /** What the statement says besides. */
  readonly rest: string;
}

/** What a statement says is so now, and what it says was so before: `moved from X to Y`, `now X, not Y`. Undefined when it corrects nothing. */
function correctionIn(text: string): Correction | undefined {
  for (const { pattern, order } of forms) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const [one, two] = [clean(match.groups?.["a"] ?? ""), clean(match.groups?.["b"] ?? "")];
    const [now, was] = order === "old first" ? [two, one] : [one, two];
    if (now === "" || was === "" || time.test(was)) continue;
    const before = subjectOf(match.groups?.["subject"] ?? "");
    const rest = restOf(text.slice(0, match.index), text.slice(match.index + match[0].length));
    return { now: before === "" ? now : `${before} ${now}`, was, rest };
  }
  return undefined;
}

/** Since when something is so is not what it was before: `６月から大阪に移った`. */
const time =
  /^(?:[\d０-９一二三四五六七八九十]+(?:年|月|日|時|週間?|か月|ヶ月|시|월|일|년)(?:度|末|初め|頃)?|今[日月週年朝]|昨[日年]|先[日月週]|来[月週年]|去年|春|夏|秋|冬|最近|(?:yester|to)day|(?:this|last|next) \p{L}+|\d{4})$/iu;

/** What stands around a correction. A run without spaces ends with the verb's own ending, which says nothing by itself. */
function restOf(before: string, after: string): string {
  const own = after.replace(/^[\p{Script=Hiragana}\p{Script=Hangul}了]+/u, "").trim();
  const who = before.trim().replace(/^(?:저는|나는|제가|내가|私は|僕は|我们?|I|we|the user|user)$/iu, "");
  return [who, own].filter((part) => /[\p{L}\p{N}]/u.test(part)).join("; ");
}

/** What stands before a verb of change, where it says who or what changed. A verb alone says nothing that the new value does not. */
function subjectOf(text: string): string {
  const subject = text.trim();
  if (/^(?:.*\s)?(?:moved|relocated)$/iu.test(subject)) return `${subject} to`;
  const who = subject
    .replace(
      /\s*\b(?:has|have|was|were|is|are)?\s*(?:changed|switched|migrated|renamed|went|transferred|updated|corrected)$/iu,
      "",
    )
    .trim();
  return /^(?:I|we|he|she|they|it|the user|user|now)?$/iu.test(who) ? "" : who;
}

const end = String.raw`(?=$|[.;,!?。！？、，；(（]|\s(?:in|on|since|because|for|as|last|this|after|when)\s)`;
const value = String.raw`[^,;。、，；]{1,60}?`;

const forms: readonly { readonly pattern: RegExp; readonly order: "old first" | "new first" }[] = [
  {
    order: "old first",
    pattern: new RegExp(
      `(?<subject>[^,;.]{0,60}?\\b(?:moved|changed|switched|migrated|renamed|relocated|went|transferred|updated|corrected))(?: over| back)? from (?<a>${value}) to (?<b>${value})${end}`,
      "iu",
    ),
  },
  {
    order: "new first",
    pattern: new RegExp(`^(?<a>${value}) now,? (?:and )?(?:not|no longer|no more) (?<b>${value})${end}`, "iu"),
  },
  {
    order: "new first",
    pattern: new RegExp(
      `(?:^|\\b)(?:is )?now (?<a>${value}),? (?:and )?(?:not|no longer|no more) (?<b>${value})${end}`,
      "iu",
    ),
  },
  {
    order: "new first",
    pattern: new RegExp(
      `^(?<a>${value}),? (?:and )?(?:not|no longer|no more) (?<b>${value}) any ?(?:more|longer)${end}`,
      "iu",
    ),
  },
  {
    order: "old first",
    pattern: /(?<a>[^\s,。、]{1,30})から(?<b>[^\s,。、]{1,30}?)(?:に|へ)(?:引っ越|引越|移|変更|変わ|切り替|転)/u,
  },
  { order: "old first", pattern: /(?<a>[^\s,。、]{1,30})(?:ではなく|じゃなく)て?、?(?<b>[^。、]{1,40})/u },
  {
    order: "old first",
    pattern: /(?<a>[^\s,.]{1,30})에서 (?<b>[^\s,.]{1,30}?)(?:으로|로) (?:이사|이동|변경|바꾸|바꿨|옮|전환)/u,
  },
  { order: "old first", pattern: /(?<a>[^\s,.]{1,30}?)(?:이|가) 아니라 (?<b>[^,.]{1,40})/u },
  {
    order: "old first",
    pattern: /从(?<a>[^\s,，。]{1,30}?)(?:搬到|改为|改成|换到|换成|移到|转到)了?(?<b>[^\s,，。]{1,30})/u,
  },
  { order: "old first", pattern: /不是(?<a>[^\s,，。]{1,30})[,，]?而是(?<b>[^,，。]{1,40})/u },
];

function clean(text: string): string {
  return text
    .trim()
    .replace(/^(?:the|a|an|my|our)\s+/iu, "")
    .replace(/(?:です|だ|である|입니다|이다|예요|이에요)$/u, "")
    .replace(/^(?:私は|僕は|저는\s|나는\s|我)/u, "")
    .trim();
}

/** Of a preserved entry its rule, or the first line of it; of anything else its text. */
export function sentenceOf(passage: PlacedPassage): string {
  if (passage.role !== "preserved") return plainText(passage.text);
  const lines = linesOf(passage);
  const rule = lines.find((line) => /^(?:rule|규칙|ルール|规则)\s*[:：]/iu.test(plainMarkup(line)));
  return plainText(rule ?? lines[0] ?? "");
}

/** The lines of a preserved entry that say something: no heading, fence, comment or blank line. */
function linesOf(passage: PlacedPassage): readonly string[] {
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

const listItem = new RegExp(String.raw`^\s*${listMark}`, "u");

function plainMarkup(line: string): string {
  return line
    .replace(/^\s*(?:\\?#{1,6}\s+|>\s+)/u, "")
    .replace(listItem, "")
    .replace(/^\[[ xX]\]\s*/u, "")
    .replaceAll(/\*\*|__|`/gu, "")
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
}
