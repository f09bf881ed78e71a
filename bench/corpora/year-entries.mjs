// The bodies of the entries of the planted year, assembled from fragments.
import { filled } from "./seeded.mjs";
import * as said from "./year-fragments.mjs";

/** An entry about the user. */
export function personLines(random, { topic, type, lines }) {
  return { topic, type, lines: [...lines], comment: random.chance(0.5) ? commentOf(random) : undefined };
}

export function referenceLines(random, [topic, url, line]) {
  return { topic, type: "reference", lines: random.chance(0.7) ? [`- ${url}`, `- ${line}`] : [`- ${line}: ${url}`] };
}

/** An entry of a project in progress: what was requested, decided, found and left open, plus the noise of a real log. */
export function projectLines(random, project) {
  const say = (list) => sentence(random, project, list);
  const lines = [];
  if (project.count === 1 || random.chance(0.12)) lines.push(`- decisions: ${project.own}`);
  if (random.chance(0.12)) lines.push(say(said.paragraphs));
  if (random.chance(0.5)) lines.push(`- request: ${say(said.requests)}`);
  for (let more = random.between(1, 2); more > 0; more--) lines.push(`- decisions: ${say(said.decisions)}`);
  if (random.chance(0.06)) lines.push(`- outcome: ${say(said.outcomes)}`, ...nested(random, say));
  else if (random.chance(0.6)) lines.push(`- outcome: ${say(said.outcomes)}`);
  if (random.chance(0.2)) lines.push(`- lesson: ${say(said.lessons)}`);
  if (random.chance(0.35)) lines.push(`- open: ${say(said.opens)}`);
  if (random.chance(0.25)) lines.push(`- status: ${say(said.statuses)}`);
  if (random.chance(0.12)) lines.push(`- [x] ${say(said.requests)}`, `- [ ] ${say(said.opens)}`);
  return [...lines, ...noise(random)];
}

/** The last entry of a completed project. */
export function endingLines(random, project) {
  const say = (list) => sentence(random, project, list);
  const ending = random.pick(said.endings).map((line) => sentence(random, project, [line]));
  return [...(random.chance(0.6) ? [`- decisions: ${say(said.decisions)}`] : []), ...ending];
}

/** An entry without a project: a standup, a scratch note, or a one-off event. */
export function asideLines(random, [topic, line]) {
  if (topic === "Scratch") return { topic, type: "project", lines: [...random.pick(said.passing)] };
  if (topic !== "Standup") return { topic, type: "project", tagged: false, lines: [`- ${line}`] };
  const who = random.sample(said.people, 3);
  const lines = [`- ${who[0]} is on leave, ${who[1]} takes the pager`, `- ${who[2]} asks for a pair of eyes at eleven`];
  return { topic, type: "project", tagged: false, lines: random.sample(lines, random.between(1, 2)) };
}

/** {a} is usually one of the three things the project should be found by; {b} is any other thing of the project. */
function sentence(random, { things }, list) {
  const a = random.pick(random.chance(0.7) ? things.slice(0, 3) : things);
  const b = random.pick(things.filter((thing) => thing !== a));
  const n = () => String(random.pick([12, 17, 23, 30, 40, 55, 64, 80, 120, 250, 400]));
  const t = random.pick(said.tools);
  return filled(random.pick(list), { a, b, n, t, w: random.pick(said.people) });
}

function nested(random, say) {
  return Array.from({ length: random.between(2, 3) }, () => `  - ${say(said.outcomes)}`);
}

function noise(random) {
  const lines = [];
  if (random.chance(0.07)) lines.push("", ...random.pick(said.codes));
  if (random.chance(0.05)) lines.push("", "```", ...random.pick(said.traces), "```");
  if (random.chance(0.02)) lines.push("", "```", ...pastedLog(random), "```");
  return lines;
}

/** A pasted server log of about 200 lines. */
function pastedLog(random) {
  return Array.from({ length: random.between(180, 240) }, (_, at) => {
    const clock = `${String(8 + Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}:07`;
    return `${clock} ${random.pick(["INFO", "INFO", "INFO", "WARN"])} worker-${random.below(9)} took job ${random.below(90000)} in ${random.below(900)} ms`;
  });
}

function commentOf(random) {
  const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  const id = Array.from({ length: 22 }, () => digits[random.below(32)]).join("");
  const minutes = String(random.below(60)).padStart(2, "0");
  return `<!-- hw id=01JX${id} at=DAYT1${random.below(6)}:${minutes}:00+00:00 origin=agent -->`;
}
