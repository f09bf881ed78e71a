import { once, remembering } from "../../base/lines.ts";
import { isChinese, koreanNoun, piecesOfHan } from "./east-asian-words.ts";
import { stopWords } from "../words/stop-words.ts";
import { withoutMarks } from "../redact/span.ts";
import { withoutEnding } from "../word-keys.ts";
import { isAscii, isPlain } from "../words/scripts.ts";

const eastAsian = /[\u1100-\u11ff\u2e80-\ud83b\ud83f-\ufdff\ufe10-\uffff]/;
/**
 * Matches a quoted name in Han; a compound of Han, Katakana and letters without spaces (`API設計`, `切り替え`, `支払い`); or any
 * other word.
 */
const eastAsianPattern = once(
  () =>
    /[「『《]\p{Script=Han}{2,12}(?=[」』》])|(?:[[\p{L}\p{N}]--[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Hangul}]][A-Za-z0-9._\-]*)?(?:(?<!\p{Script=Han})\p{Script=Han}[いきちみりえけせれぎじびげし](?=\p{Script=Han})|[\p{Script=Han}\p{Script=Katakana}ーｰﾞﾟ])+(?:[A-Za-z0-9][A-Za-z0-9._\-]*[\p{Script=Han}\p{Script=Katakana}ー]*)?(?:(?<=\p{Script=Han}[\p{Script=Han}いきちみりえけせれぎじびげし]?\p{Script=Han})(?:[いきりみえけげち](?=[をはがのにでともへや]|[^\p{Script=Hiragana}]|$)|し(?=[にを])|[えけげれ](?=[るたてま])))?|[[\p{L}\p{N}]--[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]][[\p{L}\p{N}\p{M}'’._\-]--[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]]*/gv,
);
const compound = once(() => /[\p{Script=Han}\p{Script=Katakana}]/u);
const han = once(() => /\p{Script=Han}/u);
const hangul = once(() => /\p{Script=Hangul}/u);

/** A word and its key for comparison. */
export interface Word {
  readonly shown: string;
  readonly key: string;
  /** The weight of one mention: long words and words with capitals or digits weigh more. */
  readonly salience: number;
}

/** Matches words in other scripts: letters, digits and signs inside words. */
const runPattern = (text: string): RegExp =>
  isPlain(text) ? /[A-Za-z0-9][A-Za-z0-9'’._-]*/g : /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’._-]*/gu;

/**
 * The content words in a text, without function words and numbers of one or two digits. In scripts without spaces these
 * are compounds of Han and Katakana (Chinese is split at function characters); in Korean, nouns without particles and
 * endings. Uses no segmenter, so results do not depend on the ICU version. Linear.
 */
export function contentWords(text: string): readonly Word[] {
  const said = withoutMarks(text, () => " ");
  if (!eastAsian.test(said)) return wordsOf(said.match(runPattern(said)) ?? []);
  return runsOf(said).flatMap(({ words }) => words);
}

/** A run of letters and its words: none if it is a function word, several for a long run of Chinese. */
interface WordRun {
  readonly raw: string;
  readonly from: number;
  readonly words: readonly Word[];
}

/** The runs of letters in a text. */
export function runsOf(text: string): readonly WordRun[] {
  if (!eastAsian.test(text))
    return Array.from(text.matchAll(runPattern(text)), ({ 0: raw, index }) => {
      return { raw, from: index, words: wordsOf([raw]) };
    });
  const reading = han().test(text) && isChinese(text) ? "chinese" : "other";
  const runs: WordRun[] = [];
  for (const match of text.matchAll(eastAsianPattern())) {
    const raw = withoutVerb(match[0], text, match.index + match[0].length);
    if (raw === "") continue;
    const pieces = compound().test(raw) ? piecesOfCompound(raw, reading) : [raw];
    runs.push({ raw, from: match.index, words: wordsOf(pieces) });
  }
  return runs;
}

function wordsOf(pieces: readonly string[]): readonly Word[] {
  return pieces.map(wordOf).filter((word) => word !== null);
}

/** Hiragana that continue a verb stem: `迷って`, `考える`, `書いた`, `見てもらう`. */
const verbEnding =
  /^(?!たち|ため|せい|たり)(?:[っわえせてたれめべん]|い[たてだで]|[きりちみび][たま]|[けげせてねべめれ][るたてば])/u;

/** Stems of verbs that end in す. After most other characters, する follows a noun. */
const verbOfSu = /[試直渡戻探隠貸押]$/u;

/** Removes a verb stem at the end of a run, leaving the noun before it. */
function withoutVerb(raw: string, text: string, end: number): string {
  const next = text.charCodeAt(end);
  if (next < 0x3041 || next > 0x3096 || !/\p{Script=Han}$/u.test(raw)) return raw;
  const ending = text.slice(end, end + 2);
  const isVerb = verbEnding.test(ending) || (/^[しすさせ]/u.test(ending) && verbOfSu.test(raw));
  return isVerb ? raw.slice(0, -1) : raw;
}

type Form = Omit<Word, "salience">;

/** The content word for a run of letters; `null` if it is not one. */
const wordOf = remembering((raw): Word | null => {
  const form = cleanWord(raw);
  return form === undefined ? null : { ...form, salience: salience(form.shown) };
}, 50_000);

function cleanWord(raw: string): Form | undefined {
  const trimmed = raw.replace(/^['’._-]+|['’._-]+$/gu, "").replace(/['’]s$/u, "");
  if (hangul().test(trimmed)) return koreanWord(trimmed.normalize("NFC"));
  if (compound().test(trimmed)) return named(trimmed);
  const lower = (isAscii(trimmed) ? trimmed : trimmed.normalize("NFKC")).toLowerCase();
  if (stopWords.has(lower.replaceAll("’", "'").split("'")[0] ?? "") || /^\d{1,2}$/u.test(lower)) return undefined;
  return trimmed.length < 2 || trimmed.length > 48 ? undefined : { shown: trimmed, key: stem(lower) };
}

function koreanWord(word: string): Form | undefined {
  const noun =
    stopWords.has(word) || word.length > 48 || /^\d+\p{Script=Hangul}{1,3}$/u.test(word) ? undefined : koreanNoun(word);
  if (noun === undefined) return undefined;
  return isAscii(noun) ? cleanWord(noun) : named(noun);
}

const dates = /\d{1,4}[年月日時分秒週号周时](?:間|间|前|後|后)?/gu;
/** Numbers, with or without a Chinese counter, which are not part of a name. */
const counted = /(?<![A-Za-z0-9.])\d[\d.]*(?:毫秒|万元|[秒元个個次章页岁名人天点条台位])?/gu;
/** Longer compounds are split where the script changes. In characters. */
const longestCompound = 12;

function piecesOfCompound(raw: string, reading: "chinese" | "other"): readonly string[] {
  if (/^[「『《]/u.test(raw)) return [raw.slice(1)];
  if (adverbs.test(raw)) return piecesOfCompound(raw.replace(adverbs, ""), reading);
  const undated = /\d/u.test(raw) ? raw.replaceAll(dates, " ") : raw;
  const uncounted = reading === "chinese" ? undated.replaceAll(counted, " ") : undated;
  return uncounted
    .replace(/(?<=[A-Za-z0-9])[上中下里内時时]$/u, "")
    .split(" ")
    .flatMap((part) => {
      const cut = part
        .replaceAll(/\p{Script=Han}+/gu, (run) => piecesOfHan(run, reading).join(" "))
        .split(" ")
        .filter((piece) => piece !== "");
      return cut.flatMap((piece) =>
        piece.length <= longestCompound
          ? [piece]
          : (piece.match(/[\p{Script=Katakana}ー]+|[A-Za-z0-9._-]+|[^\p{Script=Katakana}ーA-Za-z0-9._-]+/gu) ?? []),
      );
    });
}

/** Adverbs before a verb, which are not part of a name. */
const adverbs = /^(?:[一二三]度|少し|全部|昨日|今日|明日|今朝|今夜|[来先今]週|[来先今]月|毎日)(?=.{2})/u;

/** A number with its counter, which is not a name. */
const quantity =
  /^[\d一二三四五六七八九十百千万数半毎]+(?:[枚人回個本円分年月日歳冊通名匹度章割件台頭杯階点秒社校店曲品着足袋箱編]|時間|週間|種類|[百千万]円|か月|ヶ月|曜日)(?:間|目|前|後)?$/u;

/** A word in a script without inflection; its key ignores width and case. */
function named(word: string): Form | undefined {
  if (Array.from(word).length < 2 || word.length > 48 || stopWords.has(word) || quantity.test(word.normalize("NFKC")))
    return undefined;
  return { shown: word, key: word.normalize("NFKC").toLowerCase() };
}

/** Removes an English ending; words of up to four letters stay. */
export function stem(word: string): string {
  return word.length <= 4 || !/^[a-z-]+$/u.test(word) ? word : withoutEnding(word, 4);
}

function salience(word: string): number {
  let value = Math.min(2, 0.6 + word.length / 12);
  if (/^\p{Lu}/u.test(word)) value += 0.5;
  if (/\d/u.test(word)) value += 0.3;
  if (/[._-]/u.test(word)) value += 0.2;
  return han().test(word) || hangul().test(word) ? value + 0.6 : value;
}

/**
 * Turns a word's key into one shared by all inflections of the English word: `deploy`, `deploys`, `deployed`; `cache`,
 * `caching`; `log`, `logs`.
 */
export const sameWord: (key: string) => string = remembering(uninflected, 50_000);

function uninflected(key: string): string {
  if (!/^[a-z]{4,}$/u.test(key)) return key;
  const single = key.length === 4 && /[^sui]s$/u.test(key) ? key.slice(0, -1) : key;
  const undoubled = single.length > 4 ? single.replace(/([bdgmnprt])\1$/u, "$1") : single;
  return undoubled.length > 4 ? undoubled.replace(/(?:ie|e|er|ment|ion|y)$/u, "") : undoubled;
}
