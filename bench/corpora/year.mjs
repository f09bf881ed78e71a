// A year of a developer's typed entries, generated from a seed, with planted truth: facts, corrections, the state of
// projects, and the locations of five facts.
import { createRandom, daysOf2025, writeLogs } from "./seeded.mjs";
import { asideLines, endingLines, personLines, projectLines, referenceLines } from "./year-entries.mjs";
import { corrections, feedbackRules, references, userFacts } from "./year-people.mjs";
import { asides, passingWords } from "./year-fragments.mjs";
import { openItems, recurringLessons, yearFacts } from "./year-facts.mjs";
import { abandonedProjects, activeProjects, completedProjects } from "./year-work.mjs";

export const yearToday = "2025-12-31";

/** Writes `memory/YYYY-MM-DD.md` of 2025 below `dir`; returns the planted truth. */
export function writeYear(dir, { seed }) {
  const { logs, truth } = composeYear({ seed });
  writeLogs(dir, logs);
  return truth;
}

/** Returns the year without writing it: `[date, lines]` of each log, and the truth. */
export function composeYear({ seed }) {
  const random = createRandom(seed);
  const dates = workdays(random);
  const plan = new Map(dates.map((date) => [date, []]));
  planPeople({ random, dates, plan });
  planReferences({ random, dates, plan });
  const projects = planProjects({ random, dates, plan });
  planAsides({ random, dates, plan });
  const lessons = planLessons({ random, dates, plan });
  plantFacts(plan);
  const logs = dates.map((date) => [date, logLines(date, plan.get(date))]);
  return { logs, truth: truthOf({ plan, projects, lessons, logs }) };
}

function workdays(random) {
  const free = /-(?:01-0[1-3]|04-18|04-25|05-01|06-10|08-1[1-9]|08-2[0-2]|12-2[4-6])$/u;
  return daysOf2025()
    .filter(({ date, weekday }) => !free.test(date) && (weekday < 5 || (weekday === 5 && random.chance(0.08))))
    .map(({ date }) => date);
}

/** Facts and rules. Each appears one to four times; a corrected one appears once as it was and once corrected. */
function planPeople({ random, dates, plan }) {
  const corrected = new Map(corrections.map(([topic, , , lines]) => [topic, lines]));
  const rows = [
    ...userFacts.map(([topic, , lines]) => ({ topic, type: "user", lines: lines.map((line) => `- ${line}`) })),
    ...feedbackRules.map(([topic, , rule, why, how]) => ({
      topic,
      type: "feedback",
      lines: [`- rule: ${rule}`, `- why: ${why}`, `- how-to-apply: ${how}`],
    })),
  ];
  for (const row of rows) {
    const later = corrected.get(row.topic);
    const first = random.below(later === undefined ? 170 : 80);
    plan.get(dates[first]).push(personLines(random, row));
    if (later !== undefined)
      plan.get(dates[random.between(175, 235)]).push(personLines(random, { ...row, lines: later }));
    else
      for (let again = random.below(4); again > 0; again--)
        plan.get(dates[random.between(first + 1, dates.length - 4)]).push(personLines(random, row));
  }
}

function planReferences({ random, dates, plan }) {
  for (const row of references)
    for (let time = random.between(1, 3); time > 0; time--)
      plan.get(random.pick(dates)).push(referenceLines(random, row));
}

/** Each project has a span of days. Two to four projects in progress get an entry each day; a project's first and last day always have one. */
function planProjects({ random, dates, plan }) {
  const last = dates.length - 1;
  const spans = [
    ...activeProjects.map((project, at) => {
      const to = at % 2 === 0 ? last - random.below(4) : last - random.below(14);
      return { ...project, kind: "active", from: random.between(110, 205), to };
    }),
    ...completedProjects.map((project, at) => {
      const from = Math.floor((at * (last - 60)) / completedProjects.length);
      return { ...project, kind: "completed", from, to: Math.min(from + random.between(14, 60), last - 8) };
    }),
    ...abandonedProjects.map((project, at) => {
      const from = Math.floor((at * (last - 110)) / abandonedProjects.length);
      return { ...project, kind: "silent", from, to: from + random.between(8, 40) };
    }),
  ];
  dates.forEach((date, at) => {
    const under = spans.filter(({ from, to }) => from < at && at < to);
    const bound = spans.filter(({ from, to }) => from === at || to === at);
    for (const span of [...bound, ...random.sample(under, random.between(2, 4))]) {
      span.count = (span.count ?? 0) + 1;
      const lines =
        span.kind === "completed" && span.to === at ? endingLines(random, span) : projectLines(random, span);
      if (span.kind === "active" && span.to === at) lines.push(...openOf(span.topic).map((text) => `- open: ${text}`));
      plan
        .get(date)
        .push({ topic: span.topic, type: "project", lines, tagged: random.chance(0.85), style: random.pick(styles) });
    }
  });
  return spans;
}

