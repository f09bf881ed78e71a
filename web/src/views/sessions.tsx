import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { go, hrefOf, useAnswer, type Place } from "../live.ts";
import { counted, Empty, Shown } from "../parts.tsx";
import { Rows } from "../rows.tsx";
import { useKept } from "./place-lines.tsx";
import { Replay } from "./sessions-replay.tsx";
import { Derived } from "./sessions-trace.tsx";

/** What each session was given, and what comes from a line. */
export function SessionsView({ place: { params } }: { readonly place: Place }): JSX.Element {
  const session = params.get("session") ?? "";
  const trace = params.get("trace") ?? "";
  const list = useKept(useAnswer("sessions.list"));
  return (
    <>
      <TraceForm trace={trace} session={session} />
      {trace === "" ? null : <Derived place={trace} />}
      <Shown of={list}>
        {({ sessions }) => {
          const greatest = Math.max(...sessions.map(({ tokens }) => tokens), 1);
          if (sessions.length === 0)
            return (
              <Empty title="No session is on record yet.">
                <code>heartwood install</code> connects an agent; its sessions are kept for 30 days.
              </Empty>
            );
          return (
            <div class="beside">
              <section class="sheet" aria-label="Sessions">
                <p class="quiet small">{counted(sessions.length, "session")}, newest first</p>
                <Rows class="list">
                  {sessions.map(({ session: id, first_at, last_at, texts, tokens }) => {
                    const { client, name } = namesOf(id);
                    return (
                      <li key={id}>
                        <a
                          class="choose"
                          aria-current={id === session ? "true" : undefined}
                          href={hrefOf("sessions", { session: id, trace })}
                        >
                          <span class="row spread">
                            <b>{client}</b>
                            <span class="small">{counted(tokens, "token")}</span>
                          </span>
                          <svg class="bar cost" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                            <rect class="bar-rest" width="100" height="4" />
                            <rect class="tone-1" width={(tokens / greatest) * 100} height="4" />
                          </svg>
                          <span class="row spread small quiet">
                            <code>{name}</code>
                            <span>
                              {span(first_at, last_at)}, {counted(texts, "text")}
                            </span>
                          </span>
                        </a>
                      </li>
                    );
                  })}
                </Rows>
              </section>
              <section class="detail" aria-label="Replay" tabIndex={-1}>
                {session === "" ? (
                  <Empty title="Choose a session to see what it was given.">
                    {counted(
                      sessions.reduce((sum, { texts }) => sum + texts, 0),
                      "text is on record",
                      "texts are on record",
                    )}
                    .
                  </Empty>
                ) : (
                  <Replay session={session} chosen={Number(params.get("number"))} trace={trace} />
                )}
              </section>
            </div>
          );
        }}
      </Shown>
    </>
  );
}

const clients = /^(claude-code|codex|gemini|copilot|opencode|openclaw|cursor|windsurf)-(.+)$/su;

export function namesOf(session: string): { readonly client: string; readonly name: string } {
  const [, client = "agent", name = session] = clients.exec(session) ?? [];
  return { client, name: name.length > 16 ? `${name.slice(0, 13)}…` : name };
}

function minute(at: string): string {
  return at.replace("T", " ").slice(0, 16);
}

/** "2026-03-23 22:36–22:41" */
function span(first: string, last: string): string {
  const [from, to] = [minute(first), minute(last)];
  if (from === to) return from;
  return from.slice(0, 10) === to.slice(0, 10) ? `${from}–${to.slice(11)}` : `${from} to ${to}`;
}

function TraceForm({ trace, session }: { readonly trace: string; readonly session: string }): JSX.Element {
  const [typed, setTyped] = useState(trace);
  useEffect(() => setTyped(trace), [trace]);
  return (
    <form
      class="trace-form"
      onSubmit={(event) => {
        event.preventDefault();
        go("sessions", { session, trace: typed.trim() });
      }}
    >
      <label class="field">
        <span>What comes from a line</span>
        <input
          value={typed}
          placeholder="memory/2026-03-15.md:12-18, thread:ID:5 or an entry's id"
          onInput={({ currentTarget: { value } }) => setTyped(value)}
        />
      </label>
      <button type="submit" disabled={typed.trim() === ""}>
        Show
      </button>
      {trace === "" ? null : (
        <a class="button" href={hrefOf("sessions", { session })}>
          Close
        </a>
      )}
    </form>
  );
}
