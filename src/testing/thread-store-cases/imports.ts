import { type Cases, endingOf } from "../test-functions.ts";
import {
  type ThreadStoreHarness,
  begin,
  checkpoint,
  created,
  effect,
  ended,
  idOf,
  linesOf,
  logOf,
  message,
  numbered,
  refusalOf,
  spawned,
} from "./harness.ts";
import type { FrameDraft } from "../../threads/model/frame.ts";
import type { ImportLine, ThreadImport, ThreadStore } from "../../threads/store/thread-store.ts";

/** What an import takes, passes over and refuses. */
export const importCases: Cases<ThreadStoreHarness> = {
  "lines are kept byte for byte: other orders and spaces, unknown fields and types, CR, no stream_kind": async (
    { store, other },
    expect,
  ) => {
    const lines = [
      `{ "type":"continuity_created","seq":0, "timestamp_ms":1,"session_id":"a","id":"${idOf(1)}" }`,
      `{"id":"${idOf(2)}","session_id":"a","timestamp_ms":2,"seq":1,"type":"unknown 'type\\u0000","x":{"y":[1]}}\r`,
      `{"id":"${idOf(3)}","session_id":"a","timestamp_ms":2,"seq":2,"type":"continuity_message_appended","actor_id":"","origin":"","content":"\\ud800\\u00e9é🙂","é":1}`,
    ];
    const report = await store.import(numbered(lines));
    expect(report).toEqual([{ thread_id: "a", imported: 3, known: 0, head_seq: 2 }]);
    expect(await logOf(other, "a")).toEqual(lines);
    const head = await other.head("a");
    expect([head?.workspace, head?.title, head?.created_at_ms, head?.updated_at_ms]).toEqual(["", null, 1, 2]);
    expect([head?.message_count, head?.weight, head?.decision_seq]).toEqual([1, 32 + 11, 1]);
    const [odd] = await other.frames({ thread_id: "a", types: ["unknown 'type\0"], limit: 5 });
    expect([odd?.seq, odd?.type]).toEqual([1, "unknown 'type\0"]);
  },
  "an import may be repeated, and a longer log brings only what is new": async ({ store }, expect) => {
    const lines = linesOf("a", [created(), message("1"), message("2"), message("3")]);
    expect(await importOf(store, lines.slice(0, 2))).toEqual([imported("a", 2, 1)]);
    expect(await importOf(store, lines)).toEqual([{ ...imported("a", 2, 3), known: 2 }]);
    expect(await importOf(store, lines)).toEqual([{ ...imported("a", 0, 3), known: 4 }]);
    expect(await importOf(store, lines.slice(1, 3))).toEqual([{ ...imported("a", 0, 3), known: 2 }]);
    expect(await importOf(store, [...lines, ...lines])).toEqual([{ ...imported("a", 0, 3), known: 8 }]);
    expect(await importOf(store, [])).toEqual([]);
    expect(await logOf(store, "a")).toEqual(lines);
  },
  "threads may be mixed, and are reported in the order in which they come": async ({ store }, expect) => {
    const [a, b, c] = ["a", "b", "c"].map((id) => linesOf(id, [created(), message("1"), message("2")]));
    const mixed = [0, 1, 2].flatMap((seq) => [b?.[seq] ?? "", a?.[seq] ?? "", c?.[seq] ?? ""]);
    expect(await importOf(store, mixed)).toEqual(["b", "a", "c"].map((id) => imported(id, 3, 2)));
    expect(await logOf(store, "a")).toEqual(a);
    expect((await store.heads({ limit: 10 })).total).toBe(3);
  },
  "an append continues where an import ended, and an import where an append did": async ({ store }, expect) => {
    await importOf(store, linesOf("a", [created(), message("1")]));
    await store.append({ thread_id: "a", frames: [message("2")], expected_seq: 1 });
    const lines = [...(await logOf(store, "a")), ...linesOf("a", [created(), effect(), effect(), effect()]).slice(3)];
    expect(await importOf(store, lines)).toEqual([{ ...imported("a", 1, 3), known: 3 }]);
    expect((await store.head("a"))?.message_count).toBe(2);
  },
  "jobs and checkpoints of a log are found, and its open jobs have no lease": async ({ store }, expect) => {
    const frames = [created(), message("1"), spawned("j"), checkpoint(1), ended("j"), spawned("k")];
    await importOf(store, linesOf("a", frames));
    expect(await store.openJobs({})).toEqual([
      { thread_id: "a", job_id: "k", kind: "compaction_summarizer_v1", seq: 5, lease: "none" },
    ]);
    const [found] = await store.checkpoints({ thread_id: "a", kind: "cumulative_v1", limit: 5 });
    expect([found?.seq, found?.ordinals]).toEqual([3, [1, 1]]);
    await importOf(store, linesOf("a", [...frames, ended("k")]));
    expect(await store.openJobs({})).toEqual([]);
  },
  ...Object.fromEntries(
    (
      [
        ["other bytes at a known seq", "frame_conflict", () => changed(3, (line) => line.replace("three", "3"))],
        ["a known id at another seq", "frame_conflict", () => changed(3, (line) => line.replace(idOf(3), idOf(1)))],
        [
          "a known id beyond a gap",
          "frame_conflict",
          () => changed(3, (line) => seqed(line.replace(idOf(3), idOf(1)), 9)),
        ],
        ["a missing seq", "seq_gap", () => changed(4, (line) => seqed(line, 5))],
        ["a log without its beginning", "seq_gap", () => log().slice(1), "new"],
        [
          "a line that is not a frame",
          "invalid_frame",
          () => changed(4, (line) => line.replace('"content"', '"words"')),
        ],
        [
          "a second beginning",
          "invalid_frame",
          () => changed(4, (line) => line.replace("message_appended", "created")),
        ],
      ] as const
    ).map(([what, code, lines, thread = "grown"]): [string, Cases<ThreadStoreHarness>[string]] => [
      `${what} is ${code}: nothing of its thread is taken, the others are`,
      async ({ store }, expect) => {
        const before = thread === "new" ? [] : log().slice(0, 4);
        await importOf(store, before);
        const state = await stateOf(store);
        const others = linesOf("b", [created(), message("b1"), spawned("jb")]);
        const [refused, taken] = await importOf(store, [...lines(), ...others]);
        expect([refused?.thread_id, refused?.imported, refused?.head_seq]).toEqual(["a", 0, before.length - 1]);
        expect(refused?.error?.code).toBe(code);
        expect(typeof refused?.error?.line).toBe("number");
        expect(taken).toEqual(imported("b", 3, 2));
        expect(await stateOf(store)).toEqual(state);
        expect((await store.heads({ limit: 10 })).total).toBe(thread === "new" ? 1 : 2);
        // Nothing of it blocks a later import.
        expect((await importOf(store, log())).map(({ error }) => error)).toEqual([undefined]);
        expect(await logOf(store, "a")).toEqual(log());
      },
    ]),
  ),
  "a fault after jobs ended and checkpoints were made brings back what was there before": async ({ store }, expect) => {
    await begin(store, "a", [message("1"), spawned("j")]);
    const lease = { job_id: "j", runner: "r", lease_ms: 1000 };
    await store.claim({ ...lease, action: "take" });
    const before = await logOf(store, "a");
    const state = await stateOf(store);
    const frames = [created(), effect(), effect(), ended("j"), checkpoint(1), spawned("k"), message("gap")];
    const more = linesOf("a", frames).slice(3);
    const last = seqed(more.at(-1) ?? "", 99);
    expect((await importOf(store, [...before, ...more.slice(0, -1), last]))[0]?.error?.code).toBe("seq_gap");
    expect(await stateOf(store)).toEqual(state);
    expect(await store.claim({ ...lease, action: "renew" })).toBe(true);
  },
  "a line that names no thread refuses the whole import and names the line": async ({ store }, expect) => {
    await begin(store, "b");
    for (const text of ['{"id":', "", "[]", "7", '{"id":1}', '{"session_id":"../x"}']) {
      const { code, details } = await refusalOf(store.import(numbered([...log(), text])));
      expect([code, details]).toEqual(["invalid_frame", { line: log().length + 1 }]);
    }
    expect(await store.head("a")).toBe(undefined);
    expect(await endingOf(begin(store, "a"))).toBe("fulfilled");
  },
  "a source that fails takes nothing, and its error comes through": async ({ store }, expect) => {
    expect(await endingOf(store.import(failing()))).toBe("pipe");
    expect(await store.heads({ limit: 10 })).toEqual({ heads: [], total: 0 });
  },
  "appends of both openings during a long import wait for it, and none is lost": async ({ store, other }, expect) => {
    await begin(store, "b");
    const frames = [created(), ...Array.from({ length: 9000 }, (_, index) => message(`${index}`))];
    async function* slow() {
      for (const line of numbered(linesOf("a", frames))) {
        if (line.number % 3000 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        yield line;
      }
    }
    const importing = store.import(slow());
    const appends = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? store : other).append({ thread_id: "b", frames: [message(`${index}`)] }),
    );
    const [report] = await importing;
    await Promise.all(appends);
    expect(report).toEqual(imported("a", 9001, 9000));
    expect((await other.head("b"))?.message_count).toBe(20);
    expect((await other.places("a", [{ ordinal: 9000 }]))[0]?.seq).toBe(9000);
  },
};

