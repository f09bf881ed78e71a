// A bilingual notebook of 120 days, generated from a seed, with planted truth: free-form notes in Korean and Japanese, with and without headings,
// lists and check boxes. Few of them have a type.
import { createRandom, daysOf2025, filled, writeLogs } from "./seeded.mjs";
import { notebookProjects } from "./notebook-projects.mjs";
import { dayWords, generalJa, generalKo, notebookFacts, notebookPeople } from "./notebook-texts.mjs";

export const notebookToday = "2025-12-31";

/** Writes `memory/YYYY-MM-DD.md` of 2025 below `dir`; returns the planted truth. */
export function writeNotebook(dir, { seed }) {
  const { logs, truth } = composeNotebook({ seed });
  writeLogs(dir, logs);
  return truth;
}

/** Returns the notebook without writing it: `[date, lines]` of each log, and the truth. */
export function composeNotebook({ seed }) {
  const random = createRandom(seed);
  const all = daysOf2025().map(({ date }) => date);
  // Includes some of the last days, so some projects are active at the end.
  const dates = [...random.sample(all.slice(0, -6), 116), ...random.sample(all.slice(-6), 4)].toSorted();
  const plan = new Map(dates.map((date) => [date, []]));
  planPeople(random, plan);
  planProjects(random, plan);
  planReviews(random, plan);
  plantFacts(plan);
  const logs = dates.map((date) => [date, logLines(random, date, plan.get(date))]);
  return { logs, truth: truthOf(plan, logs) };
}

function planPeople(random, plan) {
  const dates = [...plan.keys()];
  const seen = new Set();
  for (const [topic, type, , lines] of notebookPeople) {
    const date = seen.has(topic) ? dates[random.between(80, 105)] : dates[random.between(2, 60)];
    seen.add(topic);
    plan.get(date).push({ topic, heading: `## ${topic} [${type}]`, lines: [...lines] });
  }
}

function planProjects(random, plan) {
  const dates = [...plan.keys()];
  const last = dates.length - 1;
  for (const project of notebookProjects) {
    const from = project.kind === "active" ? random.between(3, 50) : random.between(0, 40);
    const to = { active: last - random.below(5), completed: from + random.between(20, 50), silent: from + 25 }[
      project.kind
    ];
    const between = random.sample(dates.slice(from + 1, to), Math.ceil((to - from) / 5));
    const days = [dates[from], ...between, dates[to]].toSorted();
    days.forEach((date, at) => {
      const ends = project.kind === "completed" && at === days.length - 1;
      plan.get(date).push(ends ? endOf(random, project) : noteOf(random, project, at));
    });
  }
}

/** On three days, a long review of every project in progress. */
function planReviews(random, plan) {
  const dates = [...plan.keys()];
  for (const at of [48, 70, 92])
    for (const project of notebookProjects) {
      const days = dates.filter((date) => plan.get(date).some(({ topic }) => topic === project.topic));
      if (days[0] >= dates[at] || days.at(-1) <= dates[at]) continue;
      const general = generalOf(project);
      const say = (list) => filled(random.pick(list), slots(random, project));
      const notes = Array.from({ length: 28 }, () => `- ${say(general.notes)}`);
      const lines = [...project.own.map((own) => `- ${own}`), ...new Set(notes), `- ${say(general.decisions)}`];
      plan.get(dates[at]).push({ topic: project.topic, heading: `## ${project.topic}`, lines });
    }
}

function noteOf(random, project, at) {
  const general = generalOf(project);
  const say = (list) => filled(random.pick(list), slots(random, project));
  const own = project.own[at % project.own.length];
  const lines = [];
  if (random.chance(0.4)) lines.push(`${own} ${say(general.notes)}`);
  else lines.push(`- ${own}`, `- ${say(general.notes)}`);
  if (random.chance(0.3)) lines.push(`- ${say(general.decisions)}`);
  if (random.chance(0.25)) lines.push(`- [ ] ${say(general.opens)}`);
  return { topic: project.topic, heading: headingOf(random, project), lines };
}

