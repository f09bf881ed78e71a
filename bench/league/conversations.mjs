// Turns conversations into the logs of a memory: one log per day, one section per session, one turn after its speaker's name.
import { createHash } from "node:crypto";

/**
 * `sessions`: `[{ id, day: "2023-05-20", time: "02:54", turns: [{ speaker, text, …}] }]`. Returns `logs`, a Map from file to text; `places`,
 * `{ file, from, to, id }` of each session; and `turns`, one `{ file, line, to, said, session, turn }` per turn, `turn` being the given one.
 */
export function conversationLogs(sessions) {
  const files = new Map();
  const places = [];
  const turns = [];
  for (const session of [...sessions].sort(byTime)) {
    const file = `memory/${session.day}.md`;
    const lines = files.get(file) ?? [`# ${session.day}`];
    files.set(file, lines);
    lines.push("", `## Session ${nameOf(session.id)} ${session.time}`, "");
    const from = lines.length - 1;
    for (const turn of session.turns) {
      const [first, ...rest] = turn.text
        .replaceAll(/\r\n?|[\u2028\u2029\v\f\u0085]/gu, "\n")
        .trim()
        .split("\n");
      const line = lines.length + 1;
      lines.push(`${turn.speaker}: ${first}`, ...rest.map(continued));
      turns.push({ file, line, to: lines.length, said: turn.text, session: session.id, turn });
    }
    places.push({ file, from, to: lines.length, id: session.id });
  }
  return { logs: new Map([...files].map(([file, lines]) => [file, `${lines.join("\n")}\n`])), places, turns };
}

/** A name that says nothing: in some data, the ids of sessions with evidence contain "answer". */
function nameOf(id) {
  return createHash("sha256").update(String(id)).digest("hex").slice(0, 8);
}

/** A further line of a turn: a heading is escaped as the format of logs says, and what looks like a turn gets a space before it. */
function continued(line) {
  if (/^ {0,3}\\*#{1,2}(?:\s|$)/u.test(line)) return line.replace(/^( *)/u, "$1\\");
  return /^\p{L}[\p{L}\p{N} ]{0,30}:/u.test(line) ? ` ${line}` : line;
}

function byTime(a, b) {
  const left = `${a.day} ${a.time}`;
  const right = `${b.day} ${b.time}`;
  return left < right ? -1 : Number(left > right);
}

/** Returns `placesAt("memory/2023-05-20.md:4-9")`: the places that overlap these lines, in their order. */
export function finder(places) {
  const files = new Map();
  for (const place of places) files.set(place.file, [...(files.get(place.file) ?? []), place]);
  return (source) => {
    const [, file, from, to] = /^(.*):(\d+)-(\d+)$/u.exec(source) ?? [];
    return (files.get(file) ?? []).filter((place) => place.from <= Number(to) && place.to >= Number(from));
  };
}