async function* failing(): AsyncGenerator<ImportLine> {
  yield* numbered(log());
  throw Object.assign(new Error("the pipe broke"), { code: "pipe" });
}

function log(): readonly string[] {
  const texts = ["one", "two", "three", "four"].map((text, index) => message(text, idOf(index + 1)));
  const first: FrameDraft = { ...created(), id: idOf(99) };
  return linesOf("a", [first, ...texts]);
}

/** The log with one line changed. */
function changed(seq: number, change: (line: string) => string): readonly string[] {
  return log().map((line, index) => (index === seq ? change(line) : line));
}

function seqed(line: string, seq: number): string {
  return line.replace(/"seq":\d+/, `"seq":${seq}`);
}

function imported(thread_id: string, count: number, head_seq: number): ThreadImport {
  return { thread_id, imported: count, known: 0, head_seq };
}

function importOf(store: ThreadStore, lines: readonly string[]): Promise<readonly ThreadImport[]> {
  return store.import(numbered(lines));
}

/** What can be asked about the thread `a`. */
async function stateOf(store: ThreadStore): Promise<unknown> {
  return [
    await store.head("a"),
    await logOf(store, "a"),
    await store.checkpoints({ thread_id: "a", kind: "cumulative_v1", limit: 10 }),
    await store.openJobs({ thread_id: "a" }),
    await store.frames({ thread_id: "a", types: ["continuity_job_spawned", "continuity_job_ended"], limit: 10 }),
    await store.places("a", [{ ordinal: 4 }, { id: idOf(4) }, { weight: 1 }]),
  ];
}

