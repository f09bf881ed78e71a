const monthNames: ReadonlyMap<string, number> = new Map(
  [
    "january jan januar janvier enero январь января",
    "february feb februar février fevrier febrero февраль февраля",
    "march mar märz maerz mars marzo март марта",
    "april apr avril abril апрель апреля",
    "may mai mayo мая",
    "june jun juni juin junio июнь июня",
    "july jul juli juillet julio июль июля",
    "august aug août aout agosto август августа",
    "september sep sept septembre septiembre сентябрь сентября",
    "october oct oktober okt octobre octubre октябрь октября",
    "november nov novembre noviembre ноябрь ноября",
    "december dec dezember dez décembre decembre diciembre декабрь декабря",
  ].flatMap((names, at) => names.split(" ").map((name): [string, number] => [name, at + 1])),
);
const month = `(${[...monthNames.keys()].toSorted((a, b) => b.length - a.length).join("|")})`;
const year = String.raw`(?:,?\s(?:de\s|of\s)?((?:19|20)\d\d)(?!\d|[.,]\d))?`;
const end = String.raw`(?![\p{L}\p{N}_/\-]|\.[\p{L}\p{N}])`;

type Groups = readonly (string | undefined)[];

/** The ways to write a date, with the keys of each. One that can be read in two ways has both. */
export const dateForms: readonly (readonly [RegExp, (groups: Groups) => readonly string[]])[] = [
  [form(String.raw`((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)`), ([y, m, d]) => day(y, m, d)],
  [/(?:(\d{4})\s?[年년]\s?)?(?<!\d)(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号號일]/gu, ([y, m, d]) => day(y, m, d)],
  [
    form(String.raw`(\d{1,2})(?:st|nd|rd|th|er|º|\.)?\s(?:of\s|de\s)?${month}(?![\p{L}\p{N}])\.?${year}`),
    ([d, m, y]) => day(y, m, d),
  ],
  [
    form(String.raw`${month}\.?\s(\d{1,2})(?!\d|[.,:]\d|%)(?:st|nd|rd|th)?${year}(?![\p{L}\p{N}])`),
    ([m, d, y]) => day(y, m, d),
  ],
  [
    form(String.raw`(\d{1,2})[/.](\d{1,2})[/.]((?:19|20)\d\d)${end}`),
    ([a, b, y]) => [...day(y, a, b), ...day(y, b, a)],
  ],
  [form(String.raw`(\d{1,2})/(\d{1,2})${end}`), ([a, b]) => [...day(undefined, a, b), ...day(undefined, b, a)]],
  // `6.1.` may also be a number at the end of a sentence.
  [
    form(String.raw`(\d{1,2})\.(\d{1,2})\.(?![\p{L}\p{N}])`),
    ([d, m]) => [...day(undefined, m, d), `n${Number(`${d}.${m}`)}`],
  ],
  [form(String.raw`${month}\.?\s(?:of\s|de\s)?(?:19|20)\d\d${end}`), ([m]) => [`m${monthOf(m)}`]],
];

