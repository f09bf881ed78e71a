// Shared by the thread benchmarks: messages of 400 bytes, and figures.
import { program } from "./harness.mjs";

/** The duration of each of `count` sequential calls, in milliseconds. */
export async function times(count, act) {
  const all = [];
  for (let index = 0; index < count; index++) {
    const started = performance.now();
    await act(index);
    all.push(performance.now() - started);
  }
  return all;
}

export function figuresOf(all) {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { median: at(0.5), p99: at(0.99), p999: at(0.999), worst: sorted.at(-1) };
}

/** Message drafts of about 400 bytes each. Their content depends only on their number. */
export function messagesOf(memory, from, count) {
  return Array.from({ length: count }, (_, index) => ({
    id: memory.ids.next(),
    timestamp_ms: 1_767_225_600_000 + (from + index) * 60_000,
    type: "continuity_message_appended",
    payload: {
      actor_id: (from + index) % 2 === 0 ? "user" : "assistant",
      origin: "bench",
      content: contentOf(from + index),
    },
  }));
}

/** Appends messages to a thread, a thousand at a time. */
export async function fill(memory, thread_id, from, count) {
  for (let at = from; at < from + count; at += 1000) {
    const frames = messagesOf(memory, at, Math.min(1000, from + count - at));
    await memory.threads.append({ thread_id, frames });
  }
}

/** The arguments of a process that runs `auto`. */
export function compactArgs(dir, thread_id, stride) {
  const by = ["--actor", "bench", "--origin", "bench"];
  return [program, "-C", dir, "thread", "compact", thread_id, "--stride-messages", String(stride), ...by, "--json"];
}

const WORDS =
  "the release branch importer retries queue invoice customer database schema column index worker deploy staging rollback metric latency budget token cache review merge failing test fixture parser timeout header payload cursor checkpoint message thread summary window storage bucket region cluster node replica backup restore policy rule scope permission account session login invite report export chart filter sort search query result page button dialog theme contrast font layout margin ticket sprint backlog estimate roadmap meeting notes agenda decision question answer draft proposal contract budget quarter vendor".split(
    " ",
  );

export function contentOf(number) {
  let state = (number * 2_654_435_761 + 12_345) >>> 0;
  const next = (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  let text = "";
  while (text.length < 395) {
    const words = Array.from({ length: 6 + next(9) }, () => WORDS[next(WORDS.length)]);
    if (next(6) === 0) words.push(String(next(10_000)));
    text += `${text === "" ? "" : " "}${words.join(" ")}.`;
  }
  return text.slice(0, 400);
}
