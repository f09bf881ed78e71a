// Reads conversations as logs of a memory, and questions with known evidence turns. The data is not part of this repository: a folder of JSON
// files, one per conversation, in the format of github.com/snap-research/locomo (data/multimodal_dialog/locomo10_v2; Maharana et al., 2024):
// `session_N` with turns {speaker, dia_id, text, blip_caption}, `session_N_date_time`, and `qa` with {question, answer, evidence, category}.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Question categories by their number in the data. Adversarial questions ask about something never said; their evidence is the closest turn. */
export const categories = { 1: "several turns", 2: "time", 3: "open domain", 4: "one turn", 5: "adversarial" };

const months = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

/**
 * Returns `[{ conversation, logs: Map(file → text), questions: [{ id, text, answer, category, evidence: [{ file, line, said }] }], turns }]`;
 * empty if the folder does not exist. Files are named as in a memory (`memory/2023-05-08.md`), lines are 1-based, and `said` is the text of the
 * turn without its speaker. Questions without known evidence are omitted. `captions`: whether turns include the captions of their images.
 */
export function conversationCases(folder, { captions = true } = {}) {
  if (folder === undefined || !existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => {
      const data = JSON.parse(readFileSync(join(folder, name), "utf8"));
      return conversationCase(basename(name, ".json"), data, captions);
    });
}

function conversationCase(conversation, data, captions) {
  const files = new Map();
  const turns = new Map();
  for (const session of sessionsOf(data)) {
    const file = `memory/${session.day}.md`;
    const lines = files.get(file) ?? [`# ${session.day}`];
    files.set(file, lines);
    lines.push("", `## Session ${session.number}, ${session.time}`, "");
    for (const turn of session.turns) {
      const said = oneLine(turn.text);
      const caption = captions && turn.blip_caption ? ` [${oneLine(turn.blip_caption)}]` : "";
      lines.push(`${turn.speaker}: ${said}${caption}`);
      turns.set(turn.dia_id, { file, line: lines.length, said, speaker: turn.speaker });
    }
  }
  const logs = new Map([...files].map(([file, lines]) => [file, `${lines.join("\n")}\n`]));
  return { conversation, logs, turns, questions: questionsOf(conversation, data.qa, turns) };
}

function sessionsOf(data) {
  return Object.keys(data)
    .flatMap((key) => /^session_(\d+)$/u.exec(key)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
    .map((number) => ({ number, ...whenOf(data[`session_${number}_date_time`]), turns: data[`session_${number}`] }));
}

/** Parses `1:56 pm on 8 May, 2023`. */
function whenOf(text) {
  const [, time, day, month, year] = /^(.*?) on (\d+) (\p{L}+),? (\d{4})$/u.exec(text.trim());
  const number = months.indexOf(month.toLowerCase()) + 1;
  return { time, day: `${year}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}` };
}

function questionsOf(conversation, list, turns) {
  return list.flatMap(({ question, answer, adversarial_answer: adversarial, evidence, category }, index) => {
    const found = turnIds(evidence).flatMap((id) => turns.get(id) ?? []);
    if (found.length === 0) return [];
    return {
      id: `${conversation}-${index + 1}`,
      text: question,
      answer: String(answer ?? adversarial ?? ""),
      category,
      evidence: [...new Set(found)],
    };
  });
}

/** The turn ids of a question's evidence. A text may contain several, and forms such as `D:11:26` and `D30:05`. */
function turnIds(evidence) {
  return [evidence]
    .flat()
    .flatMap((text) => [...text.matchAll(/D:?(\d+):(\d+)/gu)])
    .map(([, session, turn]) => `D${Number(session)}:${Number(turn)}`);
}

function oneLine(text) {
  return text.replaceAll(/\s+/gu, " ").trim();
}