function endOf(random, project) {
  const general = generalOf(project);
  const say = (list) => filled(random.pick(list), slots(random, project));
  const boxes = [`- [x] ${say(general.opens)}`, `- [x] ${say(general.opens)}`];
  return {
    topic: project.topic,
    heading: headingOf(random, project),
    lines: random.chance(0.3) ? boxes : [`- ${say(general.done)}`],
  };
}

function headingOf(random, { topic }) {
  return random.chance(0.15) ? `## ${topic} [project]` : `## ${topic}`;
}

function generalOf({ language }) {
  return language === "ko" ? generalKo : generalJa;
}

function slots(random, { things }) {
  const [a, b] = random.sample(things, 2);
  return { a, b, n: () => String(random.pick([12, 20, 25, 40, 45, 60])) };
}

function plantFacts(plan) {
  for (const { topic, entry, line } of notebookFacts) {
    const entries = [...plan.values()].flat().filter((candidate) => candidate.topic === topic);
    entries[entry - 1].lines.push(line);
  }
}

/** On most days, a sentence about the day comes before the headings, in Korean, Japanese or both. */
function logLines(random, date, entries) {
  const lines = [`# ${date}`];
  if (random.chance(0.6)) lines.push("", dayText(random, "ko"));
  if (random.chance(0.5)) lines.push("", dayText(random, "ja"));
  if (lines.length === 1 && entries.length === 0) lines.push("", dayText(random, "ko"));
  for (const { heading, lines: body } of entries) lines.push("", heading, ...body);
  return lines;
}

function dayText(random, language) {
  const { place, food } = dayWords[language];
  const values = { place: random.pick(place), food: random.pick(food), n: String(random.between(5, 50)) };
  return filled(random.pick(language === "ko" ? generalKo.days : generalJa.days), values);
}

function truthOf(plan, logs) {
  const days = new Map();
  for (const [date, entries] of plan)
    for (const { topic } of entries) days.set(topic, [...new Set([...(days.get(topic) ?? []), date])]);
  const lastOf = (topic) => days.get(topic).at(-1);
  const holding = new Map(notebookPeople.map((row) => [row[0], row]));
  const ofType = (wanted) =>
    [...holding.values()]
      .filter(([, type]) => type === wanted)
      .map(([topic, , words]) => ({ topic, words: words.split("; "), days: days.get(topic) }));
  const moved = notebookPeople.find(([topic]) => topic === "사는 곳");
  return {
    today: notebookToday,
    // Many notes have no heading.
    untitled: true,
    user: ofType("user"),
    feedback: ofType("feedback"),
    corrections: [
      {
        topic: moved[0],
        was: [moved[2]],
        now: holding.get(moved[0])[2].split("; "),
        wasDay: days.get(moved[0])[0],
        nowDay: lastOf(moved[0]),
      },
    ],
    active: ofKind("active").map(({ topic, things }) => ({ topic, lastDay: lastOf(topic), words: things.slice(0, 3) })),
    completed: ofKind("completed").map(({ topic }) => ({ topic, doneDay: lastOf(topic) })),
    silent: ofKind("silent").map(({ topic }) => ({ topic, lastDay: lastOf(topic) })),
    references: [],
    recurringLessons: [],
    openItems: [],
    facts: notebookFacts.map((fact) => placed(fact, logs)),
    passing: [],
  };
}

function ofKind(kind) {
  return notebookProjects.filter((project) => project.kind === kind);
}

function placed({ topic, question, clues, word, line: text }, logs) {
  for (const [date, lines] of logs) {
    const at = lines.indexOf(text);
    if (at >= 0) return { question, topic, clues, word, period: date, path: `memory/${date}.md`, line: at + 1 };
  }
  throw new Error(`no log has the fact about ${topic}`);
}
