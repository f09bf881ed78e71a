import { once, remembering } from "../../base/lines.ts";
import { listMark } from "../../base/markdown.ts";
import type { MemoryType } from "../../base/memory-type.ts";
import { correction } from "../extract/sentences.ts";
import { nameKey, wordKeys } from "../word-keys.ts";
import { mayEnd, saysNew, turnsAway } from "./changes.ts";
import {
  claimsOf,
  decidedLabel,
  isLabel,
  isPast,
  oppositeClaim,
  undecidedLabel,
  withoutSince,
  type Claim,
} from "./claims.ts";
import { slotted, startsWithFigure, type Slot } from "./slots.ts";

export interface ReadStatement {
  /** From `label: …`, in lower case. */
  readonly label: string;
  /** Without list marker, label and speaker. */
  readonly body: string;
  readonly keys: ReadonlySet<string>;
  readonly claims: (holds: Claim["holds"]) => readonly Claim[];
  /** Whether it is a question, wish, plan, open item, opinion or assistant reply. Such statements replace nothing. */
  readonly isUndecided: boolean;
  /** Whether it is stated as a fact: user facts, references, decisions, rules. */
  readonly isTold: boolean;
  /** Whether it is something that happened: it stays true. */
  readonly isEvent: boolean;
  /** Whether it describes an event. */
  readonly isPast: () => boolean;
  /** Whether it is about the day it was written, so nothing in it can end later. */
  readonly isOfItsDay: () => boolean;
  readonly maySayEnded: () => boolean;
  /** Whether it says that something else was chosen. */
  readonly turns: () => boolean;
  /** Whether it says that what it states is new. */
  readonly isNew: () => boolean;
  /** Its numbers, days, times and addresses. */
  readonly slots: () => readonly Slot[];
  /** Whether it calls itself a correction. */
  readonly corrects: boolean;
  /** The key of the topic that a correction names: `correction on the lease: …`. Empty if there is none. */
  readonly corrected: string;
  /** If it says "again": its other words. */
  readonly again: () => ReadonlySet<string>;
  /** The first day or time in it. */
  readonly when: () => string;
}

const mostRemembered = 5000;
/** Cached, because statements are compared several times and come up again with the next message. */
const remembered = remembering(readWhole, mostRemembered);

export function readStatement(text: string, type: MemoryType): ReadStatement {
  return remembered(`${type === "project" ? "project" : "other"}\n${text}`);
}

const mark = once(() => new RegExp(String.raw`^\s*(?:>\s*)?(?:${listMark})?(?:\[([ x])\]\s*)?`, "u"));
const speaker = /^(user|human|me|assistant|ai|system|사용자|用户|ユーザー|비서|助手|アシスタント)\s*[:：]\s*/u;
/** A number after these letters is part of a name: `RFC 2616`, but not `EUR 20`. */
const shortName = once(() => /(?<!\p{L})(?!EUR|USD|GBP|CHF|JPY|CNY|KRW)(?<name>\p{Lu}{2,4})[ -](?=\d)/gu);
const labelled = /^([^:：=.!?。]{1,48}?)\s*(?:[:：]\s+|：|\s=\s)(\S.*)$/su;
const ruleLabel = /^(?:rules?|regel|règle|regla|regra|regola|правило|규칙|ルール|规则|規則)$/u;
const eventLabel =
  /^(?:outcomes?|results?|done|changes?|changed|fix(?:es|ed)?|bugs?|problems?|errors?|causes?|lessons?(?: learned)?|learned|insights?|files?|ergebnis(?:se)?|erledigt|résultats?|fait|resultados?|hecho|feito|risultat[oi]|fatto|результат[a-zß-ÿа-яё]*|сделано|결과|완료|교훈|結果|完了|教訓|结果|完成|教训)$/u;
const undecided =
  /[?？]\s*$|\b(?:should we|should i|could|would|might|maybe|perhaps|considering|thinking (?:of|about)|if (?:we|i|you|they|he|she|it|the)|whether|plan(?:s|ning)? to|wants? to|going to|how (?:do|to|can)|said|says|thinks|suggest(?:s|ed)|propos(?:es|ed)|compared|vielleicht|könnten?|sollten wir|wenn wir|peut-être|pourrait|devrait|quizás?|tal vez|podría|talvez|poderia|forse|potrebbe|может быть|если)(?![a-zß-ÿа-яё])|할까|かな|だろうか|吗|是否|也许|かもしれ/u;

