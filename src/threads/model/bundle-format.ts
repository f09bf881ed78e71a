import type { Part } from "./context.ts";
import type { Role } from "../../base/summary-line.ts";
import { roleOf } from "./frame.ts";
import { printLine } from "./summary.ts";

/** A compiled context as it lies in the artifact store, `rip.context_bundle.v1`. */
export interface Bundle {
  readonly schema: "rip.context_bundle.v1";
  readonly compiler: { readonly id: string; readonly strategy: string };
  readonly source: { readonly thread_id: string; readonly from_seq: number; readonly from_message_id: string | null };
  readonly provenance: { readonly run_session_id: string; readonly actor_id: string; readonly origin: string };
  readonly items: readonly BundleItem[];
}

export type BundleItem = MessageItem | SummaryItem | UncoveredItem | HandoffItem;

interface MessageItem {
  readonly type: "message";
  readonly role: Role;
  readonly content: string;
  readonly actor_id: string;
  readonly origin: string;
  readonly thread_seq: number;
  readonly thread_event_id: string;
  /** Only of a message of a parent: the bundle's own thread is in its source. */
  readonly thread_id?: string;
}

/** The fields after `note` are those of the covering strategy. */
interface SummaryItem {
  readonly type: "summary_ref";
  readonly artifact_id: string;
  readonly note?: string;
  readonly thread_id?: string;
  readonly from_seq?: number;
  readonly to_seq?: number;
  readonly messages?: number | null;
  readonly lines?: number;
}

interface UncoveredItem {
  readonly type: "uncovered";
  readonly thread_id: string;
  readonly from_seq: number;
  readonly to_seq: number;
  readonly messages: number | null;
}

interface HandoffItem {
  readonly type: "handoff";
  readonly thread_id: string;
  readonly to_seq: number;
  readonly summary_markdown: string;
}

/** The bytes of a bundle: `JSON.stringify` in the order of the format, without a line end. */
export function printBundle({ compiler, source, provenance, items }: Bundle): Uint8Array {
  const ordered = {
    schema: "rip.context_bundle.v1",
    compiler: { id: compiler.id, strategy: compiler.strategy },
    source: { thread_id: source.thread_id, from_seq: source.from_seq, from_message_id: source.from_message_id },
    provenance: {
      run_session_id: provenance.run_session_id,
      actor_id: provenance.actor_id,
      origin: provenance.origin,
    },
    items: items.map(orderedItem),
  };
  return new TextEncoder().encode(JSON.stringify(ordered));
}

/** The item of the covering strategy that a part is, in a bundle of that thread. */
export function itemOf(part: Part, sourceThreadId: string): BundleItem {
  const { thread_id } = part;
  if (part.kind === "message") {
    const { actor_id, origin, content, seq, id } = part.message;
    return {
      type: "message",
      role: roleOf(actor_id),
      content,
      actor_id,
      origin,
      thread_seq: seq,
      thread_event_id: id,
      ...(thread_id === sourceThreadId ? {} : { thread_id }),
    };
  }
  const { to_seq } = part;
  if (part.kind === "handoff") {
    const summary_markdown = part.lines.map((line) => `${printLine(line)}\n`).join("");
    return { type: "handoff", thread_id, to_seq, summary_markdown };
  }
  const { from_seq, messages } = part;
  if (part.kind === "uncovered") return { type: "uncovered", thread_id, from_seq, to_seq, messages };
  const { artifact_id, note, lines } = part;
  return { type: "summary_ref", artifact_id, note, thread_id, from_seq, to_seq, messages, lines: lines.length };
}

const ORDER: Readonly<Record<BundleItem["type"], readonly string[]>> = {
  message: ["type", "role", "content", "actor_id", "origin", "thread_seq", "thread_event_id", "thread_id"],
  summary_ref: ["type", "artifact_id", "note", "thread_id", "from_seq", "to_seq", "messages", "lines"],
  uncovered: ["type", "thread_id", "from_seq", "to_seq", "messages"],
  handoff: ["type", "thread_id", "to_seq", "summary_markdown"],
};

function orderedItem(item: BundleItem): Readonly<Record<string, unknown>> {
  const fields = item as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(ORDER[item.type].filter((name) => name in fields).map((name) => [name, fields[name]]));
}
