import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { go, hrefOf, useAnswer, type Asked } from "../live.ts";
import { LongList } from "../long-list.tsx";
import { number, Shown } from "../parts.tsx";
import type { Answer } from "../api.ts";
import { PlaceLink } from "../parts.tsx";
import { useInView, useKept } from "./place-lines.tsx";
import { partsIn, ThreadContext, usualBudget, type Compiled } from "./threads-context.tsx";
import { parseRow, useFrames, type Row } from "./threads-frames.ts";
import { timeOf } from "./threads.tsx";

const rowHeight = 52;
const usualStride = 10_000;

type Head = Answer<"thread.get">;

/** One thread: the context that fits a budget, and every message. */
export function ThreadPage({
  thread,
  params,
}: {
  readonly thread: string;
  readonly params: URLSearchParams;
}): JSX.Element {
  const head = useKept(useAnswer("thread.get", { thread_id: thread }));
  return (
    <>
      <p class="row small">
        <a href={hrefOf("threads")}>All threads</a>
      </p>
      <Shown of={head}>{(found) => <Thread head={found} params={params} />}</Shown>
    </>
  );
}

function Thread({ head, params }: { readonly head: Head; readonly params: URLSearchParams }): JSX.Element {
  const { thread_id, title, message_count, head_seq, parent, workspace } = head;
  const chosen = params.get("seq") === null ? undefined : Number(params.get("seq"));
  const part = params.get("part") === null ? undefined : Number(params.get("part"));
  const budget = Number(params.get("budget")) || usualBudget;
  const status = useKept(useAnswer("compaction.status", { thread_id }));
  const recorded = /^stride_messages_v1\/(\d+)$/u.exec(status.value?.latest_checkpoint?.cut_rule_id ?? "")?.[1];
  const stride = Number(params.get("stride") ?? recorded ?? usualStride);
  const cuts = useAnswer("compaction.cut_points", { thread_id, stride_messages: stride, limit: 1_000 });
  const compiled = useKept(useAnswer("context.compile", { thread_id, budget, render: "parts" }));
  const given = { thread: thread_id, budget: params.get("budget"), stride: params.get("stride") };
  return (
    <>
      <div class="row spread thread-head">
        <h2 dir="auto">{title === null || title === "" ? thread_id : title}</h2>
        <span class="small quiet">
          {number(message_count)} messages in {workspace}
          {parent === null ? null : (
            <>
              , {parent.kind} of{" "}
              <a href={hrefOf("threads", { thread: parent.thread_id, seq: parent.seq })}>{parent.thread_id}</a> at #
              {parent.seq}
            </>
          )}
        </span>
      </div>
      <ThreadContext
        given={given}
        head={head}
        compiled={compiled}
        budget={budget}
        stride={stride}
        status={status}
        cuts={cuts.value?.cut_points ?? []}
        part={part}
      />
      <div class="columns">
        <Messages
          thread={thread_id}
          head={head_seq}
          chosen={chosen}
          given={given}
          cuts={cuts.value?.cut_points ?? []}
          compiled={compiled}
        />
        <section class="sheet detail" aria-label="Detail" tabIndex={-1}>
          {chosen !== undefined ? (
            <OneFrame thread={thread_id} seq={chosen} />
          ) : part !== undefined ? (
            <OnePart compiled={compiled} index={part} given={given} />
          ) : (
            <p class="quiet">Choose a message, or a part of the context.</p>
          )}
        </section>
      </div>
    </>
  );
}

type Given = Readonly<Record<string, string | null>>;

function Messages({
  thread,
  head,
  chosen,
  given,
  cuts,
  compiled,
}: {
  readonly thread: string;
  readonly head: number;
  readonly chosen: number | undefined;
  readonly given: Given;
  readonly cuts: Answer<"compaction.cut_points">["cut_points"];
  readonly compiled: Asked<Compiled>;
}): JSX.Element {
  const frames = useFrames(thread, head);
  const [typed, setTyped] = useState("");
  const shown = useMemo(() => (chosen === undefined ? undefined : { index: chosen }), [chosen]);
  const marks = useMemo(() => new Map(cuts.map((cut) => [cut.to_seq, cut.already_checkpointed] as const)), [cuts]);
  const parts = compiled.value === undefined ? [] : partsIn(compiled.value);
  const firstRaw = parts.find(({ kind, thread_id }) => kind === "message" && thread_id === thread);
  return (
    <section aria-label="Messages">
      <form
        class="row spread jump"
        onSubmit={(event) => {
          event.preventDefault();
          const seq = Number(typed);
          if (typed.trim() !== "" && Number.isSafeInteger(seq))
            go("threads", { ...given, seq: Math.max(0, Math.min(head, seq)) });
        }}
      >
        <span class="small quiet">#0 to #{number(head)}</span>
        <span class="row">
          <label class="row small">
            Go to #
            <input
              size={8}
              inputMode="numeric"
              value={typed}
              onInput={({ currentTarget: { value } }) => setTyped(value)}
            />
          </label>
          <button type="submit" disabled={!/^\s*\d+\s*$/u.test(typed)}>
            Go
          </button>
          <button type="button" onClick={() => go("threads", { ...given, seq: head })}>
            Newest
          </button>
        </span>
      </form>
      <LongList
        count={head + 1}
        rowHeight={rowHeight}
        label="Messages"
        startAt="end"
        shown={shown}
        onNear={frames.near}
        onMove={(index) => go("threads", { ...given, seq: index }, "replace")}
        row={(index) => (
          <MessageRow
            row={frames.row(index)}
            seq={index}
            isChosen={index === chosen}
            cut={marks.get(index)}
            isRaw={firstRaw !== undefined && index >= (firstRaw.from_seq ?? Infinity)}
            href={hrefOf("threads", { ...given, seq: index })}
          />
        )}
      />
    </section>
  );
}

