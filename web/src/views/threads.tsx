import type { JSX } from "preact";
import { hrefOf, useAnswer, type Place } from "../live.ts";
import { counted, Empty, number, Shown } from "../parts.tsx";
import { Folded } from "./health-folded.tsx";
import { ThreadPage } from "./threads-one.tsx";

export const mostThreads = 10_000;

/** The threads, or one of them. */
export function ThreadsView({ place: { params } }: { readonly place: Place }): JSX.Element {
  const thread = params.get("thread") ?? "";
  return thread === "" ? <ThreadList /> : <ThreadPage key={thread} thread={thread} params={params} />;
}

export function timeOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString().replace("T", " ").slice(0, 16);
}

function ThreadList(): JSX.Element {
  const list = useAnswer("thread.list", { limit: mostThreads });
  return (
    <Shown of={list}>
      {({ threads, total }) =>
        threads.length === 0 ? (
          <Empty title="There are no threads yet.">
            <code>heartwood install</code> lets an agent's conversations become threads; <code>heartwood import</code>{" "}
            reads earlier ones.
          </Empty>
        ) : (
          <section class="sheet" aria-label="Threads">
            <p class="quiet small">{counted(total, "thread")}, last used first</p>
            <Folded most={100} label="Threads" listOf={threads} rows="chosen">
              {({ thread_id, title, message_count, updated_at_ms, parent }) => (
                <a class="choose thread-row" href={hrefOf("threads", { thread: thread_id })}>
                  <span class="thread-title" dir="auto">
                    {title === null || title === "" ? thread_id : title}
                  </span>
                  <span class="small quiet thread-id">
                    {thread_id}
                    {parent === null ? "" : `, from ${parent.thread_id} at #${parent.seq}`}
                  </span>
                  <span class="figure">{number(message_count)}</span>
                  <time class="small quiet">{timeOf(updated_at_ms)}</time>
                </a>
              )}
            </Folded>
          </section>
        )
      }
    </Shown>
  );
}
