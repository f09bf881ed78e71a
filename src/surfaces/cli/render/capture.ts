import type { CapturedSessionResult } from "../../../agents/capture/session.ts";
import type { ReplayResult, SessionsResult } from "../../../agents/sessions/list.ts";
import type { CaptureResult } from "../../../agents/capture/run.ts";
import { moreLine, aligned, counted, grouped, type Screen } from "./layout.ts";

const ROWS = 20;

export function renderCapture({ client, sessions, dry_run }: CaptureResult, { paint }: Screen): string {
  const messages = sumOf(sessions, ({ messages: { added } }) => added);
  const entries = sumOf(sessions, ({ entries: { added } }) => added);
  const known = sumOf(sessions, ({ messages }) => messages.known);
  const verb = dry_run === true ? "Would save" : "Saved";
  const what = `${counted(messages, "message")} and ${counted(entries, "entry", "entries")}`;
  const there = known === 0 ? "" : `; ${counted(known, "message")} ${known === 1 ? "was" : "were"} already there`;
  return [
    `${paint.good(verb)} ${what} from ${counted(sessions.length, "session")} of ${client}${there}.`,
    ...aligned(sessions.slice(0, ROWS).map(rowOf)),
    ...moreLine(sessions.length - ROWS, "--json"),
    ...leftOutLine(sessions),
    ...(dry_run === true ? ["Nothing was written."] : []),
  ].join("\n");
}

function rowOf({ thread_id, day, days, messages, entries }: CapturedSessionResult): readonly string[] {
  const [first = day, last = first] = [days[0], days.at(-1)];
  return [
    thread_id,
    first === last ? first : `${first} … ${last}`,
    counted(messages.added, "message"),
    counted(entries.added, "entry", "entries"),
  ];
}

function leftOutLine(sessions: readonly CapturedSessionResult[]): readonly string[] {
  const totals = new Map<string, number>();
  for (const { left_out } of sessions)
    for (const [reason, count] of Object.entries(left_out)) totals.set(reason, (totals.get(reason) ?? 0) + count);
  // `courtesy` counts turns; all others count rows.
  const parts = [...totals].map(([reason, count]) =>
    reason === "courtesy" ? counted(count, "courtesy turn") : `${grouped(count)} ${reason}`,
  );
  return totals.size === 0 ? [] : [`Left out: ${parts.join(", ")}`];
}

function sumOf(sessions: readonly CapturedSessionResult[], of: (session: CapturedSessionResult) => number): number {
  return sessions.reduce((sum, session) => sum + of(session), 0);
}

/** Rows of the list of sessions. */
const mostSessions = 50;

export function renderSessions({ sessions }: SessionsResult, { paint }: Screen): string {
  if (sessions.length === 0) return "No session was given anything yet.";
  return [
    `${counted(sessions.length, "session")}, newest first:`,
    ...aligned(
      sessions.slice(0, mostSessions).map(({ session, last_at, texts, tokens }) => {
        return [
          paint.title(session),
          last_at.slice(0, 16).replace("T", " "),
          counted(texts, "text"),
          counted(tokens, "token"),
        ];
      }),
    ),
    ...moreLine(sessions.length - mostSessions, "--json"),
  ].join("\n");
}

/** With a number, the text alone; otherwise each below its title. */
export function renderReplay({ texts }: ReplayResult, { input }: Screen): string {
  const [only] = texts;
  if (only !== undefined && input["number"] !== undefined) return only.text;
  return texts
    .map(({ number, at, event, source, tokens, text }) => {
      const why = source === "" ? event : `${event} (${source})`;
      return `--- ${number}: ${at} ${why}, ${counted(tokens, "token")} ---\n${text}`;
    })
    .join("\n\n");
}