/** All patterns expect lower case, because case-insensitive ones take a hundred times as long to compile. */
function readWhole(typed: string): ReadStatement {
  const marked = typed.slice(typed.indexOf("\n") + 1).replaceAll(/\*\*|__|`/gu, "");
  const lower = marked.toLowerCase();
  const raw = lower.length === marked.length ? marked : lower;
  const [start = "", box = ""] = mark().exec(lower) ?? [];
  const hasLabel = /[:：=]/u.test(lower);
  const [said = "", who = ""] = (hasLabel && speaker.exec(lower.slice(start.length))) || [];
  let from = start.length + said.length;
  const before = hasLabel ? (correction.exec(lower.slice(from))?.[0] ?? "") : "";
  from += before.length;
  const [, name = "", value = ""] = (hasLabel && labelled.exec(lower.slice(from))) || [];
  const label = isLabel(raw.slice(from, from + name.length), value) ? name.trim() : "";
  // Text after a name may be about anything: `Hannah: report, then the alert`.
  const isName = /^\p{Lu}/u.test(raw.slice(from)) && !startsWithFigure(value);
  if (label !== "") from = lower.length - value.length;
  const after = before === "" && label !== "" ? (correction.exec(value)?.[0] ?? "") : "";
  const body = raw.slice(from + after.length).trim();
  const plain = body.replaceAll(shortName(), "$<name>_").toLowerCase();
  const isUndecided =
    box === " " ||
    /^(?:a|s|비|助|ア)/u.test(who) ||
    (label !== "" && undecidedLabel.test(label)) ||
    undecided.test(plain) ||
    body.length > 400;
  const isEvent = box === "x" || (label === "" ? moment.test(plain) : eventLabel.test(label));
  const isDecided = label !== "" && decidedLabel.test(label);
  const about = isDecided ? "" : label;
  const isRule = ruleLabel.test(label);
  const isTold = typed.startsWith("other") || isDecided;
  const facts = { body: plain, label: isName && !isTold ? "" : label, about, isTold, isRule };
  const claims = once(() => claimsOf(facts));
  const opposite = once(() => oppositeClaim(facts));
  const isTime = ({ kind }: Slot): boolean => kind !== "number" && kind !== "address";
  return {
    label,
    body,
    keys: wordKeys(`${about} ${body}`),
    isEvent,
    isPast: once(() => isPast(plain)),
    isOfItsDay: once(() => ofItsDay.test(plain)),
    isTold: facts.isTold,
    claims: (holds) => (isUndecided || isEvent ? [] : holds === "everywhere" ? claims() : [...claims(), ...opposite()]),
    isUndecided,
    maySayEnded: once(() => !isUndecided && mayEnd(plain)),
    turns: once(() => turnsAway(plain)),
    isNew: once(() => !isUndecided && !isEvent && !code.test(plain) && saysNew(`${label} ${plain}`)),
    slots: once(() => (isUndecided || isEvent || isPast(plain) ? [] : slotted(plain).slots)),
    corrects: (before + after !== "" || retraction.test(plain)) && !isUndecided,
    corrected: nameKey(before.replace(/^\p{L}+(?: (?:on|of|to|for|about|zu[mr]?|sur|sobre|su))?|[:：]\s*$/gu, "")),
    again: once(() => (isUndecided || isEvent || !again.test(plain) ? none : wordKeys(withoutSince(plain)))),
    when: once(() => (isUndecided ? "" : (slotted(plain).slots.find(isTime)?.value ?? ""))),
  };
}

const none: ReadonlySet<string> = new Set();
/** A line that starts with a time: `14:35 replication stopped`. */
const moment = /^\d{1,2}[:.h]\d\d(?:[ap]m)? (?!uhr)/u;
const ofItsDay =
  /(?<![a-zß-ÿа-яё])(?:today|tonight|this (?:morning|afternoon|evening)|heute|aujourd['’]hui|hoy|hoje|oggi|сегодня)(?![a-zß-ÿа-яё])|오늘|今日|今天/u;
const code = /[{}]|=>|;$/u;
const retraction = /^(?:(?:scrap|forget|ignore|strike) that|on second thoughts?)(?![a-zß-ÿа-яё])/u;

const again =
  /(?<![a-zß-ÿа-яё])(?:(?<!never )again|wieder|de nouveau|à nouveau|otra vez|de nuevo|de novo|outra vez|di nuovo|снова|опять)(?![a-zß-ÿа-яё])|다시|再び|また(?=[^は])|重新|又/u;
