import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresThreads, openPostgres, subscribePostgresThreads } from "../../src/postgres/index.ts";
import { begin, created, linesOf, message, numbered } from "../../src/testing/thread-store-cases/harness.ts";
import { programs, startMigrated, type Server } from "./server.ts";

let server: Server;
let database: string;
let url: string;

describe.skipIf(programs === undefined)("a subscription to threads on PostgreSQL", () => {
  beforeAll(async () => {
    ({ server, database, url } = await startMigrated());
  });
  afterAll(() => server.stop());

  const follow = (tenant: string) => {
    const seen = new Map<string, number>();
    let begun = 0;
    let look = (): void => undefined;
    const opened = openPostgres({ url, tenant });
    const subscription = subscribePostgresThreads(opened, {
      appended: ({ thread_id, head_seq }) => {
        seen.set(thread_id, head_seq);
        look();
      },
      missed: () => {
        begun += 1;
        look();
      },
    });
    /** Waits for an event after which it holds. */
    const until = (holds: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        look = () => {
          if (holds()) resolve();
        };
        look();
      });
    return { seen, until, begun: () => begun, stop: () => subscription.stop() };
  };

  it("hears of appends and imports by others, but not of another tenant's", async () => {
    const [own, foreign] = [follow("one"), follow("two")];
    await Promise.all([own.until(() => own.begun() === 1), foreign.until(() => foreign.begun() === 1)]);
    const store = createPostgresThreads({ database: openPostgres({ url, tenant: "one" }), appends: "announced" });
    await begin(store, "a");
    await Promise.all(
      Array.from({ length: 30 }, (_, at) => store.append({ thread_id: "a", frames: [message(`${at}`)] })),
    );
    await store.import(numbered(linesOf("b", [created(), message("x")])));
    await own.until(() => own.seen.get("a") === 30 && own.seen.get("b") === 1);
    const other = createPostgresThreads({ database: openPostgres({ url, tenant: "two" }), appends: "announced" });
    await begin(other, "last");
    await foreign.until(() => foreign.seen.has("last"));
    expect([...foreign.seen.keys()]).toEqual(["last"]);
    await Promise.all([own.stop(), foreign.stop(), store.close(), other.close()]);
  });

  it("begins again after its connection or the server ended, and says so", async () => {
    const own = follow("again");
    await own.until(() => own.begun() === 1);
    await server.admin(database)`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`;
    await own.until(() => own.begun() === 2);
    await server.crash();
    await own.until(() => own.begun() === 3);
    const store = createPostgresThreads({ database: openPostgres({ url, tenant: "again" }), appends: "announced" });
    await begin(store, "a");
    await own.until(() => own.seen.get("a") === 0);
    await store.close();
    await own.stop();
  });

  it("ignores what is not an announcement", async () => {
    const own = follow("noise");
    await own.until(() => own.begun() === 1);
    const [row] = await server.admin(
      database,
    )`SELECT 'heartwood_' || substr(encode(sha256('noise'), 'hex'), 1, 32) AS channel`;
    for (const payload of ["", "x", "../a 1", "a -1", "a 1e9", "a 1 2", `${"a".repeat(200)} 1`])
      await server.admin(database)`SELECT pg_notify(${row?.["channel"]}, ${payload})`;
    await server.admin(database)`SELECT pg_notify(${row?.["channel"]}, 'z 7')`;
    await own.until(() => own.seen.has("z"));
    expect([...own.seen].filter(([thread]) => thread !== "z")).toEqual([["a", 1]]);
    await own.stop();
  });
});
