// REALTALK (Lee et al., 2025): ten conversations of two people over 21 days. Folder: the files `data/Chat_*.json` of the source. Evidence names
// turns; as in LMEB, an id that is not exactly that of a turn is left out, and so is a question without any.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const kinds = { 1: "several turns", 2: "time", 3: "commonsense" };

export function realTalkCases(folder) {
  const names = readdirSync(folder).filter((name) => /^Chat_.*\.json$/u.test(name));
  return names
    .sort()
    .map((name) => caseOf(basename(name, ".json"), JSON.parse(readFileSync(join(folder, name), "utf8"))));
}

function caseOf(conversation, data) {
  const turns = sessionsOf(data).flatMap(({ day, turns: list }) =>
    list.map(({ id, speaker, text }) => ({ id, file: `memory/${day}.md`, said: text, speaker })),
  );
  const ids = new Set(turns.map(({ id }) => id));
  const questions = data.qa.flatMap(({ question, answer, evidence, category }, index) => {
    const gold = [...new Set([evidence].flat())].filter((id) => ids.has(id));
    if (gold.length === 0) return [];
    return { id: `${conversation}-${index + 1}`, text: question, answer: String(answer), kind: kinds[category], gold };
  });
  return { conversation, turns, questions };
}

function sessionsOf(data) {
  const numbers = Object.keys(data).flatMap((key) => /^session_(\d+)$/u.exec(key)?.[1] ?? []);
  return numbers.map((number) => {
    const [, day, month, year] = /^(\d\d)\.(\d\d)\.(\d{4}),/u.exec(data[`session_${number}_date_time`]);
    const turns = data[`session_${number}`].map((turn) => ({
      id: turn.dia_id,
      speaker: turn.speaker,
      text: turn.clean_text,
    }));
    return { day: `${year}-${month}-${day}`, turns };
  });
}
