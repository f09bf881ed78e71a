// Makes ten years of logs from a corpus of a few months. Each day gets random sections of the corpus, with dates set to that day and some words and
// numbers replaced, so no two days are alike and the vocabulary grows.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generator } from "../recall-conversation-score.mjs";

const syllables = "ka re mo lin tas ver no bel dra shi on ul mar ce fi gor than wy pel zu".split(" ");

/** Writes `days` logs, about `megabytes` in total, ending on `lastDay`. Deterministic for a given corpus and seed. Returns the total bytes. */
export function writeDecade(corpus, folder, { days = 3650, megabytes = 200, lastDay = "2023-06-30", seed = 7 } = {}) {
  mkdirSync(folder, { recursive: true });
  const next = generator(seed);
  const sections = readdirSync(corpus)
    .filter((name) => name.endsWith(".md"))
    .sort()
    .flatMap((name) => sectionsOf(readFileSync(join(corpus, name), "utf8")));
  const words = [...new Set(sections.flatMap((text) => text.match(/\b[a-z]{5,}\b/gu) ?? []))];
  const least = (megabytes * 1e6) / days;
  const last = Date.parse(`${lastDay}T00:00:00Z`);
  let bytes = 0;
  for (let back = days - 1; back >= 0; back--) {
    const day = new Date(last - back * 86_400_000).toISOString().slice(0, 10);
    let text = `# ${day}\n`;
    // Computed from the running total, so the sum comes out as requested.
    const wanted = least * (days - back) - bytes;
    while (text.length < wanted) text += `\n${varied(sections[next(sections.length)], day, words, next)}`;
    bytes += Buffer.byteLength(text);
    writeFileSync(join(folder, `${day}.md`), text);
  }
  return bytes;
}

/** The sections below level 2 headings. */
function sectionsOf(text) {
  return text
    .split(/^(?=## )/mu)
    .filter((part) => part.startsWith("## "))
    .map((part) => `${part.trimEnd()}\n`);
}

/** Replaces about one word in twenty with another word of the corpus, one in 300 with a made-up name, and one number in three. */
function varied(section, day, words, next) {
  const exchanged = new Map();
  return section.replaceAll(/\d{4}-\d\d-\d\d|\b(?:[a-z]{5,}|[A-Z][a-z]{4,}|\d+)\b/gu, (word) => {
    if (/^\d+-/u.test(word)) return day;
    const known = exchanged.get(word) ?? exchangedFor(word, words, next);
    exchanged.set(word, known);
    return known;
  });
}

function exchangedFor(word, words, next) {
  if (/^\d/u.test(word)) return next(3) === 0 ? String(next(10 ** Math.min(word.length, 4))) : word;
  if (next(300) === 0) return nameOf(next);
  if (next(20) === 0) return words[next(words.length)];
  return word;
}

function nameOf(next) {
  const name = Array.from({ length: 2 + next(3) }, () => syllables[next(syllables.length)]).join("");
  return name[0].toUpperCase() + name.slice(1);
}

/** The names of the logs in a folder, oldest first. */
export function daysIn(folder) {
  return readdirSync(folder)
    .filter((name) => /^\d{4}-\d\d-\d\d\.md$/u.test(name))
    .sort();
}

/** Adds a section to a log. A different one for each number. */
export function changeDay(folder, log, number) {
  const text = `\n## Change ${number} [project]\n\nUser: I moved change number ${number} to the other machine.\n`;
  appendFileSync(join(folder, log), text);
}
