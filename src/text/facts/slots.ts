/** A figure, day, time or address in a sentence. */
export interface Slot {
  /** What stands in its place. */
  readonly sign: string;
  /** `day`, `clock`, `day clock`, `number`, `address`. */
  readonly kind: string;
  readonly value: string;
}

const month = String.raw`(?:jan|feb|fév|fev|m[aä]r|apr|avr|abr|may|mai|maj|mag|jun|juin|giu|jul|juil|lug|aug|août|ago|sep|set|o[ckt]t|nov|de[czk]|dic|déc|ene|gen|янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек)\p{L}*`;
const weekday = String.raw`(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)s?|lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?s?|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|понедельник\p{L}*|вторник\p{L}*|сред[ауы]|четверг\p{L}*|пятниц\p{L}*|суббот\p{L}*|воскресень\p{L}*)(?!\p{L})|[월화수목금토일]요일|[月火水木金土日]曜日?|(?:星期|周|礼拜)[一二三四五六日天]`;

const patterns = [
  [
    "address",
    String.raw`https?:\/\/[^\s,;)>\]，。]+|[\p{L}\p{N}._+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|(?:[a-z][a-z0-9]*-)+[a-z0-9]*\d[a-z0-9]*(?:\.[a-z0-9-]+)*|[a-z][a-z0-9-]*(?:\.[a-z0-9-]+){2,}`,
  ],
  [
    "day",
    String.raw`\d{4}-\d\d-\d\d|(?:(?:the|le|el|il|am|dem|vom|den) )?(?<!\p{N})\d{1,2}(?:st|nd|rd|th|er|º|\.)?(?: of| de)? ${month}(?: (?:de )?\d{4})?(?!\p{L})|${month}\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?(?![\p{L}\p{N}:])|\d{1,2}[月월] ?\d{1,2}[日일号]|(?<!\p{L})${weekday}`,
  ],
  [
    "clock",
    String.raw`(?<![\p{N}.,:])\d{1,2}(?:[:.h]\d\d(?!\p{N})(?: ?[ap]\.?m\.?(?!\p{L})| ?uhr(?!\p{L}))?| ?(?:[ap]m|uhr|h)(?!\p{L})|[시時点时](?: ?\d{1,2}[분分])?)`,
  ],
  [
    "number",
    String.raw`[$€£¥₩]?(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{N}_.,-])\d+(?:[.,:/]\d+)*(?: \d{3,4}(?!\p{N}))*%?(?![\p{L}_]*\d)`,
  ],
] as const;
const all = new RegExp(patterns.map(([kind, form]) => `(?<${kind}>${form})`).join("|"), "giu");

/** A figure behind one of these names a thing; it is no value. */
const names =
  /(?:#|(?<!\p{L})(?:no\.?|nr\.?|number|issue|pr|ticket|chapter|step|episode|day|week|phase|part|item|section|lines?|pages?|season|volume|vol|level|lesson|sprint|task|test|case|table|figure|fig|question|option|round|stage|team|group|act|scene|highway|route|exit|gate|apartment|apt|unit|suite|version|node|python|windows|kapitel|schritt|seite|teil|chapitre|étape|capítulo|paso|capitolo|глава|шаг))\s*$/iu;

/** `RFC 2616`, but not `EUR 20`. */
const shortName = /(?<!\p{L})(?!EUR|USD|GBP|CHF|JPY|CNY|KRW)\p{Lu}{2,4}[\s-]$/u;

/** A sentence with a sign in place of each figure, day, time and address; a day and a time that stand together are one. */
export function slotted(sentence: string): { readonly text: string; readonly slots: readonly Slot[] } {
  if (!/\d|day|[曜요星周礼]|\.|:\/\/|@|[mnstdgvl][aeiuo]|[а-я]/iu.test(sentence)) return { text: sentence, slots: [] };
  const slots: Slot[] = [];
  const text = sentence.replaceAll(all, (...found) => {
    const groups = found.at(-1) as Readonly<Record<string, string | undefined>>;
    const [value, before] = [String(found[0]), sentence.slice(0, Number(found.at(-3)))];
    const kind = patterns.find(([name]) => groups[name] !== undefined)?.[0] ?? "number";
    if (kind === "number" && (names.test(before) || shortName.test(before))) return value;
    const sign = String.fromCodePoint(firstSign + slots.length);
    slots.push({ sign, kind, value: value.toLowerCase() });
    return sign;
  });
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

/** A day with its time, or a range: `Tuesdays at 16:00`, `9 to 14`. */
function isOne(one: Slot, between: string, other: Slot): boolean {
  const [isTime, isOtherTime] = [one, other].map(({ kind }) => kind.startsWith("day") || kind === "clock");
  if (isTime !== isOtherTime || one.kind === "address" || other.kind === "address") return false;
  return isTime === true || /[^,\s]/u.test(between);
}
