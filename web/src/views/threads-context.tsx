import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { CountedPart } from "../../../src/threads/model/context-renderings.ts";
import { call, type Answer, type ApiError } from "../api.ts";
import { change } from "../changes.tsx";
import { go, hrefOf, type Asked } from "../live.ts";
import { Chip, Confirm, counted, number, Shown } from "../parts.tsx";
import { Scale } from "./threads-scale.tsx";

/** With `render: "parts"`. */
export type Compiled = Answer<"context.compile">;

export const usualBudget = 8_000;
const [least, most] = [500, 1_000_000];
/** The slider goes up to here; more can be typed. */
const mostOfSlider = 64_000;

const titles: Readonly<Record<string, string>> = {
  heading: "Headings",
  handoff: "What was handed on",
  summary: "Summary",
  uncovered: "Not in the context",
  message: "Messages",
};

export function partsIn({ rendered }: Compiled): readonly CountedPart[] {
  return Array.isArray(rendered) ? (rendered as readonly CountedPart[]) : [];
}

/** The context of a thread that fits a budget: which messages it has in full, in summaries, and not at all. */
export function ThreadContext({
  head: { thread_id, head_seq },
  given,
  compiled,
  budget,
  stride,
  status,
  cuts,
  part,
}: {
  readonly head: Answer<"thread.get">;
  readonly given: Readonly<Record<string, string | null>>;
  readonly compiled: Asked<Compiled>;
  readonly budget: number;
  readonly stride: number;
  readonly status: Asked<Answer<"compaction.status">>;
  readonly cuts: Answer<"compaction.cut_points">["cut_points"];
  readonly part: number | undefined;
}): JSX.Element {
  const [typed, setTyped] = useState(String(budget));
  useEffect(() => setTyped(String(budget)), [budget]);
  const [asking, setAsking] = useState<"build" | "schedule" | undefined>(undefined);
  const choose = (value: string): void => {
    const wanted = Math.min(most, Math.max(least, Math.round(Number(value)) || usualBudget));
    go("threads", { ...given, budget: wanted, part: undefined }, "replace");
  };
  return (
    <section class="sheet" aria-label="Context" aria-busy={compiled.waiting}>
      <div class="row spread">
        <h2>Context</h2>
        <div class="row budget-row">
          <label class="row small">
            Budget
            <input
              type="range"
              min={least}
              max={mostOfSlider}
              step="500"
              value={Math.min(mostOfSlider, Number(typed) || usualBudget)}
              aria-label="Budget"
              onInput={({ currentTarget: { value } }) => setTyped(value)}
              onChange={({ currentTarget: { value } }) => choose(value)}
            />
          </label>
          <label class="row small">
            <input
              type="number"
              min={least}
              max={most}
              step="500"
              value={typed}
              aria-label="Budget in tokens"
              onInput={({ currentTarget: { value } }) => setTyped(value)}
              onChange={({ currentTarget: { value } }) => choose(value)}
            />
            tokens
          </label>
        </div>
      </div>
      <Shown of={compiled}>
        {(context) => (
          <>
            <Scale
              parts={partsIn(context)}
              thread={thread_id}
              head={head_seq}
              cuts={cuts}
              chosen={part}
              given={given}
            />
            <p class="coverage" role="status">
              {counted(context.message_count, "message")}:{" "}
              <Figure tone="1" name="in full" value={context.raw_messages} />
              {", "}
              <Figure tone="4" name="in the ranges of summaries" value={context.summarized_messages} />
              {", "}
              <Figure tone="bad" name="in neither" value={context.uncovered_messages} />. {number(context.tokens)} of{" "}
              {number(context.budget)} tokens.
            </p>
            {context.warnings.map(({ message }) => (
              <p key={message} class="note warn">
                {message}
              </p>
            ))}
            <details>
              <summary class="small">Tokens by part</summary>
              <PartTable parts={partsIn(context)} thread={thread_id} given={given} chosen={part} />
            </details>
          </>
        )}
      </Shown>
      <div class="row spread thread-jobs">
        <Shown of={status}>{(found) => <JobState status={found} />}</Shown>
        <span class="row">
          <label class="row small">
            A cut point every
            <select
              value={String(stride)}
              onChange={({ currentTarget: { value } }) => go("threads", { ...given, stride: value }, "replace")}
            >
              {[...new Set([20, 100, 500, 1_000, 10_000, stride])]
                .toSorted((a, b) => a - b)
                .map((one) => (
                  <option key={one} value={String(one)}>
                    {number(one)} messages
                  </option>
                ))}
            </select>
          </label>
          <button type="button" onClick={() => setAsking("schedule")}>
            Schedule a summary…
          </button>
          <button type="button" onClick={() => setAsking("build")}>
            Build the context…
          </button>
        </span>
      </div>
      {asking === "build" ? (
        <BuildDialog thread={thread_id} budget={budget} onClose={() => setAsking(undefined)} />
      ) : asking === "schedule" ? (
        <ScheduleDialog thread={thread_id} stride={stride} onClose={() => setAsking(undefined)} />
      ) : null}
    </section>
  );
}

