import { sha256 } from "../../base/digest.ts";
import { localDay } from "../../base/calendar.ts";
import type { SecretValues } from "../../text/redact/known-secrets.ts";
import { clearedText } from "../../tree/compose/cleared.ts";
import { cutMessages, type Message } from "../passages/cut-messages.ts";
import { isFrame, messageOf, parseFrame, roleOf } from "../../threads/model/frame.ts";
import type { ThreadHead } from "../../threads/store/thread-store.ts";
import type { RecallMemory } from "../memory.ts";
import { indexedSection } from "./indexed-section.ts";
import { nothingLeftOut } from "./left-out.ts";
import type { SourceRead } from "./source-read.ts";
import type { Source } from "./sources.ts";

/** Reads the messages of one part of a thread. Errors: those of the store. */
export async function readThreadPart(
  { memory, secrets }: { readonly memory: RecallMemory; readonly secrets: SecretValues },
  source: Source,
  part: { readonly thread: ThreadHead; readonly seqs: readonly [number, number] },
): Promise<SourceRead> {
  const { thread, seqs } = part;
  const frames = await memory.threads.frames({
    thread_id: thread.thread_id,
    from_seq: seqs[0],
    to_seq: seqs[1],
    limit: seqs[1] - seqs[0] + 1,
  });
  const messages = frames.flatMap(({ line }): readonly Message[] => {
    const frame = parseFrame(line);
    const message = isFrame(frame) ? messageOf(frame) : undefined;
    if (message === undefined || !isFrame(frame)) return [];
    const day = localDay(frame.timestamp_ms, memory.clock.zone);
    return [{ seq: message.seq, day, role: roleOf(message.actor_id), text: clearedText(message.content, secrets) }];
  });
  const heading = thread.title === null ? "" : clearedText(thread.title, secrets);
  const sections = cutMessages(messages, heading).map(({ day, section }) => indexedSection(section, day));
  const days = messages.map(({ day }) => day).toSorted();
  return {
    is: "read",
    left: nothingLeftOut,
    content: {
      name: `thread:${thread.thread_id}`,
      kind: "thread",
      level: "none",
      from: days[0] ?? "",
      to: days.at(-1) ?? "",
      stamp: source.stamp,
      digest: sha256(frames.map(({ line }) => line).join("")),
      sections,
    },
  };
}
