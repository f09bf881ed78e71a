// Compares a ROOT.md with the planted truth of its corpus. Pure: takes `{ lines, dropped }` and the truth, returns rows. A row has a value,
// a bound, and the items that failed.
import { indexParts, isIn, same, topicOf } from "./root-lines.mjs";

/** A row for a share. `least`: the required percentage. */
function share(name, all, missed, least) {
  const value = all.length === 0 ? 100 : (100 * (all.length - missed.length)) / all.length;
  return { name, value, unit: "%", least, holds: value >= least, missed };
}

function none(name, missed) {
  return { name, value: missed.length, unit: "", most: 0, holds: missed.length === 0, missed };
}

/** The requirements at the default of 3,000 tokens. */
export function truthRows({ lines, dropped }, truth) {
  const people = [...truth.user, ...truth.feedback];
  return [
    share("user and feedback facts in the index with a word", people, peopleMissing(lines, people, truth), 100),
    share("active projects in Active Context or the index", truth.active, activeMissing(lines, truth), 90),
    share("active projects shown with a word", truth.active, activeSilent(lines, truth), 90),
    share("corrections: what holds stands before what held", truth.corrections, correctionsMissing(lines, truth), 100),
    none("index lines with a wrong age", wrongAges(lines, truth)),
    none("topics that left the index out of turn", outOfTurn({ lines, dropped }, truth)),
    share("recurring lessons in Recent Patterns with days", truth.recurringLessons, lessonsMissing(lines, truth), 100),
    share("open items of the last week in Active Context", recentItems(truth), itemsMissing(lines, truth), 50),
    none("words of code and passing notes in ROOT.md", passed(lines, truth)),
  ];
}

/** The requirement at small caps: no `user` or `feedback` name is missing while a project is shown. */
export function namesBeforeProjects({ lines }, truth, cap) {
  const missing = [...truth.user, ...truth.feedback].filter(
    ({ topic }) => indexLine(lines, topic, truth) === undefined,
  );
  const others = lines.filter((line) => isIn(line, "Active Context") || indexParts(line.text)?.type === "project");
  const missed = others.length === 0 ? [] : missing.map(({ topic }) => topic);
  return none(`user and feedback names missing beside projects at ${cap}`, missed);
}

function peopleMissing(lines, people, truth) {
  return people
    .filter(({ topic, words }) => !hasWord(indexLine(lines, topic, truth)?.text, words))
    .map(({ topic }) => topic);
}

function activeMissing(lines, truth) {
  return truth.active.filter(({ topic }) => shown(lines, topic, truth).length === 0).map(({ topic }) => topic);
}

function activeSilent(lines, truth) {
  return truth.active
    .filter(({ topic, words }) => !shown(lines, topic, truth).some(({ text }) => hasWord(text, words)))
    .map(({ topic }) => topic);
}

function shown(lines, topic, truth) {
  return about(lines, topic, truth).filter((line) => isIn(line, "Active Context") || isIn(line, "Topics Index"));
}

/** Corrections for which no line of the topic has the current words, or a line has the old words before them. */
function correctionsMissing(lines, truth) {
  return truth.corrections
    .filter(({ topic, was, now }) => {
      const own = about(lines, topic, truth).map(({ text }) => text.slice(text.indexOf(": ")));
      return !own.some((text) => hasWord(text, now)) || own.some((text) => isReversed(text, was, now));
    })
    .map(({ topic, now }) => `${topic}: ${now.join(", ")}`);
}

function isReversed(text, was, now) {
  // `moved from Lisbon to Porto` says which of the two is over.
  const told = text.replace(/\bfrom \S+ to\b/u, "to");
  const first = (words) => Math.min(...words.map((word) => at(told, word)));
  return first(was) < first(now);
}

function at(text, word) {
  const found = same(text).indexOf(same(word));
  return found < 0 ? Number.POSITIVE_INFINITY : found;
}

function wrongAges(lines, truth) {
  return plantedDays(truth).flatMap(([topic, last]) => {
    const line = lines.find((one) => isIn(one, "Topics Index") && same(topicOf(one)) === same(topic));
    const wanted = daysBetween(last, truth.today);
    return line === undefined || indexParts(line.text)?.age === wanted ? [] : [`${line.text} (should be ${wanted}d)`];
  });
}

function plantedDays({ user, feedback, active, completed, silent, references }) {
  return [
    ...[...user, ...feedback].map(({ topic, days }) => [topic, days.at(-1)]),
    ...[...active, ...silent, ...references].map(({ topic, lastDay }) => [topic, lastDay]),
    ...completed.map(({ topic, doneDay }) => [topic, doneDay]),
  ];
}

