import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDesk, type Desk } from "../fixtures/built-program.ts";
import { programs, startMigrated, type Server } from "./server.ts";

/** Machines of a team: each has its own folder, home and settings, and runs the built program. */
const by = ["--actor", "user", "--origin", "cli"];
let server: Server;
let database: string;
let url: string;
const desks: Desk[] = [];

describe.skipIf(programs === undefined)("two machines with one PostgreSQL server", () => {
  beforeAll(async () => {
    ({ server, database, url } = await startMigrated());
  });
  afterAll(async () => {
    for (const desk of desks) desk.remove();
    await server.stop();
  });

  async function machine(name?: string): Promise<Desk> {
    const desk = openDesk("2026-03-15", { "notes.md": "" });
    desks.push(desk);
    await desk.json(["init", "--platform", "plain"]);
    if (name !== undefined) join(desk, name);
    return desk;
  }

  function join(desk: Desk, name: string): void {
    desk.setSettings({ store: { kind: "postgres", url, projects: { [desk.project]: name } } });
  }

  it("append to one thread at once, and compile the same bytes", async () => {
    const [one, two] = [await machine("shop"), await machine("shop")];
    await one.json(["thread", "create", "--id", "release-4", "--title", "Release 4"]);
    const appends = [one, two].flatMap((desk, at) =>
      Array.from({ length: 6 }, (_, n) =>
        desk.json(["thread", "append", "release-4", ...by, "--content", `message ${n} of machine ${at}`]),
      ),
    );
    await Promise.all(appends);
    await one.json(["thread", "compact", "release-4", "--stride-messages", "4", ...by]);
    const compiled = await Promise.all(
      [one, two].map((desk) => desk.run(["thread", "compile", "release-4", "--json"])),
    );
    expect(compiled.map(({ status, err }) => [status, err])).toEqual([
      [0, ""],
      [0, ""],
    ]);
    expect(compiled[0]?.out).toContain("machine 0");
    expect(compiled[0]?.out).toContain("machine 1");
    expect(compiled[0]?.out).toBe(compiled[1]?.out);
    const [events, others] = await Promise.all([one, two].map((desk) => desk.run(["thread", "export", "release-4"])));
    expect(events?.out).toBe(others?.out);
    const found = await two.json<{ readonly results: readonly unknown[] }>(["search", "message"]);
    expect(JSON.stringify(found)).toContain("thread:release-4");
    // Nothing of it is in the folders.
    for (const desk of [one, two])
      expect([...desk.files().keys()].filter((path) => /threads\//u.test(path))).toEqual([]);
  });

  it("keep the threads of other folders in their files", async () => {
    const [local, other] = [await machine(), await machine("other")];
    await local.json(["thread", "create", "--id", "release-4"]);
    const list = await other.json<{ readonly threads: readonly unknown[] }>(["thread", "list"]);
    expect(list.threads).toEqual([]);
    const status = await local.json<{ readonly server: unknown }>(["store", "status"]);
    expect(status.server).toBeNull();
    const { out, status: exit } = await local.run(["store", "copy", "--to", "postgres", "--json"]);
    expect([exit, JSON.parse(out).error.code]).toEqual([2, "invalid_config"]);
  });

  it("copy threads and artifacts to the server and back, again without effect, and equal in bytes", async () => {
    const here = await machine();
    for (const id of ["a", "b"]) {
      await here.json(["thread", "create", "--id", id]);
      for (let n = 0; n < 9; n += 1) await here.json(["thread", "append", id, ...by, "--content", `${id} ${n}`]);
      await here.json(["thread", "compact", id, "--stride-messages", "4", ...by]);
      await here.json(["thread", "compile", id, "--record", "--build", ...by]);
    }
    const exported = (desk: Desk) =>
      Promise.all(["a", "b"].map(async (id) => (await desk.run(["thread", "export", id])).out));
    const before = await exported(here);
    join(here, "copied");
    const copied = await here.json<Copied>(["store", "copy", "--to", "postgres"]);
    expect(copied).toMatchObject({ threads: 2, differing: [], damaged: [] });
    expect(copied.frames).toBeGreaterThan(20);
    expect(copied.artifacts).toBeGreaterThan(3);
    expect(await here.json(["store", "copy", "--to", "postgres"])).toMatchObject({
      threads: 2,
      frames: 0,
      artifacts: 0,
    });
    expect(await exported(here)).toEqual(before);
    expect(await here.json(["thread", "verify"])).toMatchObject({ ok: true });

    const there = await machine("copied");
    await there.json(["thread", "append", "a", ...by, "--content", "from there"]);
    expect(await there.json(["store", "copy", "--to", "embedded"])).toMatchObject({ differing: [], damaged: [] });
    const onServer = await exported(there);
    there.setSettings({});
    expect(await exported(there)).toEqual(onServer);
    expect(await there.json(["thread", "verify"])).toMatchObject({ ok: true });

    // The files here did not get the message from there, and go on differently.
    here.setSettings({});
    await here.json(["thread", "append", "a", ...by, "--content", "from here"]);
    join(here, "copied");
    const { status, out } = await here.run(["store", "copy", "--to", "postgres", "--json"]);
    expect([status, JSON.parse(out).differing.map((one: { thread_id: string }) => one.thread_id)]).toEqual([1, ["a"]]);
    expect(await exported(here)).toEqual(onServer);
  });

  it("forget a message on the server, and the summaries that had it", async () => {
    const [one, two] = [await machine("forgetful"), await machine("forgetful")];
    await one.json(["thread", "create", "--id", "plans"]);
    for (let n = 0; n < 9; n += 1)
      await one.json([
        "thread",
        "append",
        "plans",
        ...by,
        "--content",
        n === 2 ? "the word is quillfeather" : `step ${n}`,
      ]);
    await two.json(["thread", "compact", "plans", "--stride-messages", "4", ...by]);
    await two.json(["thread", "compile", "plans", "--record", "--build", ...by]);
    const bytesWith = async (word: string): Promise<number> => {
      const [row] = await server.admin(database)`
        SELECT (SELECT count(*) FROM heartwood.frame WHERE line LIKE ${`%${word}%`})
          + (SELECT count(*) FROM heartwood.artifact WHERE position(${Buffer.from(word)} IN bytes) > 0) AS count`;
      return Number(row?.["count"]);
    };
    expect(await bytesWith("quillfeather")).toBeGreaterThan(2);
    const done = await one.json<{ readonly left: readonly string[] }>(["forget", "quillfeather", "--yes"]);
    expect(done.left).toEqual([]);
    expect(await bytesWith("quillfeather")).toBe(0);
    const events = await Promise.all([one, two].map((desk) => desk.run(["thread", "export", "plans"])));
    expect(events[0]?.out).toBe(events[1]?.out);
    expect(await two.json(["thread", "verify"])).toMatchObject({ ok: true });
  });

  it("come from an empty server as the guide says", async () => {
    const guide = readFileSync(path.join(import.meta.dirname, "../../docs/guides/postgres.md"), "utf8");
    const steps = guide.slice(guide.indexOf("## From an empty"), guide.indexOf("| key of"));
    const [one, two] = [await machine(), await machine()];
    const shells = [...steps.matchAll(/ {3}```(sh|json)\n([^]*?)```/gu)].flatMap(([, kind, text = ""]) =>
      kind === "json" ? [text] : text.split("\n").map((line) => line.trim()),
    );
    const lines = shells.filter((line) => line !== "" && !line.startsWith("npm "));
    expect(lines.length).toBe(10);
    const withServer = (text: string): string =>
      text
        .replaceAll(/postgres:\/\/(\w+):…@db\.example\/memory\?sslmode=verify-full/gu, (_, user: string) =>
          server.url(user, "memory"),
        )
        .replaceAll("…", "secret");
    for (const line of lines) {
      const sql = /^psql (memory )?-c "(.*)"$/u.exec(line);
      if (sql !== null)
        await server.admin(sql[1] === undefined ? "postgres" : "memory").unsafe(withServer(sql[2] ?? ""));
      else if (line.trim().startsWith("{")) {
        for (const desk of [one, two])
          desk.setSettings(JSON.parse(withServer(line).replace("/home/me/shop", desk.project)) as object);
      } else {
        const { url = "", words = "" } =
          /^(?:DATABASE_URL="(?<url>[^"]*)" )?heartwood (?<words>.*)$/u.exec(line)?.groups ?? {};
        const env = one.env as Record<string, string>;
        if (url !== "") env["DATABASE_URL"] = withServer(url);
        const args = [...words.matchAll(/"([^"]*)"|\S+/gu)].map(([word, quoted]) => quoted ?? word);
        const { status, err } = await one.run(args);
        expect([line, status, err]).toEqual([line, 0, ""]);
        delete env["DATABASE_URL"];
      }
    }
    expect((await two.run(["thread", "compile", "release-4"])).out).toContain("Ship on Friday");
  });

  it("show and migrate the schema without the password", async () => {
    const empty = await server.createDatabase();
    const desk = await machine();
    const address = (user: string) => server.url(user, empty).replace(`${user}@`, `${user}:s3cret-word@`);
    desk.setSettings({ store: { kind: "postgres", urlEnv: "TEAM", projects: { [desk.project]: "shop" } } });
    const env = desk.env as Record<string, string>;
    const unset = await desk.run(["store", "status"]);
    expect([unset.status, unset.out]).toEqual([1, expect.stringContaining("TEAM")]);
    env["TEAM"] = address("app");
    const before = await desk.run(["store", "status"]);
    expect([before.status, before.out]).toEqual([1, expect.stringContaining("no schema")]);
    expect((await desk.run(["thread", "list", "--json"])).out).toContain("older_store");
    const refused = await desk.run(["store", "migrate"]);
    expect([refused.status, refused.err]).toEqual([2, expect.stringContaining("may not create the schema")]);
    env["DATABASE_URL"] = address("owner");
    const migrated = await desk.run(["store", "migrate"]);
    expect([migrated.status, migrated.out]).toEqual([0, expect.stringContaining("was created, version 1")]);
    delete env["DATABASE_URL"];
    const after = await desk.run(["store", "status"]);
    expect([after.status, after.out]).toEqual([0, expect.stringContaining("ready")]);
    await server.admin(empty)`INSERT INTO heartwood.migration (version) VALUES (99)`;
    const newer = await desk.run(["store", "status"]);
    expect([newer.status, newer.out]).toEqual([1, expect.stringContaining("Use a newer heartwood")]);
    for (const { out, err } of [unset, before, refused, migrated, after, newer])
      expect(out + err).not.toContain("s3cret");
    expect(database).not.toBe(empty);
  });
});

interface Copied {
  readonly frames: number;
  readonly artifacts: number;
}
