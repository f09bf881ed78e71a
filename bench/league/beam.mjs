// BEAM (Tavakoli et al., 2025): long conversations of a person and a program, with questions whose source messages are known. Folder: `chats` of
// the source, SIZE/NUMBER/chat.json (or chat_trunecated.json, which the questions are about if it is there) and probing_questions/*.json.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { conversationLogs } from "./conversations.mjs";

const sizes = ["100K", "500K", "1M"];
const months = "January February March April May June July August September October November December".split(" ");

/** The conversations that are complete. Questions without source messages (abstention) are left out. */
export function beamCases(folder) {
  return sizes.flatMap((size) => {
    const path = join(folder, size);
    if (!existsSync(path)) return [];
    const numbers = readdirSync(path).sort((a, b) => Number(a) - Number(b));
    return numbers.flatMap((number) => caseOf(size, number, join(path, number)) ?? []);
  });
}

function caseOf(size, number, folder) {
  const chat = ["chat_trunecated.json", "chat.json"].map((name) => join(folder, name)).find((path) => existsSync(path));
  const questions = join(folder, "probing_questions", "probing_questions.json");
  if (chat === undefined || !existsSync(questions)) return undefined;
  const { logs, turns } = conversationLogs(sessionsOf(JSON.parse(readFileSync(chat, "utf8"))));
  const messages = new Map(turns.map((turn) => [turn.turn.id, turn]));
  const conversation = `${size}-${number}`;
  const last = [...logs.keys()].sort().at(-1);
  return {
    conversation,
    logs,
    today: last.slice("memory/".length, -".md".length),
    questions: questionsOf(JSON.parse(readFileSync(questions, "utf8")), conversation, messages),
  };
}

/** A batch is a session. It has the day of its first time anchor, or that of the batch before it. */
function sessionsOf(batches) {
  let day = "2024-01-01";
  return batches.map(({ batch_number: number, turns: groups }) => {
    const messages = groups.flat();
    day = dayOf(messages.find((message) => message.time_anchor)?.time_anchor) ?? day;
    const turns = messages.map(({ id, role, content }) => ({
      id,
      speaker: role === "user" ? "User" : "Assistant",
      text: content.replace(/\s*->->[\s\d,]*$/u, ""),
    }));
    return { id: number, day, time: `00:${String(number).padStart(2, "0")}`, turns };
  });
}

export function dayOf(anchor) {
  const [, month, day, year] = /^(\w+)-(\d+)-(\d{4})$/u.exec(anchor ?? "") ?? [];
  if (year === undefined) return undefined;
  return `${year}-${String(months.indexOf(month) + 1).padStart(2, "0")}-${day.padStart(2, "0")}`;
}

function questionsOf(kinds, conversation, messages) {
  return Object.entries(kinds).flatMap(([kind, list]) =>
    list.flatMap(({ question, source_chat_ids: ids }, index) => {
      const evidence = [...new Set(numbersIn(ids))].flatMap((id) => messages.get(id) ?? []);
      if (evidence.length === 0) return [];
      return { id: `${conversation}-${kind}-${index + 1}`, text: question, category: kind, answer: "", evidence };
    }),
  );
}

export function numbersIn(value) {
  if (typeof value === "number") return [value];
  return value === null || typeof value !== "object" ? [] : Object.values(value).flatMap(numbersIn);
}
