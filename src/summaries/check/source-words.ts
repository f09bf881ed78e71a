import { sameWord, stem } from "../../text/extract/words.ts";
import { stopWords } from "../../text/words/stop-words.ts";
import { squashed, wordPattern } from "./items.ts";

const katakanaPattern = /[\p{Script=Katakana}ー]{2,}/gu;
const hanPattern = /\p{Script=Han}+/gu;
const hangulPattern = /\p{Script=Hangul}+/gu;

/** The form under which inflections of a word meet; without possessive and accents. */
function wordKey(word: string): string {
  const lower = word.toLowerCase().replace(/['’]s?$|['’]s$/u, "");
  const plain = /^[a-z'’-]+$/u.test(lower) ? lower : lower.normalize("NFD").replaceAll(/\p{M}+/gu, "");
  return sameWord(stem(plain));
}

const units: ReadonlyMap<string, string> = new Map(
  [
    "second sec secs s 秒 초",
    "minute min mins 分 分間 分钟 분",
    "hour hr hrs h 時間 小时 시간",
    "day d 日 天 일 日間",
    "week wk 週 週間 周 주",
    "month mo か月 ヶ月 个月 개월",
    "year yr 年 년 歳 岁 살",
    "percent % percentage pct パーセント 퍼센트",
    "euro eur €",
    "dollar usd $",
    "pound gbp £",
    "yen jpy 円 ¥ 엔",
    "won krw 원 ₩",
    "kilometer km kilometre",
    "millisecond ms millis",
    "request req rps",
    "person people 人 명 名",
  ].flatMap((names) => names.split(" ").map((name): [string, string] => [name, names.split(" ", 1)[0] ?? name])),
);

/** Letters that say what a word is about; endings follow them, in languages whose rules are not known here too. */
const longestStem = 6;

/** What a line speaks of, as words without inflection; function words do not count, scripts without spaces give pairs of characters. */
export function contextOf(text: string): ReadonlySet<string> {
  const context = new Set<string>();
  for (const [word] of text.matchAll(wordPattern))
    for (const part of word.includes("-") ? [word, ...word.split("-")] : [word]) {
      const lower = part.toLowerCase();
      const unit = units.get(lower) ?? units.get(lower.replace(/s$/u, ""));
      if (unit !== undefined) context.add(unit);
      else if (lower.length > 1 && !stopWords.has(lower)) context.add(wordKey(part).slice(0, longestStem));
    }
  for (const [sign] of text.matchAll(/[%€$£¥₩]/gu)) context.add(units.get(sign) ?? sign);
  for (const [, unit = ""] of text.matchAll(
    /\d\s?([a-z]{1,4}|[秒分日天週周年円人名]|時間|小时|か月|个月|[초분일주년원명살]|시간|개월)/gu,
  )) {
    const known = units.get(unit);
    if (known !== undefined) context.add(known);
  }
  for (const [run] of text.matchAll(katakanaPattern)) context.add(run);
  for (const [run] of text.matchAll(hanPattern)) for (const pair of pairsOf(run)) context.add(pair);
  for (const [run] of text.matchAll(hangulPattern)) if (run.length > 1) context.add(run.slice(0, 2));
  return context;
}

/** Each two UTF-16 units that follow one another. */
function pairsOf(run: string): readonly string[] {
  return Array.from({ length: Math.max(0, run.length - 1) }, (_, at) => run.slice(at, at + 2));
}

/** Words and identifiers that follow one another and may be written as one. */
const longestRun = 4;
/** Letters of the shortest name that may be the beginning of a longer one. */
const shortestBeginning = 4;
const longestBeginning = 16;

/** The words of a text, and what may be made of them. */
export class TextKeys {
  readonly #words = new Set<string>();
  readonly #letters = new Set<string>();
  readonly #pairs = new Set<string>();
  readonly #beginnings = new Set<string>();
  readonly #hashes = new Map<string, string[]>();
  readonly #initials = new Set<string>();
  readonly #katakana = new Set<string>();
  readonly #han = new Set<string>();

  add(line: string): void {
    const runs = [...line.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(([run]) => run);
    for (let from = 0; from < runs.length; from++) this.#addRun(runs, from);
    for (const [word] of line.matchAll(wordPattern)) this.#addWord(word);
    for (const run of runs)
      if (/[a-z\d][A-Z]/u.test(run))
        for (const [part] of run.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/gu)) this.#addPart(part);
    this.#addInitials(line);
    for (const [run] of line.matchAll(katakanaPattern)) this.#katakana.add(withoutLength(run));
    for (const pattern of [hanPattern, hangulPattern])
      for (const [run] of line.matchAll(pattern))
        for (let at = 0; at < run.length; at++) this.#han.add(run.slice(at, at + 2)).add(run[at] ?? "");
  }

  #addRun(runs: readonly string[], from: number): void {
    const first = runs[from] ?? "";
    let letters = "";
    for (const run of runs.slice(from, from + longestRun)) this.#letters.add((letters += run.toLowerCase()));
    const next = runs[from + 1];
    if (next !== undefined) this.#pairs.add(pairKey(first, next));
    const lower = first.toLowerCase();
    if (!/^(?=.*\d)[\da-f]{7,64}$/u.test(lower)) return;
    const known = this.#hashes.get(lower.slice(0, 7)) ?? [];
    this.#hashes.set(lower.slice(0, 7), known);
    if (known.length < 20) known.push(lower);
  }

  #addPart(part: string): void {
    this.#letters.add(part.toLowerCase());
    this.#words.add(wordKey(part));
  }

  #addWord(word: string): void {
    this.#words.add(wordKey(word));
    if (/['’-]/u.test(word)) for (const part of word.split(/['’-]/u)) this.#words.add(wordKey(part));
    if (!/^\p{Lu}/u.test(word)) return;
    const lower = word.toLowerCase();
    for (let length = shortestBeginning; length < Math.min(lower.length, longestBeginning); length++)
      this.#beginnings.add(lower.slice(0, length));
  }

  /** Words that follow one another without a function word give a short form: `CI` of continuous integration. */
  #addInitials(line: string): void {
    let run = "";
    let end = -1;
    for (const match of line.matchAll(wordPattern)) {
      const [word] = match;
      if (end < 0 || !/^[ -]+$/u.test(line.slice(end, match.index)) || stopWords.has(word.toLowerCase())) run = "";
      end = match.index + word.length;
      if (stopWords.has(word.toLowerCase())) continue;
      for (const part of word.split("-")) run = `${run}${part.slice(0, 1).toLowerCase()}`.slice(-5);
      for (let length = 2; length <= run.length; length++) this.#initials.add(run.slice(-length));
    }
  }

  /** Whether a text without signs and case is in one word, or in up to four that follow one another. */
  hasLetters(text: string): boolean {
    return this.#letters.has(text);
  }

  hasHash(text: string): boolean {
    return (this.#hashes.get(text.slice(0, 7)) ?? []).some((known) => known.startsWith(text) || text.startsWith(known));
  }

  hasWord(word: string): boolean {
    return this.#words.has(wordKey(word));
  }

  /** Whether a name is in the text: inflected, as a part or the beginning of a longer one, longer than one, or as the short form of several words. */
  hasName(name: string): boolean {
    if (this.hasWord(name) || this.hasLetters(squashed(name.replace(/['’]s$/u, "")))) return true;
    if (/^\p{Lu}[\p{Lu}\p{N}]+s?$/u.test(name) && this.#initials.has(name.replace(/s$/u, "").toLowerCase()))
      return true;
    if (name.includes("-") && name.split("-").every((part) => this.hasWord(part))) return true;
    const lower = name.toLowerCase().replace(/['’]s?$/u, "");
    if (this.#beginnings.has(lower)) return true;
    for (let length = 5; length < Math.min(lower.length, longestBeginning); length++)
      if (this.hasLetters(lower.slice(0, length)) && lower.length - length <= 5) return true;
    return false;
  }

  /** Whether the text has a run of Katakana, or all the runs that it is made of. */
  hasKatakana(run: string): boolean {
    const whole = withoutLength(run);
    const has = (part: string): boolean => this.#katakana.has(withoutLength(part));
    if (has(whole)) return true;
    for (let at = 2; at < whole.length - 1; at++) if (has(whole.slice(0, at)) && has(whole.slice(at))) return true;
    return false;
  }

  /** Whether the text has every pair of characters of a name. */
  hasCharacters(name: string): boolean {
    if (/^[\p{Script=Katakana}ー]+$/u.test(name)) return this.hasKatakana(name);
    const signs = name.replaceAll(/\s/gu, "");
    return signs.length < 2 ? this.#han.has(signs) : pairsOf(signs).every((pair) => this.#han.has(pair));
  }

  /** Whether most words of a quotation follow one another in the text, or the text has most of its pairs of characters. */
  hasQuote(text: string): boolean {
    const characters = [...text.matchAll(/[\p{Script=Han}\p{Script=Hangul}]{2,}/gu)].flatMap(([run]) => pairsOf(run));
    if (characters.length > 3) return characters.filter((pair) => this.#han.has(pair)).length * 2 >= characters.length;
    const words = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(([word]) => word);
    if (words.length < 4) return true;
    const pairs = words.slice(1).filter((word, at) => this.#pairs.has(pairKey(words[at] ?? "", word)));
    return pairs.length * 2 >= words.length - 1;
  }
}

function withoutLength(run: string): string {
  return run.replace(/ー+$/u, "");
}

function pairKey(first: string, second: string): string {
  return `${wordKey(first)} ${wordKey(second)}`;
}
