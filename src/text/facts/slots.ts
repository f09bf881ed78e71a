import { once } from "../../base/lines.ts";

/** A number, day, time or address in a sentence. */
export interface Slot {
  /** The placeholder in the text. */
  readonly sign: string;
  /** `day`, `clock`, `day clock`, `number`, `address`. */
  readonly kind: string;
  readonly value: string;
}

const month = String.raw`(?:jan|feb|fév|fev|m[aä]r|apr|avr|abr|may|mai|maj|mag|jun|juin|giu|jul|juil|lug|aug|août|ago|sep|set|o[ckt]t|nov|de[czk]|dic|déc|ene|gen|янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек)[a-zß-ÿа-яё]*`;
const weekday = String.raw`(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)s?|lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?s?|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|понедельник[a-zß-ÿа-яё]*|вторник[a-zß-ÿа-яё]*|сред[ауы]|четверг[a-zß-ÿа-яё]*|пятниц[a-zß-ÿа-яё]*|суббот[a-zß-ÿа-яё]*|воскресень[a-zß-ÿа-яё]*)(?![a-zß-ÿа-яё])|[월화수목금토일]요일|[月火水木金土日]曜日?|(?:星期|周|礼拜)[一二三四五六日天]`;

const patterns = [
  [
    "address",
    String.raw`https?:\/\/[^\s,;)>\]，。]+|[a-z0-9._+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+|(?:[a-z][a-z0-9]*-)+[a-z0-9]*\d[a-z0-9]*(?:\.[a-z0-9-]+)*|[a-z][a-z0-9-]*(?:\.[a-z0-9-]+){2,}`,
  ],
  [
    "day",
    String.raw`\d{4}-\d\d-\d\d|(?:(?:the|le|el|il|am|dem|vom|den) )?(?<!\d)\d{1,2}(?:st|nd|rd|th|er|º|\.)?(?: of| de)? ${month}(?: (?:de )?\d{4})?(?![a-zß-ÿа-яё])|${month}\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?(?![a-zß-ÿа-яё\d:])|\d{1,2}[月월] ?\d{1,2}[日일号]|(?<![a-zß-ÿа-яё])${weekday}`,
  ],
  [
    "clock",
    String.raw`(?<![\d.,:])\d{1,2}(?:[:.h]\d\d(?!\d)(?: ?[ap]\.?m\.?(?![a-zß-ÿа-яё])| ?uhr(?![a-zß-ÿа-яё]))?| ?(?:[ap]m|uhr|h)(?![a-zß-ÿа-яё])|[시時点时](?: ?\d{1,2}[분分])?)`,
  ],
  ["number", String.raw`[$€£¥₩]?(?<![a-zß-ÿа-яё\d_.,-])\d+(?:[.,:/]\d+)*(?: \d{3,4}(?!\d))*%?(?![a-z_]*\d)`],
] as const;
const languages = ["en", "de", "fr", "es", "pt", "it", "ru"];
const calendarNames = once(() => {
  // The first days of these months cover every weekday.
  const days = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 1)));
  const named = (language: string, options: Intl.DateTimeFormatOptions): readonly string[] => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" });
    return days.map((day) => format.format(day).toLowerCase());
  };
  const forms = [{ month: "long" }, { month: "short" }, { weekday: "long" }, { weekday: "short" }] as const;
  return new Set(languages.flatMap((language) => forms.flatMap((form) => named(language, form))));
});

/** Whether a thing is too vague to identify a subject: a weekday, a month or a small number. */
export function isVague(thing: string): boolean {
  return /^\d{1,3}$/u.test(thing) || calendarNames().has(thing.toLowerCase());
}

/** Whether a lower-case text begins with a number, day, time or address. */
export function startsWithFigure(text: string): boolean {
  return /^\s*[\u{e000}-\u{e0ff}]/u.test(slotted(text).text);
}

/** A quick test with false positives, for lower-case text. */
export const mayHaveSlots = new RegExp(String.raw`\d|:\/\/|@|\.[a-z0-9-]+\.|${weekday}`, "u");
const all = once(() => new RegExp(patterns.map(([kind, form]) => `(?<${kind}>${form})`).join("|"), "gu"));

/** After one of these words, a number is part of a name and not a value. */
const names =
  /(?:#|(?<![a-zß-ÿа-яё])(?:no\.?|nr\.?|number|issue|pr|ticket|chapter|step|episode|day|week|phase|part|item|section|lines?|pages?|season|volume|vol|level|lesson|sprint|task|test|case|table|figure|fig|question|option|round|stage|team|group|act|scene|highway|route|exit|gate|apartment|apt|unit|suite|version|node|python|windows|kapitel|schritt|seite|teil|chapitre|étape|capítulo|paso|capitolo|глава|шаг))\s*$/u;

/**
 * Replaces each number, day, time and address in a lower-case sentence with a placeholder; an adjacent day and time share
 * one.
 */
export function slotted(sentence: string): { readonly text: string; readonly slots: readonly Slot[] } {
  if (!mayHaveSlots.test(sentence)) return { text: sentence, slots: [] };
  const slots: Slot[] = [];
  let text = "";
  let done = 0;
  for (const { 0: value, index, groups = {} } of sentence.matchAll(all())) {
    const kind = patterns.find(([name]) => groups[name] !== undefined)?.[0] ?? "number";
    if (kind === "number" && names.test(sentence.slice(0, index))) continue;
    const sign = String.fromCodePoint(firstSign + slots.length);
    slots.push({ sign, kind, value });
    text += sentence.slice(done, index) + sign;
    done = index + value.length;
  }
  text += sentence.slice(done);
  return together(text, slots);
}

const firstSign = 0xe000;
const joined =
  /([\u{e000}-\u{e0ff}])(,? |,? ?(?:at|um|von|a las|a la|alle|às|à|в|to|bis|until|from|–|-|~|a|до|から|부터) ?|)([\u{e000}-\u{e0ff}])/gu;

function together(text: string, slots: readonly Slot[]): { readonly text: string; readonly slots: readonly Slot[] } {
  for (const [whole, first, between = "", second] of text.matchAll(joined)) {
    const [one, other] = [slots.find(({ sign }) => sign === first), slots.find(({ sign }) => sign === second)];
    if (one === undefined || other === undefined || !isOne(one, between, other)) continue;
    const kind = one.kind === other.kind ? one.kind : `${one.kind} ${other.kind}`;
    const merged = { ...one, kind, value: `${one.value}${between}${other.value}` };
    const rest = slots.flatMap((slot) => (slot === one ? [merged] : slot === other ? [] : [slot]));
    return together(text.replace(whole, one.sign), rest);
  }
  return { text, slots };
}

/** Whether two slots form one value, a day with its time or a range: `Tuesdays at 16:00`, `9 to 14`. */
function isOne(one: Slot, between: string, other: Slot): boolean {
  const [isTime, isOtherTime] = [one, other].map(({ kind }) => kind.startsWith("day") || kind === "clock");
  if (isTime !== isOtherTime || one.kind === "address" || other.kind === "address") return false;
  return isTime === true || /[^,\s]/u.test(between);
}
