import type { JSX } from "preact";
import type { Answer } from "../api.ts";
import { hrefOf } from "../live.ts";
import { number } from "../parts.tsx";
import type { partsIn } from "./threads-context.tsx";

const width = 1_000;
/** Narrower parts could not be seen or clicked. */
const narrowest = 3;

/** The messages of a thread on a scale, from the first to the last: those in full, the range of each summary, and what is not covered. */
export function Scale({
  parts,
  thread,
  head,
  cuts,
  chosen,
  given,
}: {
  readonly parts: ReturnType<typeof partsIn>;
  readonly thread: string;
  readonly head: number;
  readonly cuts: Answer<"compaction.cut_points">["cut_points"];
  readonly chosen: number | undefined;
  readonly given: Readonly<Record<string, string | null>>;
}): JSX.Element {
  const scale = width / Math.max(1, head);
  let summaries = 0;
  return (
    <figure class="coverage-scale">
      <svg
        viewBox={`0 0 ${width} 48`}
        preserveAspectRatio="none"
        role="group"
        aria-label="Coverage, from the first message to the last"
      >
        <rect class="scale-ground" width={width} height="34" y="7" />
        {parts.map(({ kind, thread_id, from_seq, to_seq, messages, tokens }, index) => {
          if (thread_id !== thread || to_seq === null) return null;
          const from = Math.max(1, from_seq ?? 1);
          if (kind === "summary") summaries += 1;
          const name = {
            summary: "Summary",
            uncovered: "Neither in full nor summarized",
            message: "In full",
            handoff: "Handed on",
            heading: "Heading",
          }[kind];
          const label = `${name}: #${from} to #${to_seq}, ${messages === null ? "" : `${number(messages)} messages, `}${number(tokens)} tokens`;
          const href = hrefOf("threads", kind === "message" ? { ...given, seq: from } : { ...given, part: index });
          const x = (from - 1) * scale;
          const w = Math.max(narrowest, (to_seq - from + 1) * scale);
          const tone = { summary: summaries % 2 === 1 ? "tone-4" : "tone-5", message: "tone-1", handoff: "tone-6" }[
            kind as "summary"
          ];
          return (
            <a key={index} href={href} aria-label={label} aria-current={index === chosen ? "true" : undefined}>
              <rect
                class={`scale-part ${tone ?? "scale-uncovered"}${index === chosen ? " chosen" : ""}`}
                x={Math.min(x, width - w)}
                y="7"
                width={w}
                height="34"
              >
                <title>{label}</title>
              </rect>
            </a>
          );
        })}
        {cuts.map(({ to_seq, already_checkpointed }) => (
          <rect
            key={to_seq}
            class={already_checkpointed ? "scale-cut done" : "scale-cut"}
            x={Math.min(width - 2, to_seq * scale - 1)}
            y={already_checkpointed ? 0 : 40}
            width="2"
            height={already_checkpointed ? 48 : 8}
          >
            <title>{`Cut point at #${to_seq}${already_checkpointed ? ", summarized" : ""}`}</title>
          </rect>
        ))}
      </svg>
      <figcaption class="row spread small quiet">
        <span>#1</span>
        <span class="legend">
          <span>
            <i class="dot tone-1" /> in full
          </span>
          <span>
            <i class="dot tone-4" /> summarized
          </span>
          <span>
            <i class="dot scale-none" /> in neither
          </span>
          <span>line: cut point</span>
        </span>
        <span>#{number(head)}</span>
      </figcaption>
    </figure>
  );
}
