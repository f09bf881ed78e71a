import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresArtifacts, createPostgresThreads, migrate, openPostgres } from "../../src/postgres/index.ts";
import { endingOf } from "../../src/testing/test-functions.ts";
import {
  begin,
  checkpoint,
  idOf,
  logOf,
  message,
  numbered,
  linesOf,
  created,
} from "../../src/testing/thread-store-cases/harness.ts";
import { programs, startMigrated, type Server } from "./server.ts";

let server: Server;
let database: string;
let url: string;

const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "fulfilled",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

describe.skipIf(programs === undefined)("the schema on PostgreSQL", () => {
  beforeAll(async () => {
    ({ server, database, url } = await startMigrated());
  });
  afterAll(() => server.stop());

  describe("migrations", () => {
    it("that start at once make each version once", async () => {
      const name = await server.createDatabase();
      const owner = server.url("owner", name);
      const all = await Promise.all(Array.from({ length: 8 }, () => migrate({ url: owner })));
      expect(all.filter(({ from }) => from === 0).length).toBeGreaterThanOrEqual(1);
      expect(new Set(all.map(({ to }) => to))).toEqual(new Set([1]));
      const rows = await server.admin(name)`SELECT version FROM heartwood.migration`;
      expect(rows.map(({ version }) => version)).toEqual([1]);
    });

    it("can be repeated, and change nothing of what is stored", async () => {
      const store = createPostgresThreads({ database: openPostgres({ url, tenant: "repeated" }) });
      await begin(store, "a", [message("x")]);
      expect(await migrate({ url: server.url("owner", database) })).toEqual({ from: 1, to: 1, role: "heartwood_app" });
      expect((await store.head("a"))?.head_seq).toBe(1);
      await store.close();
    });

    it("give the named role what it needs, and no other", async () => {
      const name = await server.createDatabase();
      await migrate({ url: server.url("owner", name), role: "other_app" });
      await server.admin(name).unsafe("CREATE ROLE member LOGIN IN ROLE other_app");
      const store = createPostgresThreads({ database: openPostgres({ url: server.url("member", name) }) });
      await begin(store, "a");
      const stranger = createPostgresThreads({ database: openPostgres({ url: server.url("app", name) }) });
      expect(await endingOf(stranger.head("a"))).toBe("io");
      for (const role of ["public", "a b", 'x"; DROP', "A", ""])
        expect(await endingOf(migrate({ url: server.url("owner", name), role }))).toBe("invalid_config");
      await store.close();
      await stranger.close();
    });

    it("are refused to a user who may not create the schema", async () => {
      const name = await server.createDatabase();
      expect(await endingOf(migrate({ url: server.url("app", name) }))).toBe("invalid_config");
    });
  });

  describe("another version", () => {
    it("none: every call is older_store, and says what to run", async () => {
      const name = await server.createDatabase();
      const opened = openPostgres({ url: server.url("owner", name) });
      const [threads, artifacts] = [
        createPostgresThreads({ database: opened }),
        createPostgresArtifacts({ database: opened }),
      ];
      expect(await endingOf(threads.head("a"))).toBe("older_store");
      expect(await endingOf(begin(threads, "a"))).toBe("older_store");
      expect(await endingOf(threads.import(numbered(linesOf("a", [created()]))))).toBe("older_store");
      expect(await messageOf(artifacts.put(new Uint8Array(1)))).toContain("`heartwood store migrate`");
      await opened.close();
    });

    it("newer: every call and migrate are newer_store, and nothing changes", async () => {
      const name = await server.createDatabase();
      const owner = server.url("owner", name);
      await migrate({ url: owner });
      const admin = server.admin(name);
      const [{ definition }] =
        (await admin`SELECT pg_get_functiondef('heartwood.enter_as(text,int,text)'::regprocedure) AS definition`) as unknown as [
          { definition: string },
        ];
      await admin`INSERT INTO heartwood.migration (version) VALUES (2)`;
      await admin.unsafe(definition.replace("<> 1", "<> 2").replace("'1'", "'2'"));
      const store = createPostgresThreads({ database: openPostgres({ url: server.url("app", name) }) });
      expect(await endingOf(store.head("a"))).toBe("newer_store");
      expect(await endingOf(begin(store, "a"))).toBe("newer_store");
      expect(await endingOf(migrate({ url: owner }))).toBe("newer_store");
      expect(await messageOf(store.head("a"))).toMatch(/version 2; this program supports up to 1/u);
      await store.close();
    });
  });

  describe("the application role", () => {
    it("cannot update, delete or truncate frames and artifacts, nor delete threads and checkpoints", async () => {
      const opened = openPostgres({ url, tenant: "kept" });
      const store = createPostgresThreads({ database: opened });
      await begin(store, "a", [message("x"), checkpoint(1)]);
      await createPostgresArtifacts({ database: opened }).put(new Uint8Array(3));
      const statements = ["frame", "artifact", "checkpoint"].flatMap((table) => [
        `UPDATE heartwood.${table} SET tenant = tenant`,
        `DELETE FROM heartwood.${table}`,
        `TRUNCATE heartwood.${table}`,
      ]);
      const others = [
        "DELETE FROM heartwood.thread",
        "UPDATE heartwood.thread SET tenant = 'x'",
        "DELETE FROM heartwood.redaction",
        "DELETE FROM heartwood.artifact",
        "DROP TABLE heartwood.frame",
      ];
      for (const statement of [...statements, ...others])
        expect(await messageOf(opened.run(statement)), statement).toContain("refused");
      expect(await opened.call("head", { thread_id: "a" })).toMatchObject({ head_seq: 2 });
      await opened.close();
    });

    it("sees no rows without a tenant, and none of another tenant, not even through the functions that run as the owner", async () => {
      const [one, two] = ["one", "two"].map((tenant) => openPostgres({ url, tenant }));
      if (one === undefined || two === undefined) throw new Error("not opened");
      const [a, b] = [createPostgresThreads({ database: one }), createPostgresThreads({ database: two })];
      await begin(a, "shared", [message("of one", idOf(1))]);
      await begin(b, "shared", [message("of two", idOf(1))]);
      expect((await logOf(a, "shared")).join("")).not.toContain("of two");
      expect((await b.heads({ limit: 10 })).total).toBe(1);
      expect((await one.run("SELECT * FROM heartwood.frame")).length).toBe(0);
      // Statements of one transaction, as a program with a fault might send them.
      const inTenant = (statement: string): string =>
        `SELECT set_config('heartwood.tenant', 'one', true), set_config('role', 'heartwood_app', true); ${statement}`;
      const numberOf = async (tenant: string): Promise<number> =>
        Number(
          (await server.admin(database)`SELECT number FROM heartwood.thread WHERE tenant = ${tenant}`)[0]?.["number"],
        );
      const other = await numberOf("two");
      for (const statement of [
        `INSERT INTO heartwood.frame SELECT 'two', thread, 99, gen_random_uuid(), type, is_indexed, ordinal, weight, checksum, line FROM heartwood.frame LIMIT 1`,
        `SELECT heartwood.derive('two', ${other}, ARRAY[(9, NULL, NULL, NULL, NULL, NULL, false, 0, 'j', 'k', false, NULL, NULL)::heartwood.draft])`,
      ])
        expect(await messageOf(one.run(inTenant(statement))), statement).toContain("row-level security");
      await one.run(inTenant(`SELECT heartwood.discard(${other}, -1)`));
      await one.run(
        inTenant(`SELECT heartwood.redact('{"thread_id":"shared","frames":0,"workspace":"","weight":0}', '[]', '[]')`),
      );
      expect((await b.head("shared"))?.weight).toBeGreaterThan(0);
      expect((await logOf(b, "shared")).length).toBe(2);
      await one.close();
      await two.close();
    });

    it("takes back only what its own transaction imported", async () => {
      const opened = openPostgres({ url, tenant: "discard" });
      const store = createPostgresThreads({ database: opened });
      await begin(store, "a", [message("x")]);
      const [row] = await server.admin(database)`SELECT number FROM heartwood.thread WHERE tenant = 'discard'`;
      await opened.transaction(async (calls) => {
        await calls.call("lock_thread", { thread_id: "a" });
        await calls.call("head", { thread_id: "a" });
      });
      await opened.run(
        `SELECT set_config('heartwood.tenant', 'discard', true), set_config('role', 'heartwood_app', true), heartwood.discard(${row?.["number"]}, -1)`,
      );
      expect((await logOf(store, "a")).length).toBe(2);
      await opened.close();
    });

    it("is taken by every call, so a superuser's address bypasses nothing", async () => {
      const opened = openPostgres({ url: server.url("postgres", database), tenant: "super" });
      const store = createPostgresThreads({ database: opened });
      await begin(store, "a");
      expect((await store.heads({ limit: 9 })).total).toBe(1);
      await opened.transaction(async (calls) => {
        await calls.call("head", { thread_id: "a" });
      });
      const [row] = await opened.run("SELECT current_user AS name");
      expect(row?.["name"]).toBe("postgres");
      await opened.close();
    });
  });

  it("a rewriting is recorded with who and when, without the words", async () => {
    const store = createPostgresThreads({ database: openPostgres({ url, tenant: "audited" }) });
    await begin(store, "a", [message("the secret word"), message("y")]);
    await store.rewrite("a", (line) => line.replace("the secret word", ""));
    const admin = server.admin(database);
    const rows =
      await admin`SELECT thread_id, frames::int, redacted_by, redacted_at <= now() AS is_past FROM heartwood.redaction WHERE tenant = 'audited'`;
    expect([...rows]).toEqual([{ thread_id: "a", frames: 1, redacted_by: "app", is_past: true }]);
    const [found] = await admin`SELECT count(*)::int AS count FROM heartwood.frame WHERE line LIKE '%secret word%'`;
    expect(found?.["count"]).toBe(0);
    await store.close();
  });

  it("a changed row is damaged_store, and the error names its seq", async () => {
    const store = createPostgresThreads({ database: openPostgres({ url, tenant: "damaged" }) });
    await begin(store, "a", [message("good"), message("y")]);
    await server.admin(
      database,
    )`UPDATE heartwood.frame SET line = replace(line, 'good', 'evil') WHERE tenant = 'damaged' AND seq = 1`;
    expect(await messageOf(store.frames({ thread_id: "a", limit: 9 }))).toContain("seq 1");
    expect(await endingOf(store.frames({ thread_id: "a", limit: 9 }))).toBe("damaged_store");
    expect(await endingOf(store.frames({ thread_id: "a", from_seq: 2, limit: 9 }))).toBe("fulfilled");
    await store.close();
  });

  it("every commit waits for the disk, whatever the database's default", async () => {
    const name = await server.createDatabase();
    await migrate({ url: server.url("owner", name) });
    await server.admin(name).unsafe(`ALTER DATABASE ${name} SET synchronous_commit = off`);
    const opened = openPostgres({ url: server.url("app", name) });
    const [before] = await opened.run("SELECT current_setting('synchronous_commit') AS value");
    expect(before?.["value"]).toBe("off");
    const [inside] = await opened.run(
      `SELECT heartwood.enter('{"tenant":"x","version":1,"wait":"1s"}'), current_setting('synchronous_commit') AS value`,
    );
    expect(inside?.["value"]).toBe("on");
    await opened.close();
  });

  it("no setting of a call remains on its connection, so a pooler may give it to others", async () => {
    const opened = openPostgres({ url, tenant: "pooled", poolSize: 1 });
    await begin(createPostgresThreads({ database: opened }), "a");
    const [row] = await opened.run(
      "SELECT current_setting('heartwood.tenant', true) AS tenant, current_user AS name, current_setting('lock_timeout') AS wait",
    );
    expect(row).toEqual({ tenant: "", name: "app", wait: "0" });
    await opened.close();
  });
});