function MessageRow({
  row,
  seq,
  isChosen,
  cut,
  isRaw,
  href,
}: {
  readonly row: Row | undefined;
  readonly seq: number;
  readonly isChosen: boolean;
  /** Whether a cut point here has a checkpoint; `undefined` if there is no cut point. */
  readonly cut: boolean | undefined;
  readonly isRaw: boolean;
  readonly href: string;
}): JSX.Element {
  const kind = row === undefined ? "coming" : row.kind === "mark" ? "mark" : `role-${row.role}`;
  return (
    <a
      class={`choose frame ${kind}${isRaw ? " raw" : ""}${cut === undefined ? "" : " cut"}`}
      tabIndex={-1}
      aria-current={isChosen ? "true" : undefined}
      href={href}
    >
      <span class="frame-head small quiet">
        <span>#{seq}</span>
        {row === undefined || row.kind === "mark" ? null : <b>{row.actor}</b>}
        {row === undefined ? null : <time>{timeOf(row.time)}</time>}
        {cut === undefined ? null : <span class="cut-mark">{cut ? "cut point, summarized" : "cut point"}</span>}
      </span>
      <span class="frame-text" dir="auto">
        {row?.text ?? " "}
      </span>
    </a>
  );
}

function OneFrame({ thread, seq }: { readonly thread: string; readonly seq: number }): JSX.Element {
  const events = useAnswer("thread.events", { thread_id: thread, from_seq: seq, limit: 1 });
  const lines = events.value as unknown as readonly string[] | undefined;
  const row = lines?.[0] === undefined ? undefined : parseRow(lines[0], Infinity);
  const box = useInView(String(seq), lines !== undefined);
  return (
    <div ref={box}>
      <h2 class="place-title">
        <PlaceLink place={`thread:${thread}:${seq}`} />
      </h2>
      <Shown of={events}>
        {() =>
          row === undefined ? (
            <p class="quiet">There is no #{seq} in this thread.</p>
          ) : (
            <>
              <p class="row small quiet">
                {row.kind === "mark" ? null : <b>{row.actor}</b>}
                <time>{timeOf(row.time)}</time>
              </p>
              <pre class="lines message-text" dir="auto">
                {row.text}
              </pre>
              {row.kind === "mark" ? null : (
                <p class="row small">
                  <a href={hrefOf("sessions", { trace: `thread:${thread}:${seq}` })}>What comes from it</a>
                  <a href={hrefOf("health", { tab: "forget", place: `thread:${thread}:${seq}` })}>Forget…</a>
                </p>
              )}
            </>
          )
        }
      </Shown>
    </div>
  );
}

function OnePart({
  compiled,
  index,
  given,
}: {
  readonly compiled: Asked<Compiled>;
  readonly index: number;
  readonly given: Given;
}): JSX.Element {
  const box = useInView(String(index), compiled.value !== undefined);
  return (
    <div ref={box}>
      <Shown of={compiled}>
        {(context) => {
          const part = partsIn(context)[index];
          if (part === undefined) return <p class="quiet">The context has no such part.</p>;
          return (
            <>
              <h2>{part.kind === "summary" ? "Summary" : part.kind === "uncovered" ? "Not in the context" : "Part"}</h2>
              <p class="row small">
                <span class="quiet">{number(part.tokens)} tokens</span>
                {part.from_seq === null ? null : (
                  <a href={hrefOf("threads", { ...given, seq: Math.max(1, part.from_seq) })}>
                    Go to #{Math.max(1, part.from_seq)}
                  </a>
                )}
                {part.to_seq === null ? null : (
                  <a href={hrefOf("threads", { ...given, seq: part.to_seq })}>Go to #{part.to_seq}</a>
                )}
              </p>
              <pre class="lines message-text" dir="auto">
                {part.text ?? ""}
              </pre>
            </>
          );
        }}
      </Shown>
    </div>
  );
}