const styles = [...Array(16).fill("plain"), "star", "star", "number", "bold"];

function openOf(topic) {
  return openItems.filter(([of]) => of === topic).map(([, text]) => text);
}

function planAsides({ random, dates, plan }) {
  for (const date of dates) {
    if (random.chance(0.25)) plan.get(date).push(asideLines(random, ["Standup"]));
    if (random.chance(0.12)) plan.get(date).push(asideLines(random, ["Scratch"]));
  }
  for (const aside of asides) plan.get(random.pick(dates)).push(asideLines(random, aside));
}

/** Adds the same lesson to some project's entry on three to five days, the last two late in the year. */
function planLessons({ random, dates, plan }) {
  return recurringLessons.map((text) => {
    const days = [
      ...random.sample(dates.slice(20, 180), random.between(1, 3)),
      ...random.sample(dates.slice(200, dates.length - 3), 2),
    ].toSorted();
    const told = days.filter((date) => {
      const entry = plan
        .get(date)
        .find(({ type, lines }) => type === "project" && !lines.some((line) => line.includes("[x]")));
      entry?.lines.push(`- lesson: ${text}`);
      return entry !== undefined;
    });
    return { text, days: told };
  });
}

/** Adds each fact as a line to one entry of its topic. A specific reason replaces the general one. */
function plantFacts(plan) {
  for (const { topic, entry, line } of yearFacts) {
    const entries = [...plan.values()].flat().filter((candidate) => candidate.topic === topic);
    const { lines } = entries[entry - 1];
    const same = line.startsWith("- why:") ? lines.findIndex((other) => other.startsWith("- why:")) : -1;
    lines.splice(same < 0 ? lines.length : same, same < 0 ? 0 : 1, line);
  }
}

function logLines(date, entries) {
  const lines = [`# ${date}`];
  for (const { topic, type, tagged, comment, style, lines: body } of entries) {
    lines.push("", `## ${topic}${tagged === false ? "" : ` [${type}]`}`);
    if (comment !== undefined) lines.push(comment.replace("DAY", date));
    lines.push(...body.map((line) => styled(line, style)));
  }
  return lines;
}

/** Varies the markup: people and agents mark lists and keys in different ways. */
function styled(line, style) {
  if (style === "star") return line.replace(/^( *)- /u, "$1* ");
  if (style === "number") return line.replace(/^- (?!\[)/u, "1. ");
  return style === "bold" ? line.replace(/^- (\w+):/u, "- **$1:**") : line;
}

function truthOf({ plan, projects, lessons, logs }) {
  const days = new Map();
  for (const [date, entries] of plan)
    for (const { topic } of entries) days.set(topic, [...new Set([...(days.get(topic) ?? []), date])]);
  const lastOf = (topic) => days.get(topic).at(-1);
  const now = new Map(corrections.map(([topic, , words]) => [topic, words]));
  const person = ([topic, words]) => ({ topic, words: (now.get(topic) ?? words).split("; "), days: days.get(topic) });
  const ofKind = (kind) => projects.filter((project) => project.kind === kind);
  return {
    today: yearToday,
    user: userFacts.map(person),
    feedback: feedbackRules.map(person),
    corrections: corrections.map(([topic, was, is]) => ({
      topic,
      was: was.split("; "),
      now: is.split("; "),
      wasDay: days.get(topic)[0],
      nowDay: lastOf(topic),
    })),
    active: ofKind("active").map(({ topic, things }) => ({ topic, lastDay: lastOf(topic), words: things.slice(0, 3) })),
    completed: ofKind("completed").map(({ topic }) => ({ topic, doneDay: lastOf(topic) })),
    silent: ofKind("silent").map(({ topic }) => ({ topic, lastDay: lastOf(topic) })),
    references: references.map(([topic, url]) => ({ topic, url, lastDay: lastOf(topic) })),
    recurringLessons: lessons,
    openItems: openItems.map(([topic, text]) => ({ topic, text, day: lastOf(topic) })),
    facts: yearFacts.map((fact) => placed(fact, logs)),
    passing: passingWords,
  };
}

/** Locates the line of a fact; `line` is 1-based. */
function placed({ topic, question, clues, word, line: text }, logs) {
  const said = text.split(": ").at(-1);
  for (const [date, lines] of logs) {
    const at = lines.findIndex((line) => line.includes(word) && line.includes(said.replace(/^- /u, "")));
    if (at >= 0) return { question, topic, clues, word, period: date, path: `memory/${date}.md`, line: at + 1 };
  }
  throw new Error(`no log has the fact about ${topic}`);
}
