import { sameWord } from "../same-word.ts";
import { stopWords } from "../stop-words.ts";
import { stem } from "../words.ts";

/** Letters of a script whose words are separated by spaces. */
export const wordPattern =
  /[\p{L}--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]][[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]]*(?:['’\-][\p{L}--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]]+)*/gv;
export const katakanaPattern = /[\p{Script=Katakana}ー]{2,}/gu;
export const hanPattern = /\p{Script=Han}+/gu;
export const hangulPattern = /\p{Script=Hangul}+/gu;

/** The form under which inflections of a word meet; without possessive and accents. */
export function wordKey(word: string): string {
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

/** Letters that tell what a word is about; endings stand behind them, in languages whose rules are not known here too. */
const longestStem = 6;

/** What a line speaks of, as words without inflection; function words do not count, scripts without spaces give pairs of characters. */
export function contextOf(text: string): ReadonlySet<string> {
  const context = new Set<string>();
  for (const [word] of text.matchAll(wordPattern)) {
    for (const part of word.includes("-") ? [word, ...word.split("-")] : [word]) {
      const lower = part.toLowerCase();
      const unit = units.get(lower) ?? units.get(lower.replace(/s$/u, ""));
      if (unit !== undefined) context.add(unit);
      else if (lower.length > 1 && !stopWords.has(lower)) context.add(wordKey(part).slice(0, longestStem));
    }
  }
  for (const [sign] of text.matchAll(/[%€$£¥₩]/gu)) context.add(units.get(sign) ?? sign);
  for (const [, unit] of text.matchAll(
    /\d\s?([a-z]{1,4}|[秒分日天週周年円人名]|時間|小时|か月|个月|[초분일주년원명살]|시간|개월)/gu,
  )) {
    const known = units.get(unit ?? "");
    if (known !== undefined) context.add(known);
  }
  for (const [run] of text.matchAll(katakanaPattern)) context.add(run);
  for (const [run] of text.matchAll(hanPattern))
    for (let at = 0; at + 1 < run.length; at++) context.add(run.slice(at, at + 2));
  for (const [run] of text.matchAll(hangulPattern)) if (run.length > 1) context.add(run.slice(0, 2));
  return context;
}
