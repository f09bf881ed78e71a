import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, call, type Answer } from "../api.ts";
import { hrefOf, useAnswer } from "../live.ts";
import { Chip, counted, Failed, PlaceLink, Shown } from "../parts.tsx";
import { Folded } from "./health-folded.tsx";
import { shortPlace } from "./place-lines.tsx";

type Check = Answer<"memory.doctor">["checks"][number];

const tones = { problem: "bad", note: "warn", ok: "good" } as const;

/** What `heartwood doctor` checks, and longer checks on demand. */
export function ChecksTab(): JSX.Element {
  const doctor = useAnswer("memory.doctor");
  const audit = useAnswer("audit.run", { dry_run: true });
  return (
    <>
      <section class="sheet" aria-label="Checks">
        <Shown of={doctor}>
          {({ checks, version, node, time_zone }) => {
            const open = checks.filter(({ state }) => state !== "ok");
            const fine = checks.filter(({ state }) => state === "ok");
            return (
              <>
                <div class="row spread">
                  <h2>
                    {open.length === 0 ? "All checks passed" : counted(open.length, "check needs", "checks need")}
                    {open.length === 0 ? "" : " a look"}
                  </h2>
                  <span class="small quiet">
                    heartwood {version}, Node {node}, {time_zone}
                  </span>
                </div>
                <CheckList
                  checks={[...open].toSorted((a, b) => Number(b.state === "problem") - Number(a.state === "problem"))}
                />
                <details open={open.length === 0}>
                  <summary class="small">{counted(fine.length, "check")} passed</summary>
                  <CheckList checks={fine} />
                </details>
              </>
            );
          }}
        </Shown>
      </section>
      <section class="sheet" aria-label="Secrets">
        <h2>Secrets</h2>
        <Shown of={audit}>
          {({ findings }) => {
            const secrets = findings.filter(({ code }) => code === "secret_found");
            return secrets.length === 0 ? (
              <p class="quiet">None found in MEMORY.md and the notes. Every output replaces secrets anyway.</p>
            ) : (
              <Folded most={10} label="Secrets" listOf={secrets}>
                {({ path, lines, message }) => {
                  const place = shortPlace(path, lines);
                  return (
                    <div class="finding">
                      <span class="row spread">
                        <PlaceLink place={place} />
                        <a href={hrefOf("health", { tab: "forget", place })}>Forget…</a>
                      </span>
                      <span dir="auto">{message}</span>
                    </div>
                  );
                }}
              </Folded>
            );
          }}
        </Shown>
      </section>
      <Verify
        operation="tree.verify"
        title="Tree"
        about="Rebuilds every node and ROOT.md from their sources and compares bytes. Takes seconds."
      />
      <Verify
        operation="thread.verify"
        title="Threads"
        about="Replays every thread and checks each recorded decision. Takes seconds."
      />
    </>
  );
}

function CheckList({ checks }: { readonly checks: readonly Check[] }): JSX.Element {
  return (
    <ul class="list">
      {checks.map(({ name, state, message, fix }, at) => (
        <li key={at} class="check">
          <Chip tone={tones[state]}>{state}</Chip>
          <span>
            <b>{name}</b>
            <span class="check-message" dir="auto">
              {message}
            </span>
            {fix === null ? null : (
              <span class="small quiet">
                Fix: <code>{fix}</code>
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface Verified {
  readonly ok: boolean;
  readonly count: string;
  readonly findings: readonly { readonly severity: string; readonly place: string; readonly message: string }[];
}

async function verify(operation: "tree.verify" | "thread.verify", signal: AbortSignal): Promise<Verified> {
  if (operation === "thread.verify") {
    const { ok, threads, frames, findings } = await call(operation, {}, signal);
    return {
      ok,
      count: `${counted(threads, "thread")}, ${counted(frames, "frame")}`,
      findings: findings.map(({ severity, thread_id, seq, message }) => ({
        severity,
        message,
        place: `thread:${thread_id}${seq === null ? "" : `:${seq}`}`,
      })),
    };
  }
  const result = await call(operation, {}, signal);
  const checked = "checked" in result ? Number(result.checked) : 0;
  const findings = result.findings as readonly {
    readonly severity?: string;
    readonly path: string;
    readonly line?: number | null;
    readonly message: string;
  }[];
  return {
    ok: result.ok,
    count: counted(checked, "file"),
    findings: findings.map(({ severity = "error", path, line = null, message }) => ({
      severity,
      message,
      place: line === null ? path : `${path}:${line}`,
    })),
  };
}

function Verify({
  operation,
  title,
  about,
}: {
  readonly operation: "tree.verify" | "thread.verify";
  readonly title: string;
  readonly about: string;
}): JSX.Element {
  const [state, setState] = useState<"idle" | "running" | Verified | ApiError>("idle");
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const run = (): void => {
    const { signal } = (running.current = new AbortController());
    setState("running");
    verify(operation, signal).then(setState, (error: unknown) => {
      if (error instanceof ApiError) setState(error);
      else setState("idle");
    });
  };
  const isRunning = state === "running";
  return (
    <section class="sheet" aria-label={title}>
      <div class="row spread">
        <h2>{title}</h2>
        {isRunning ? (
          <button type="button" onClick={() => running.current?.abort()}>
            Stop
          </button>
        ) : (
          <button type="button" onClick={run}>
            Verify {title.toLowerCase()}
          </button>
        )}
      </div>
      <p class="quiet">{about}</p>
      <div role="status">
        {isRunning ? (
          <p>Verifying…</p>
        ) : state === "idle" ? null : state instanceof ApiError ? (
          <Failed error={state} />
        ) : (
          <>
            <p>
              <Chip tone={state.ok ? "good" : "bad"}>{state.ok ? "ok" : "findings"}</Chip> {state.count} checked
              {state.findings.length === 0 ? "" : `, ${counted(state.findings.length, "finding")}`}
            </p>
            <Folded most={20} label={`Findings in the ${title.toLowerCase()}`} listOf={state.findings}>
              {({ severity, place, message }) => (
                <div class="finding">
                  <span class="row">
                    <Chip tone={severity === "error" ? "bad" : severity === "warning" ? "warn" : undefined}>
                      {severity}
                    </Chip>
                    {place === "" ? null : <PlaceLink place={place} />}
                  </span>
                  <span dir="auto">{message}</span>
                </div>
              )}
            </Folded>
          </>
        )}
      </div>
    </section>
  );
}