export function daysBetween(from, to) {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}

/** Topics dropped in the wrong order. Completed topics go first, then those silent for more than 90 days, oldest first; active ones go last. */
function outOfTurn({ lines, dropped }, truth) {
  const done = new Set(truth.completed.map(({ topic }) => same(topic)));
  // Among found topics, coverage decides, not age.
  const planted = new Set(
    [...truth.active, ...truth.completed, ...(truth.silent ?? [])].map(({ topic }) => same(topic)),
  );
  const isPlanted = (topic) => !truth.untitled || planted.has(same(topic));
  const ranked = (list) =>
    list
      .filter((line) => isIn(line, "Topics Index"))
      .map(({ text }) => indexParts(text))
      .filter((parts) => parts?.type === "project" && isPlanted(parts.topic))
      .map((parts) => ({ ...parts, rank: done.has(same(parts.topic)) ? 0 : parts.age > 90 ? 1 : 2 }));
  const kept = ranked(lines);
  return ranked(dropped)
    .filter(({ topic }) => !lines.some((line) => isIn(line, "Active Context") && same(topicOf(line)) === same(topic)))
    .filter(({ rank, age }) => kept.some((one) => one.rank < rank || (one.rank === 1 && rank === 1 && one.age > age)))
    .map(({ topic, age }) => `${topic} (${age}d)`);
}

function lessonsMissing(lines, { recurringLessons }) {
  const patterns = lines.filter((line) => isIn(line, "Recent Patterns")).map(({ text }) => text);
  return recurringLessons
    .filter(({ text, days }) => {
      const words = same(text).match(/\p{L}{4,}/gu) ?? [];
      return !patterns.some(
        (line) =>
          words.filter((word) => same(line).includes(word)).length >= words.length * 0.6 &&
          line.includes(days.at(-1).slice(5)) &&
          (days.every((day) => line.includes(day.slice(5))) || line.includes(`${days.length} days`)),
      );
    })
    .map(({ text }) => text);
}

function recentItems({ openItems, today }) {
  return openItems.filter(({ day }) => daysBetween(day, today) < 7);
}

function itemsMissing(lines, truth) {
  const active = lines.filter((line) => isIn(line, "Active Context")).map(({ text }) => same(text));
  return recentItems(truth)
    .filter(({ text }) => {
      const words = same(text).match(/\p{L}{4,}/gu) ?? [];
      return !active.some((line) => words.filter((word) => line.includes(word)).length >= words.length * 0.6);
    })
    .map(({ topic, text }) => `${topic}: ${text}`);
}

function passed(lines, { passing }) {
  return lines.filter(({ text }) => passing.some((word) => text.includes(word))).map(({ text }) => text);
}

function indexLine(lines, topic, truth) {
  return about(lines, topic, truth).find((line) => isIn(line, "Topics Index"));
}

/** The lines named after the topic. If there are none, those whose name contains it and does not belong to another planted topic. */
function about(lines, topic, truth) {
  const wanted = same(topic);
  const exact = lines.filter((line) => same(topicOf(line)) === wanted);
  if (exact.length > 0) return exact;
  const others = new Set(plantedDays(truth).map(([name]) => same(name)));
  return lines.filter((line) => same(topicOf(line)).includes(wanted) && !others.has(same(topicOf(line))));
}

/** Whether the text contains one of the words. If a word has several parts separated by spaces, all must occur. */
function hasWord(text, words) {
  const own = same(text ?? "").replace(/^- .*?\]: /u, "");
  return words.some((word) =>
    same(word)
      .split(" ")
      .every((part) => own.includes(part)),
  );
}

/** The lines of ROOT.md from which a reader with this question would start, most likely first. */
export function linesForFact(lines, { topic, clues }) {
  const named = lines.filter((line) => same(topicOf(line)) === same(topic));
  const telling = lines.filter((line) => same(line.text).includes(same(topic)));
  const hinted = lines.filter((line) => clues.some((clue) => same(line.text).includes(same(clue))));
  return [...new Set([...named, ...telling, ...hinted])].slice(0, 4);
}

const mostOpened = 60;

/** Whether one of the places includes the fact's line. If there are many places, a reader opens only those that name the topic. */
export function leadsTo(places, { topic, path, line }) {
  const opened =
    places.length <= mostOpened ? places : places.filter(({ text }) => same(text.split("\n")[0]).includes(same(topic)));
  return (
    opened.length <= mostOpened &&
    opened.some(({ path: file, lines: [from, to] }) => file === path && from <= line && line <= to)
  );
}
