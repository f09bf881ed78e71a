import { once } from "../../base/lines.ts";
import { listMark } from "../../base/markdown.ts";
import { patternFor } from "../words/scripts.ts";

/** A one-word item key such as `files: …`. It names the kind of content and recurs in every entry. */
export const plainKey = /^\s*[a-z_-]{2,20}:\s+(?=\S)/u;

/** Maximum length of a summary line, in characters. */
export const longestText = 220;

const opening = once(
  () =>
    new RegExp(
      String.raw`^(?:\s*(?:${listMark}|\[[ xX]\]\s+|#{1,6}\s+|>\s+|\*\*(?:context|note|notes|summary|background|details?|info|참고|메모|備考|背景|说明|备注)\s*[:：]?\*\*\s*[:：]?\s*))+`,
      "iu",
    ),
);

/** The text on one line, without list markers, check boxes, numbering and markup. Collapses spaces and shortens with `quoted`. */
export function tidy(text: string, most: number = longestText): string {
  const said = /^\s*(?:[-*+>#[–—ー•·‣・･●○■□◆◇▪※]|\d)/u.test(text) ? text.replace(opening(), "") : text;
  const flat = !/[*_`\p{Cc}]|\s\s|[^\S ]/u.test(said)
    ? said.trim()
    : withoutEmphasis(said)
        .replaceAll(/[\p{Cc}\s]+/gu, " ")
        .trim();
  return quoted(flat, most);
}

const emphasis = once(() => /(?<![\p{L}\p{N}_*/.])(\*\*|__)(?=[^\s*_])(.+?)(?<=[^\s*_])\1(?![\p{L}\p{N}_*/])/gu);

/** The part between double underscores in `__vite_ssr_identity__`. */
const identifier = /^[a-z0-9]+(?:_[a-z0-9]+)+$/u;

/**
 * Removes bold and code markup, but keeps asterisks and underscores that belong to a path or a pattern: `src/**`,
 * `__init__.py`.
 */
export function withoutEmphasis(text: string): string {
  return text
    .replaceAll(emphasis(), (whole, mark: string, said: string) =>
      mark === "__" && identifier.test(said) ? whole : said,
    )
    .replaceAll("`", "");
}

/**
 * Clause ends, where a text may be cut: after punctuation followed by a space, or after punctuation of scripts without
 * spaces.
 */
const clauseEnd = /[;:,،؛…)](?=\s)|\s[–—-](?=\s)|[；、，]/gu;
/** The start of a sentence that retracts or narrows the one before. */
const takesBack =
  /^(?:but|however|except|unless|only|although|though|instead|not|aber|außer|jedoch|allerdings|nur|mais|sauf|cependant|pero|sino|salvo|excepto|mas|porém|ma|però|tranne|ale|но|кроме|однако|하지만|그러나|단[, ]|しかし|ただし|但|不过|除)/iu;

/**
 * Shortens a text to about `most` characters without changing its meaning. Cuts after a sentence that the next one does
 * not retract, else after a clause, else after a word; never inside a number, quotation, bracket or URL. A sentence with
 * a negation, exception or condition stays whole up to twice the length; if it does not fit, the result is empty. An
 * ellipsis marks the cut. Linear.
 */
export function quoted(text: string, most: number): string {
  if (text.length <= most || Array.from(text).length <= most) return text;
  const found: number[] = [];
  for (const sentence of sentencesOf(text)) found.push(text.indexOf(sentence, found.at(-1) ?? 0) + sentence.length);
  const closed = closedPlaces(text);
  const ends = found.filter((end) => closed[end - 1] !== true);
  const sentences = ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end).trim());
  let kept = ends.filter((end) => Array.from(text.slice(0, end)).length < most).length;
  while (kept > 0 && takesBack.test(sentences[kept] ?? "")) kept -= 1;
  if (kept > 0) return `${text.slice(0, ends[kept - 1])}…`;
  const [first = text, second = ""] = sentences;
  if (takesBack.test(second)) return "";
  if (isPolar(first)) return Array.from(first).length <= most * 2 ? `${first}${second === "" ? "" : "…"}` : "";
  return cutInside(first, most);
}

function cutInside(sentence: string, most: number): string {
  const cut = Array.from(sentence)
    .slice(0, most - 1)
    .join("");
  const closed = closedPlaces(sentence);
  const isFree = (at: number): boolean => closed[at] !== true;
  let clause = 0;
  for (const match of cut.matchAll(clauseEnd)) if (isFree(match.index)) clause = match.index + match[0].length;
  if (clause > cut.length * 0.4) return ended(cut.slice(0, clause));
  let space = cut.lastIndexOf(" ");
  while (space > 0 && (!isFree(space) || /\d\S*$/u.test(cut.slice(0, space)) || /^ \S*\d/u.test(sentence.slice(space))))
    space = cut.lastIndexOf(" ", space - 1);
  if (space > cut.length * 0.4) return ended(cut.slice(0, space));
  if (cut.includes(" ") && !isEastAsian().test(cut)) return "";
  const end = wordEnd(cut, sentence.slice(cut.length));
  return isFree(end) ? ended(cut.slice(0, end)) : "";
}

const isEastAsian = once(() => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u);

function ended(text: string): string {
  return `${text.replace(/[\s,;:،、，–—-]+$/u, "")}…`;
}

const enclosed = once(
  () =>
    /"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|`[^`]*`|「[^「」]*」|『[^『』]*』|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])|\([^()]*\)|（[^（）]*）|\[[^[\]]*\]|(?<![a-z])[a-z]+:\/\/\S+|\d[\d.,:/\u00a0 ]*\d/giu,
);

/** Positions inside a quotation, bracket, URL or number. */
function closedPlaces(text: string): readonly boolean[] {
  const closed: boolean[] = [];
  for (const { 0: match, index } of text.matchAll(enclosed()))
    for (let at = index; at < index + match.length - 1; at++) closed[at] = true;
  return closed;
}

/** Where the last whole word ends if there is no space nearby. Does not split a run of one script or a joined emoji. */
function wordEnd(cut: string, rest: string): number {
  const joined = /(?:\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?\u200d)+$/u.exec(cut)?.[0];
  if (joined !== undefined) return cut.length - joined.length;
  const run =
    /(?:[\p{Script=Katakana}ー]+|[A-Za-z0-9._-]+|\p{L}\p{M}*|(?:\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?\u200d?)+)$/u.exec(
      cut,
    )?.[0] ?? "";
  const goesOn =
    /^(?:\p{M}|\u200d|\p{Emoji_Modifier})/u.test(rest) ||
    (/^[\p{Script=Katakana}ーA-Za-z0-9]/u.test(rest) && /[\p{Script=Katakana}ーA-Za-z0-9._-]$/u.test(run));
  return goesOn && run.length < 40 ? cut.length - run.length : cut.length;
}

const mayEndSentence = /[.!?…]["”')\]]?\s|[。！？]/u;

/** The start of a sentence that is an exception to the previous one. */
const exception = String.raw`(?:Except|Unless|Only (?:if|when)|But (?:not|never|only)|Außer|Es sei denn|Nur (?:wenn|nicht)|Aber nicht|Sauf|Mais pas|Excepto|Salvo|Pero no|Exceto|Mas não|Tranne|Ma non|Кроме|Но не|단|다만)(?![\p{L}])`;

/** Whether a text starts as an exception to the previous sentence. */
export function isException(text: string): boolean {
  return exceptionStart().test(text);
}

const exceptionStart = once(() => new RegExp(`^${exception}|^(?:ただし|但|除)`, "iu"));
const sentenceEnd = patternFor(
  String.raw`(?<=[.!?…]["”')\]]?)(?<!(?<![\p{L}\p{N}])(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|vs|No|Nr|[Ii]n[ck]l|[Ee]x[ck]l|[Aa]pprox|[\p{Lu}])\.)(?<!(?<![\p{L}\p{N}])[\p{L}]{1,4}\.(?=\s+[\p{N}]))(?<!(?<![\p{L}\p{N}])(?:[Vv]om|[Zz]um|[Bb]eim|[Dd]er|[Dd]em|[Dd]en|[Dd]es|[Ii]m) \d{1,2}\.)(?!\s+(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)(?![\p{L}])(?<=\d\.\s+[\p{L}]+))\s+(?!${exception})(?=[\p{Lu}\p{Lo}\p{N}'(])|(?<=[。！？])(?!\s*(?:ただし|但|除))`,
  "u",
);

/**
 * Splits a text into sentences: at `.`, `!`, `?` before a space (but not after an abbreviated title or first name, or a
 * German ordinal as in `am 12. Juni`), and at Chinese and Japanese full stops. A sentence that is an exception to the
 * previous one stays with it.
 */
export function sentencesOf(text: string): readonly string[] {
  if (!mayEndSentence.test(text)) {
    const whole = text.trim();
    return whole === "" ? [] : [whole];
  }
  const pieces = text.split(sentenceEnd(text));
  return wholeQuotations(pieces, text)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** Longer quotations are split into sentences. In characters. */
const longestQuotation = 400;

/** Joins the pieces of a quotation with the text before it, so quoted words never appear without their quotation marks. */
function wholeQuotations(pieces: readonly string[], text: string): readonly string[] {
  if (!/["“„«「『]/u.test(text)) return pieces;
  const whole: string[] = [];
  let at = 0;
  for (let index = 0; index < pieces.length;) {
    const from = text.indexOf(pieces[index] ?? "", at);
    let [end, next] = [from + (pieces[index] ?? "").length, index + 1];
    for (let [last, more] = [end, next]; more < pieces.length && isOpenQuotation(text.slice(from, last));) {
      const piece = pieces[more] ?? "";
      last = text.indexOf(piece, last) + piece.length;
      more += 1;
      if (last - from > longestQuotation) break;
      if (!isOpenQuotation(text.slice(from, last))) [end, next] = [last, more];
    }
    whole.push(text.slice(from, end));
    [at, index] = [end, next];
  }
  return whole;
}

const quotations = ["“”", "„“", "«»", "「」", "『』"];

function isOpenQuotation(text: string): boolean {
  const count = (sign: string): number => text.split(sign).length - 1;
  return (
    count('"') % 2 === 1 ||
    quotations.some(([open = "", close = ""]) => count(open) > count(close) && !(open === "“" && text.includes("„")))
  );
}

/** Words for negation, prohibition, exception, obligation and condition in the supported languages. */
const words = once(
  () =>
    /(?<![\p{L}\p{N}_])(?:not|never|no|none|nothing|nobody|nowhere|neither|nor|cannot|\p{L}+n['’]t|without|except|unless|only|always|must|but|however|although|though|until|instead|avoid|if|nicht|kein(?:e[nmrs]?)?|nie(?:mals)?|nur|immer|muss|müssen|aber|außer|ohne|falls|sondern|statt|ne|pas|jamais|aucune?|rien|sauf|seulement|toujours|mais|sans|si|doit|nunca|jamás|ning[uú]n[ao]?|nada|sin|salvo|excepto|s[oó]lo|siempre|pero|debe|sino|não|nem|sem|exceto|apenas|somente|sempre|mas|deve|non|mai|senza|tranne|soltanto|deve|però|nie|nigdy|bez|tylko|zawsze|ale|oprócz|musi|не|нет|никогда|без|кроме|только|всегда|но|нельзя|должн\p{L}*|değil|asla|hiç|yalnızca|sadece|her zaman|ama|hariç|لا|ليس|لم|لن|أبدا|فقط|دائما|नहीं|मत|कभी|केवल|सिर्फ)(?![\p{L}\p{N}_])|않|없|안 |못|말 것|마세요|말아|만 |항상|반드시|절대|하지만|제외|ない|ません|なく|禁止|だけ|のみ|必ず|絶対|しかし|除|ずに|不|没|沒|無|无|未|别|勿|只|仅|必须|总是|但|除了/iu,
);

/**
 * Whether a text contains a negation, exception, obligation or condition, so it must be shown whole or not at all.
 * Linear.
 */
export function isPolar(text: string): boolean {
  return words().test(text);
}

/** The start of a correction, in lower case: `correction on the lease: …`. */
export const correction =
  /^(?:correction|corrected|korrektur|berichtigung|corrección|correção|correzione|исправление|поправка|정정|訂正|修正|更正|纠正)(?![a-zß-ÿа-яё])[^:：]{0,30}[:：]\s*/u;