function Figure({
  tone,
  name,
  value,
}: {
  readonly tone: string;
  readonly name: string;
  readonly value: number;
}): JSX.Element {
  return (
    <span>
      <i class={`dot tone-${tone}`} /> <b>{number(value)}</b> {name}
    </span>
  );
}

function PartTable({
  parts,
  thread,
  given,
  chosen,
}: {
  readonly parts: readonly CountedPart[];
  readonly thread: string;
  readonly given: Readonly<Record<string, string | null>>;
  readonly chosen: number | undefined;
}): JSX.Element {
  return (
    <div class="scroll-x part-table" role="region" aria-label="Tokens by part" tabIndex={0}>
      <table class="small">
        <thead>
          <tr>
            <th>Part</th>
            <th>Range</th>
            <th class="figure">Messages</th>
            <th class="figure">Tokens</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ kind, thread_id, from_seq, to_seq, messages, tokens }, index) => (
            <tr key={index}>
              <td>
                <a
                  href={hrefOf(
                    "threads",
                    kind === "message" && thread_id === thread
                      ? { ...given, seq: from_seq }
                      : { ...given, part: index },
                  )}
                  aria-current={index === chosen ? "true" : undefined}
                >
                  {titles[kind] ?? kind}
                </a>
                {thread_id === null || thread_id === thread ? null : <span class="quiet"> of {thread_id}</span>}
              </td>
              <td>{to_seq === null ? "" : `#${from_seq ?? 0} to #${to_seq}`}</td>
              <td class="figure">{messages === null ? "" : number(messages)}</td>
              <td class="figure">{number(tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function JobState({ status }: { readonly status: Answer<"compaction.status"> }): JSX.Element {
  const { inflight_job_id, latest_checkpoint, last_job_outcome } = status;
  return (
    <span class="row small quiet" role="status">
      {inflight_job_id === null ? null : <Chip tone="warn">a summary is being made</Chip>}
      <span>
        {latest_checkpoint === null ? "No summary yet." : `Latest summary up to #${latest_checkpoint.to_seq}.`}
      </span>
      {last_job_outcome === null ? null : (
        <span>
          Last job{" "}
          <Chip tone={last_job_outcome.status === "completed" ? "good" : "bad"}>{last_job_outcome.status}</Chip>
          {last_job_outcome.error}
        </span>
      )}
    </span>
  );
}

const by = { actor_id: "user", origin: "page" };

function BuildDialog({
  thread,
  budget,
  onClose,
}: {
  readonly thread: string;
  readonly budget: number;
  readonly onClose: () => void;
}): JSX.Element {
  const build = async (): Promise<void> => {
    const input = { thread_id: thread, budget, build: true, ...by };
    await change(
      "context.compile",
      input,
      ({ uncovered_messages }) => `Built; ${counted(uncovered_messages, "message is", "messages are")} not covered.`,
    );
    onClose();
  };
  return (
    <Confirm title="Build the context?" action="Build" onYes={build} onNo={onClose}>
      <p>
        Makes the summaries that this thread lacks, without a model unless you configured one, and appends them to the
        thread. The messages do not change.
      </p>
    </Confirm>
  );
}

function ScheduleDialog({
  thread,
  stride,
  onClose,
}: {
  readonly thread: string;
  readonly stride: number;
  readonly onClose: () => void;
}): JSX.Element {
  const [plan, setPlan] = useState<Asked<Answer<"compaction.auto.schedule">>>({
    value: undefined,
    error: undefined,
    waiting: true,
  });
  const input = { thread_id: thread, stride_messages: stride, ...by };
  useEffect(() => {
    call("compaction.auto.schedule", { ...input, dry_run: true }).then(
      (value) => setPlan({ value, error: undefined, waiting: false }),
      (failed: ApiError) => setPlan({ value: undefined, error: failed, waiting: false }),
    );
  }, []);
  const schedule = async (): Promise<void> => {
    await change("compaction.auto.schedule", input, (result) => {
      const decision = "decision" in result ? result.decision.replaceAll("_", " ") : "done";
      return { tone: decision === "failed" ? "bad" : "good", text: `Summaries: ${decision}.` };
    });
    onClose();
  };
  return (
    <Confirm title="Schedule a summary?" action="Schedule" onYes={schedule} onNo={onClose}>
      <Shown of={plan}>
        {(result) =>
          !("planned" in result) ? null : result.planned.length === 0 ? (
            <p>Every cut point has a summary; the decision is recorded in the thread.</p>
          ) : (
            <p>
              A job makes {counted(result.planned.length, "summary", "summaries")}, up to{" "}
              {result.planned.map(({ to_seq }) => `#${to_seq}`).join(", ")}, and appends a checkpoint to the thread. It
              runs in the background.
            </p>
          )
        }
      </Shown>
    </Confirm>
  );
}
