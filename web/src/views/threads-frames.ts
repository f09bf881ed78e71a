import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { call } from "../api.ts";
import { useChanges } from "../live.ts";

/** A frame of a thread, as a row of the list. */
export interface Row {
  readonly seq: number;
  readonly kind: "message" | "mark";
  readonly role: "user" | "assistant" | "tool" | "system";
  readonly actor: string;
  readonly time: number;
  /** The beginning of a message, on one line, or what happened. */
  readonly text: string;
}

type Fields = Readonly<Record<string, unknown>>;

const longestText = 300;

function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

function roleOf(actor: string): Row["role"] {
  if (actor === "assistant" || actor.startsWith("assistant:")) return "assistant";
  if (actor === "system") return "system";
  return actor.startsWith("tool:") ? "tool" : "user";
}

/** What happened, for a frame that is not a message. */
function markOf(type: string, frame: Fields): string {
  switch (type) {
    case "continuity_created":
      return "Thread created";
    case "continuity_compaction_checkpoint_created":
      return `Checkpoint: a summary up to #${textOf(frame["to_seq"])}`;
    case "continuity_job_spawned":
      return `Job started: ${textOf(frame["job_kind"])}`;
    case "continuity_job_ended":
      return `Job ${textOf(frame["status"])}: ${textOf(frame["job_kind"])}`;
    case "continuity_compaction_auto_schedule_decided":
      return `Summaries: ${textOf(frame["decision"]).replaceAll("_", " ")}`;
    case "continuity_context_compiled":
      return "Context compiled";
    case "continuity_branched":
      return `Branched from ${textOf(frame["parent_thread_id"])} at #${textOf(frame["parent_seq"])}`;
    default:
      return type.replace("continuity_", "").replaceAll("_", " ");
  }
}

/** The content of a message is whole only in the detail. */
export function parseRow(line: string, longest = longestText): Row {
  const frame = JSON.parse(line) as Fields;
  const type = textOf(frame["type"]);
  const isMessage = type === "continuity_message_appended";
  const actor = textOf(frame["actor_id"]);
  const content = textOf(frame["content"]);
  const whole = isMessage
    ? content === "" && frame["redacted"] !== undefined
      ? "(forgotten)"
      : content
    : markOf(type, frame);
  return {
    seq: Number(frame["seq"]),
    kind: isMessage ? "message" : "mark",
    role: roleOf(actor),
    actor,
    time: Number(frame["timestamp_ms"]),
    text: whole.length > longest ? `${whole.slice(0, longest)}…` : whole,
  };
}

const pageSize = 100;
/** Pages that are kept, so that a thread of any length takes little memory. */
const mostPages = 60;
/** Milliseconds of rest before pages are asked for. */
const rest = 30;

export interface Frames {
  /** `undefined` if it is not there yet. */
  row(seq: number): Row | undefined;
  /** Tells which rows are seen; what is missing of them is loaded. */
  near(from: number, to: number): void;
}

/** The frames of a thread, loaded in pages as they are seen, and again when the thread changes. */
export function useFrames(thread: string, head: number): Frames {
  const pages = useRef(new Map<number, readonly Row[]>());
  const loading = useRef(new Map<number, AbortController>());
  const seen = useRef({ from: 0, to: 0 });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const [, render] = useState(0);
  const load = useCallback(() => {
    const { from, to } = seen.current;
    const [first, last] = [Math.floor(from / pageSize), Math.floor(Math.min(to, head) / pageSize)];
    for (const [page, running] of loading.current)
      if (page < first || page > last) {
        running.abort();
        loading.current.delete(page);
      }
    for (let page = first; page <= last; page += 1) {
      const wanted = Math.min(pageSize, head + 1 - page * pageSize);
      if (loading.current.has(page) || (pages.current.get(page)?.length ?? 0) >= wanted) continue;
      const running = new AbortController();
      loading.current.set(page, running);
      call("thread.events", { thread_id: thread, from_seq: page * pageSize, limit: pageSize }, running.signal).then(
        (lines) => {
          if (running.signal.aborted) return;
          loading.current.delete(page);
          pages.current.delete(page);
          pages.current.set(
            page,
            (lines as unknown as readonly string[]).map((line) => parseRow(line)),
          );
          for (const old of pages.current.keys()) {
            if (pages.current.size <= mostPages) break;
            pages.current.delete(old);
          }
          render((count) => count + 1);
        },
        () => {
          if (loading.current.get(page) === running) loading.current.delete(page);
        },
      );
    }
  }, [thread, head]);
  const near = useCallback(
    (from: number, to: number) => {
      seen.current = { from, to };
      clearTimeout(timer.current);
      timer.current = setTimeout(load, rest);
    },
    [load],
  );
  useEffect(() => {
    load();
    return () => clearTimeout(timer.current);
  }, [load]);
  useEffect(
    () => () => {
      for (const running of loading.current.values()) running.abort();
      loading.current.clear();
      pages.current.clear();
    },
    [thread],
  );
  useChanges((changed) => {
    if (changed.length > 0 && !changed.includes("threads")) return;
    const { from, to } = seen.current;
    const [first, last] = [Math.floor(from / pageSize), Math.floor(to / pageSize)];
    // What is on its way may be older than the change.
    for (const running of loading.current.values()) running.abort();
    loading.current.clear();
    // What is seen stays until it is loaded again.
    for (const [page, rows] of pages.current)
      if (page < first || page > last) pages.current.delete(page);
      else pages.current.set(page, rows.slice(0, -1));
    load();
  });
  return { row: (seq) => pages.current.get(Math.floor(seq / pageSize))?.[seq % pageSize], near };
}