function form(pattern: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}_/.\-])${pattern}`, "giu");
}

/** `d03-15`, `d2026-03-15`; none when there is no such day. */
function day(yearText: string | undefined, monthText: string | undefined, dayText: string | undefined) {
  const [m, d] = [monthOf(monthText), Number(dayText)];
  if (m < 1 || m > 12 || d < 1 || d > 31) return [];
  const [mm, dd] = [m, d].map((number) => String(number).padStart(2, "0"));
  return [`d${yearText === undefined ? "" : `${yearText}-`}${mm}-${dd}`];
}

function monthOf(name = ""): number {
  return monthNames.get(name.toLowerCase()) ?? Number(name);
}

/** What a source with a date also has: the day without its year or of any year, and the month. */
export function partsOfDate(key: string): readonly string[] {
  const [, yearText, mm, dd] = /^d(\d{4}-)?(\d\d)-(\d\d)$/u.exec(key) ?? [];
  if (mm === undefined) return [key];
  return [key, `d${yearText === undefined ? "*-" : ""}${mm}-${dd}`, `m${Number(mm)}`];
}

/** `10:30`, `4:30 pm`, `오후 3시`, `午後2時半`. The half of the day is not compared. */
export const timeForm =
  /(?<![\p{L}\p{N}_:.])(?:(\d{1,2}):([0-5]\d)(?::[0-5]\d)?(?![\p{N}:])|(\d{1,2})\s?[ap]\.?m\b)|(?<!\d)(\d{1,2})\s?[時点點시](?!间|間|간)(?:\s?(\d{1,2})\s?[分분]|([半반]))?/giu;

export function timeKey([h, m, h12, hEast, mEast, half]: Groups): string {
  return `t${Number(h ?? h12 ?? hEast) % 12}:${Number(m ?? mEast ?? (half === undefined ? 0 : 30))}`;
}

const factors: readonly (readonly [RegExp, number])[] = [
  [/^(?:k|thousand|천|千)$/iu, 1e3],
  [/^(?:m|mn|million)$/iu, 1e6],
  [/^(?:g|b|bn|billion)$/iu, 1e9],
  [/^[만万萬]$/u, 1e4],
  [/^[억億亿]$/u, 1e8],
];

/** A number with what it is multiplied with. */
export const numberForm =
  /(?<![\p{Script=Latin}\p{N}_])(?<!\d[.,'])(\d+(?:[.,']\d+| \d{3}(?!\d))*)(?:[ -]?(thousand|million|billion|mn|bn|[kKmMGB천만억千万萬億亿](?![\p{Ll}\p{Lu}])))?/gu;

/** Smaller whole numbers are written as words, and count what a text itself lists. */
const leastNumber = 13;

/** The values that a number may have: `1,234` is 1234 or 1.234, `5m` also 5 minutes. */
export function numberKeys([digits = "", factorName]: Groups): readonly string[] {
  const bare = digits.replaceAll(/[ ']/gu, "");
  const decimal = Number(bare.replaceAll(/[.,](?=.*[.,])/gu, "").replace(",", "."));
  const isGrouped = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/u.test(bare);
  const values = isGrouped ? [Number(bare.replaceAll(/[.,]/gu, "")), decimal] : [decimal];
  const factor = factors.find(([names]) => factorName !== undefined && names.test(factorName))?.[1] ?? 1;
  const scaled = values.map((value) => Number((value * factor).toPrecision(12)));
  const all = factorName?.length === 1 && /[a-z]/iu.test(factorName) ? [...scaled, ...values] : scaled;
  return all.some((value) => Number.isInteger(value) && value < leastNumber) ? [] : all.map((value) => `n${value}`);
}

const teens = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** The keys of all digits of a text, of Han numerals, and of English words for numbers. */
export function writtenNumbers(text: string): readonly string[] {
  const digits = text.match(/\d{1,15}/gu) ?? [];
  const han = text.match(/[一二两三四五六七八九十百千万]{2,7}/gu) ?? [];
  const words = text.toLowerCase().match(/[a-z]+(?:-[a-z]+)?/gu) ?? [];
  return [
    ...digits.map((one) => `n${Number(one)}`),
    ...han.map((one) => `n${hanValue(one)}`),
    ...words.map((word) => `n${wordValue(word)}`).filter((key) => key !== "n0"),
  ];
}

function wordValue(word: string): number {
  if (teens.includes(word)) return teens.indexOf(word) + 13;
  const [ten = "", unit = ""] = word.split("-");
  const units = "one two three four five six seven eight nine".split(" ");
  return tens.includes(ten) ? (tens.indexOf(ten) + 2) * 10 + units.indexOf(unit) + 1 : 0;
}

/** `三百二十` is 320. */
export function hanValue(text: string): number {
  let total = 0;
  let digit = 0;
  for (const sign of text.replaceAll("两", "二")) {
    const place = { 十: 10, 百: 100, 千: 1000, 万: 10_000 }[sign];
    if (place === undefined) digit = "〇一二三四五六七八九".indexOf(sign);
    else if (place === 10_000) [total, digit] = [(total + digit) * place, 0];
    else [total, digit] = [total + Math.max(1, digit) * place, 0];
  }
  return total + digit;
}
