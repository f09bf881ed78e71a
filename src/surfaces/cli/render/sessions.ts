import type { ReplayResult, SessionsResult } from "../../../agents/sessions/list.ts";
import { aligned, counted, moreLine, type Screen } from "./layout.ts";

const ROWS = 50;

export function renderSessions({ sessions }: SessionsResult, { paint }: Screen): string {
  if (sessions.length === 0) return "No session was given anything yet.";
  return [
    `${counted(sessions.length, "session")}, newest first:`,
    ...aligned(
      sessions.slice(0, ROWS).map(({ session, last_at, texts, tokens }) => {
        return [
          paint.title(session),
          last_at.slice(0, 16).replace("T", " "),
          counted(texts, "text"),
          counted(tokens, "token"),
        ];
      }),
    ),
    ...moreLine(sessions.length - ROWS, "--json"),
  ].join("\n");
}

/** A single text is printed alone, byte for byte. */
export function renderReplay({ texts }: ReplayResult): string {
  const [only, ...more] = texts;
  if (only !== undefined && more.length === 0) return only.text;
  return texts
    .map(({ number, at, event, source, tokens, text }) => {
      const why = source === "" ? event : `${event} (${source})`;
      return `--- ${number}: ${at} ${why}, ${counted(tokens, "token")} ---\n${text}`;
    })
    .join("\n\n");
}
