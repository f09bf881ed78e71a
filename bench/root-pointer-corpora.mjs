// The corpora of bench/root-pointer.mjs: `{ name, note, today, logs, places, questions }`. `places` are sessions, as bench/league/conversations.mjs
// gives them; a question is `{ wanted: text, group, sessions: [id] }`, with the words a reader would look for and the sessions with the evidence.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dayOf, numbersIn } from "./league/beam.mjs";
import { conversationLogs } from "./league/conversations.mjs";
import { realTalkCases } from "./league/realtalk.mjs";
import { conversationCases } from "./recall-conversation-cases.mjs";

/** Folder options and readers. A reader is called only if its folder exists. */
export const corpora = [
  { name: "MemAware", option: "--memaware", read: memAware },
  { name: "LoCoMo", option: "--locomo", read: loCoMo },
  { name: "REALTALK", option: "--realtalk", read: realTalk },
  { name: "BEAM", option: "--beam", read: beam },
];

/** 91 days of conversations of a person and an assistant, and the development questions. */
function memAware(folder) {
  const corpus = join(folder, "corpus");
  const names = readdirSync(corpus).filter((name) => /^\d{4}-\d\d-\d\d\.md$/u.test(name));
  const logs = new Map(names.sort().map((name) => [`memory/${name}`, readFileSync(join(corpus, name), "utf8")]));
  const questions = JSON.parse(readFileSync(join(folder, "dev.json"), "utf8"))
    .filter(({ flags }) => flags.recall_scoreable)
    .map((one) => ({
      wanted: `${one.should_recall} ${one.answer}`,
      group: one.group,
      sessions: one.answer_session_ids,
    }));
  return { today: "2023-07-01", logs, places: [...logs].flatMap(headedSessions), questions };
}

function headedSessions([file, text]) {
  const lines = text.split("\n");
  const starts = lines.flatMap((line, at) => {
    const id = /^## Session (\S+)\s*$/u.exec(line)?.[1];
    return id === undefined ? [] : { id, from: at + 1 };
  });
  return starts.map((start, at) => ({ file, ...start, to: (starts[at + 1]?.from ?? lines.length + 1) - 1 }));
}

/** Ten conversations of two invented people, written by models, without questions about what nobody said. */
function loCoMo(folder) {
  const cases = conversationCases(folder, { captions: false }).map(({ conversation, turns, questions }) => {
    const ids = new Map([...turns].map(([id, turn]) => [turn, id]));
    return {
      conversation,
      turns: [...turns].map(([id, turn]) => ({ id, ...turn })),
      questions: questions
        .filter(({ category }) => category !== 5)
        .map(({ text, answer, evidence }) => ({ text, answer, gold: evidence.map((turn) => ids.get(turn)) })),
    };
  });
  return pairs(cases);
}

/** Ten conversations of two people over three weeks, as they typed them. */
function realTalk(folder) {
  return pairs(realTalkCases(folder));
}

/** One memory of all conversations. Both people are users: neither is an assistant. Their names are not among the words wanted. */
function pairs(cases) {
  const read = cases.map(({ conversation, turns, questions }) => {
    const sessionOf = (id) => `${conversation}-${id.split(":")[0]}`;
    const names = [...new Set(turns.flatMap(({ speaker }) => speaker.split(" ")))];
    const nameless = (text) => text.replaceAll(new RegExp(`\\b(?:${names.join("|")})(?:['’]s)?\\b`, "gu"), " ");
    const sessions = [...Map.groupBy(turns, ({ id }) => sessionOf(id))].map(([id, list]) => ({
      id,
      day: list[0].file.slice("memory/".length, -".md".length),
      time: "",
      turns: list.map(({ said }) => ({ speaker: "User", text: said })),
    }));
    return {
      sessions,
      questions: questions.map(({ text, answer, gold }) => {
        const evidence = [...new Set(gold.map(sessionOf))];
        return { wanted: nameless(`${text} ${answer}`), group: evidence[0], sessions: evidence };
      }),
    };
  });
  return pooled(read);
}

/** Long conversations of a person and an assistant about one matter each; a session is a group of messages of one step. */
function beam(folder) {
  const numbers = readdirSync(join(folder, "100K")).sort((a, b) => Number(a) - Number(b));
  return pooled(numbers.flatMap((number) => beamConversation(number, join(folder, "100K", number))));
}

function beamConversation(number, folder) {
  const chat = ["chat_trunecated.json", "chat.json"].map((name) => join(folder, name)).find((path) => existsSync(path));
  const probes = join(folder, "probing_questions", "probing_questions.json");
  if (chat === undefined || !existsSync(probes)) return [];
  let day = "2024-01-01";
  const groups = JSON.parse(readFileSync(chat, "utf8")).flatMap(({ turns }) => turns);
  const sessionOf = new Map();
  const sessions = groups.map((messages, index) => {
    const id = `${number}-${index}`;
    day = dayOf(messages.find((message) => message.time_anchor)?.time_anchor) ?? day;
    for (const message of messages) sessionOf.set(message.id, id);
    return { id, day, time: "", turns: messages.map(beamTurn) };
  });
  const questions = Object.values(JSON.parse(readFileSync(probes, "utf8")))
    .flat()
    .flatMap(({ question, answer, source_chat_ids: ids }) => {
      const evidence = [...new Set(numbersIn(ids).flatMap((id) => sessionOf.get(id) ?? []))];
      if (answer === undefined || evidence.length === 0) return [];
      return { wanted: `${question} ${answer}`, group: evidence[0], sessions: evidence };
    });
  return { sessions, questions };
}

function beamTurn({ role, content }) {
  return { speaker: role === "user" ? "User" : "Assistant", text: content.replace(/\s*->->[\s\d,]*$/u, "") };
}

function pooled(read) {
  const { logs, places } = conversationLogs(read.flatMap(({ sessions }) => sessions));
  const last = [...logs.keys()].sort().at(-1);
  const today = last.slice("memory/".length, -".md".length);
  return { today, logs, places, questions: read.flatMap(({ questions }) => questions) };
}
