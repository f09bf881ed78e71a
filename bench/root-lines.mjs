// Checks the lines of ROOT.md against their format. Pure: takes lines and texts, returns findings.

const index =
  /^- (?<topic>\S(?:.*?\S)?) \[(?<type>project|feedback|user|reference), (?<age>\d+)d(?<doubt>, \?)?(?:, by (?:agent|tool|import|file))?\](?:: (?<keywords>\S.*?))?(?: → (?<pointer>\S+))?$/u;

const formats = {
  "Active Context": /^- \S[^\n]*?: \S[^\n]*$/u,
  "Recent Patterns": /^- \S[^\n]*?: \S[^\n]*$/u,
  "Historical Summary": /^- \d{4}-\d\d(?:~(?:\d{4}-)?\d\d)?: \S[^\n]*$/u,
  "Topics Index": index,
};

const mostKeywords = 12;

/** The parts of a line of the Topics Index; `undefined` for any other line. */
export function indexParts(text) {
  const groups = index.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { topic, type, age, doubt, keywords, pointer } = groups;
  return {
    topic,
    type,
    age: Number(age),
    doubtful: doubt !== undefined,
    keywords: keywords === undefined ? [] : keywords.split(", "),
    pointer: pointer ?? "",
  };
}

/** The name before the colon or the tag. */
export function topicOf({ section, text }) {
  if (section === "Topics Index") return indexParts(text)?.topic ?? "";
  return text.slice(2, Math.max(2, text.indexOf(": ")));
}

export function isIn(line, section) {
  return line.section.startsWith(section);
}

/** The faulty lines of a ROOT.md by kind of fault. `raw`: the texts of all raw logs. */
export function formatFindings(lines, raw) {
  const words = wordsOf(raw);
  const bounds = japaneseBounds(raw);
  const texts = lines.map(({ text }) => text);
  return {
    "lines out of their format": texts.filter((_, at) => !isFormatted(lines[at])),
    "index lines with more than 12 keywords": texts.filter(
      (text, at) => isIn(lines[at], "Topics Index") && (indexParts(text)?.keywords.length ?? 0) > mostKeywords,
    ),
    "`?` missing or out of place": texts.filter((text, at) => isIn(lines[at], "Topics Index") && isDoubtWrong(text)),
    "lines that stand twice": texts.filter((text, at) => texts.findIndex((other) => same(other) === same(text)) < at),
    "lines with a keyword twice": texts.filter((text, at) => isIn(lines[at], "Topics Index") && saysTwice(text)),
    "topics that stand twice in the index": lines
      .filter((line, at) => isIn(line, "Topics Index") && lines.findIndex((other) => isSameTopic(other, line)) < at)
      .map(({ text }) => text),
    "lines with marks of the source": texts.filter((text) => hasSourceMarks(text)),
    "lines with a cut word": texts.filter((text, at) => cutWords(lines[at], words, bounds).length > 0),
  };
}

function isFormatted({ section, text }) {
  const known = Object.keys(formats).find((name) => section.startsWith(name));
  return known !== undefined && formats[known].test(text) && text === text.trimEnd() && !/\s{2}/u.test(text);
}

function isDoubtWrong(text) {
  const parts = indexParts(text);
  return parts !== undefined && parts.doubtful !== (parts.type === "reference" && parts.age > 30);
}

function saysTwice(text) {
  const keywords = (indexParts(text)?.keywords ?? []).map(same);
  return new Set(keywords).size < keywords.length;
}

function isSameTopic(a, b) {
  return topicOf(a) !== "" && isIn(a, "Topics Index") && same(topicOf(a)) === same(topicOf(b));
}

export function same(text) {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}

/** Whether a line contains list markers, check boxes, emphasis, headings or fences from the raw logs. */
function hasSourceMarks(text) {
  return /(?:^- |: |; |, )(?:[-*+•] |\d{1,3}[.)] |\[[ xX]\](?: |$)|#{1,6} |>\s)|\*\*|```|<!--/u.test(text);
}

const ownWords = new Set([
  "on",
  "was",
  "topics",
  "days",
  "day",
  "done",
  "learned",
  "at",
  "least",
  "said",
  "open",
  "since",
  "times",
]);

/** Words that are not whole words in any raw log. Latin words are delimited by other characters, Japanese words by ICU word breaks. */
function cutWords({ section, text }, words, bounds) {
  const shown = section === "Topics Index" ? text.replace(/ \[[a-z]+, [^\]]*\]/u, "").replace(/ → \S+$/u, "") : text;
  const parts = shown.match(/[\p{L}\p{N}]+/gu) ?? [];
  const latin = parts.filter(
    (word) => /^[a-z]{3,}$/iu.test(word) && !words.has(word.toLowerCase()) && !ownWords.has(word.toLowerCase()),
  );
  if (section !== "Topics Index") return latin;
  const keywords = indexParts(text)?.keywords ?? [];
  return [...latin, ...keywords.filter((keyword) => japanese.test(keyword) && !bounds(keyword))];
}

const japanese = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{2,}$/u;

/** All words in the texts, in lower case. */
function wordsOf(texts) {
  const words = new Set();
  for (const text of texts) for (const [word] of text.matchAll(/[\p{L}\p{N}]+/gu)) words.add(word.toLowerCase());
  return words;
}

/**
 * Returns a test for Japanese keywords: whether a keyword is a whole word somewhere in the texts, i.e. begins and ends at word breaks, or no ending follows
 * it. 昨日書 in 昨日書いた is not a word. Keywords that occur in no Japanese line pass.
 */
function japaneseBounds(texts) {
  const lines = [...new Set(texts.flatMap((text) => text.split("\n")))].filter((line) => /[\u3040-\u30ff]/u.test(line));
  const breaks = new Map();
  const breaksOf = (line) => {
    if (!breaks.has(line)) breaks.set(line, wordBreaks(line));
    return breaks.get(line);
  };
  return (keyword) => {
    const places = lines.flatMap((line) =>
      placesIn(line, keyword).map((at) => ({ line, at, end: at + keyword.length })),
    );
    return (
      places.length === 0 ||
      places.some(
        ({ line, at, end }) => hasNoEnding(line.slice(end)) || (breaksOf(line).has(at) && breaksOf(line).has(end)),
      )
    );
  };
}

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });

function wordBreaks(line) {
  return new Set([...segmenter.segment(line)].flatMap((part) => [part.index, part.index + part.segment.length]));
}

function placesIn(line, keyword) {
  const places = [];
  for (let at = line.indexOf(keyword); at >= 0; at = line.indexOf(keyword, at + 1)) places.push(at);
  return places;
}

/** Whether no ending of the word follows: no hiragana, or a particle. */
function hasNoEnding(rest) {
  return !/^\p{Script=Hiragana}/u.test(rest) || /^(?:[はがをにのでとへもや、。]|から|まで|だけ|だ|です)/u.test(rest);
}