/** Who waits for frames learns of them. */
export const changeCases: Cases<ThreadStoreHarness> = {
  "an append of this opening, of another and an import end the wait": async ({ store, other }, expect) => {
    await begin(store, "a");
    const { signal } = new AbortController();
    await store.changed(signal);
    const ways = [
      () => store.append({ thread_id: "a", frames: [message("x")] }),
      () => other.append({ thread_id: "a", frames: [message("x")] }),
      () => store.import(numbered(linesOf("b", [created()]))),
    ];
    for (const change of ways) {
      const waiting = within(store.changed(signal), 20_000);
      await change();
      expect(await waiting).toBe("resolved");
    }
  },
  "what came between two calls with a signal ends the second at once": async ({ store, other }, expect) => {
    const { signal } = new AbortController();
    await store.changed(signal);
    await begin(other, "a");
    expect(await within(store.changed(signal), 20_000)).toBe("resolved");
  },
  "nothing new keeps waiting, until the signal aborts": async ({ store }, expect) => {
    await begin(store, "a");
    const abort = new AbortController();
    await store.changed(abort.signal);
    const waiting = store.changed(abort.signal);
    expect(await within(waiting, 200)).toBe("waiting");
    abort.abort();
    expect(await within(waiting, 20_000)).toBe("resolved");
    expect(await within(store.changed(abort.signal), 20_000)).toBe("resolved");
  },
  "two that follow one store miss nothing, and close lets both go": async ({ store, other }, expect) => {
    await begin(store, "a");
    const follow = async (signal: AbortSignal): Promise<number> => {
      let seen = 0;
      while (seen < 8) {
        await store.changed(signal);
        seen = (await logOf(store, "a")).length;
      }
      return seen;
    };
    const following = [new AbortController(), new AbortController()].map(({ signal }) => follow(signal));
    for (let count = 1; count < 8; count += 1) {
      await (count % 2 === 0 ? store : other).append({ thread_id: "a", frames: [message("x")] });
      await within(new Promise(() => {}), count * 7);
    }
    expect(await Promise.all(following)).toEqual([8, 8]);
    const { signal } = new AbortController();
    await store.changed(signal);
    const waiting = within(store.changed(signal), 20_000);
    await store.close();
    expect(await waiting).toBe("resolved");
  },
};

async function within(promise: Promise<unknown>, ms: number): Promise<"resolved" | "waiting"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"waiting">((resolve) => {
    timer = setTimeout(() => resolve("waiting"), ms);
  });
  const result = await Promise.race([promise.then(() => "resolved" as const), late]);
  clearTimeout(timer);
  return result;
}
