import type { Case } from "../test-functions.ts";
import { begin, linesOf, created, logOf, message, numbered, type ThreadStoreHarness } from "./harness.ts";

/** Who waits for frames learns of them. */
export const changeCases: readonly Case<ThreadStoreHarness>[] = [
  {
    says: "an append of this opening, of another and an import end the wait",
    proves: async ({ store, other }, expect) => {
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
  },
  {
    says: "what came between two calls with a signal ends the second at once",
    proves: async ({ store, other }, expect) => {
      const { signal } = new AbortController();
      await store.changed(signal);
      await begin(other, "a");
      expect(await within(store.changed(signal), 20_000)).toBe("resolved");
    },
  },
  {
    says: "nothing new keeps waiting, until the signal aborts",
    proves: async ({ store }, expect) => {
      await begin(store, "a");
      const abort = new AbortController();
      await store.changed(abort.signal);
      const waiting = store.changed(abort.signal);
      expect(await within(waiting, 200)).toBe("waiting");
      abort.abort();
      expect(await within(waiting, 20_000)).toBe("resolved");
      expect(await within(store.changed(abort.signal), 20_000)).toBe("resolved");
    },
  },
  {
    says: "two that follow one store miss nothing, and close lets both go",
    proves: async ({ store, other }, expect) => {
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
  },
];

async function within(promise: Promise<unknown>, ms: number): Promise<"resolved" | "waiting"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"waiting">((resolve) => {
    timer = setTimeout(() => resolve("waiting"), ms);
  });
  const result = await Promise.race([promise.then(() => "resolved" as const), late]);
  clearTimeout(timer);
  return result;
}
