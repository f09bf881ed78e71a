import { listMark } from "../../base/markdown.ts";
import { topicKey } from "../../base/memory-type.ts";
import { correctionIn } from "./root-corrections.ts";
import { linesOf, plainText } from "./root-said.ts";
import type { PlacedPassage } from "./root-topics.ts";

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
