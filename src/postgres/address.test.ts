import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { endingOf } from "../testing/test-functions.ts";
import { checkTenant, parseAddress } from "./address.ts";
import { createPostgresThreads, migrate, openPostgres } from "./index.ts";

const password = "correct-horse-battery";

describe("the address of a server", () => {
  it("is shown without user, password and settings", () => {
    const { name } = parseAddress(`postgres://me:${password}@db.example:6543/memory?sslmode=disable`);
    expect(name).toBe("db.example:6543/memory");
    expect(parseAddress("postgresql://me@db.example/memory").name).toBe("db.example:5432/memory");
  });

  it("may be the folder of a Unix socket", () => {
    const { name, socket } = parseAddress("postgres://me@localhost/memory?host=/run/postgresql");
    expect([name, socket]).toEqual(["/run/postgresql:5432/memory", "/run/postgresql/.s.PGSQL.5432"]);
  });

  it("says with sslmode how the connection is encrypted, and checked", () => {
    const ssl = (query: string) => parseAddress(`postgres://me@db.example/memory${query}`).ssl;
    expect(ssl("")).toBe("prefer");
    expect(ssl("?sslmode=disable")).toBe(false);
    expect(ssl("?sslmode=require")).toBe("require");
    expect([ssl("?sslmode=verify-ca"), ssl("?sslmode=verify-full")]).toEqual(["verify-full", "verify-full"]);
    const folder = mkdtempSync(join(tmpdir(), "hw-address-"));
    writeFileSync(join(folder, "root.crt"), "a certificate");
    expect(ssl(`?sslmode=verify-full&sslrootcert=${folder}/root.crt`)).toEqual({ ca: "a certificate" });
    rmSync(folder, { recursive: true });
    expect(() => ssl("?sslmode=on")).toThrow(
      /^sslmode is on; allowed: disable, prefer, require, verify-ca, verify-full\.$/u,
    );
    expect(() => ssl("?sslmode=verify-full&sslrootcert=/nowhere/root.crt")).toThrow(/cannot be read \(ENOENT\)/u);
  });

  it("must have percent-encoded passwords, of which no part is shown otherwise", () => {
    for (const url of [
      "postgres://me:50%@db.example/x",
      "postgres://me:12/secret@db.example/x",
      "postgres://me:1#secret@db/x",
    ]) {
      expect(() => parseAddress(url)).toThrow(/must be percent-encoded/u);
      expect(() => parseAddress(url)).not.toThrow(/secret|50%/u);
    }
    expect(parseAddress("postgres://me:50%25%2Fsecret@db.example/x").name).toBe("db.example:5432/x");
  });

  it("that is missing or not a URL is invalid_config, without its text", () => {
    const given = process.env["DATABASE_URL"];
    delete process.env["DATABASE_URL"];
    expect(() => parseAddress()).toThrow(/set DATABASE_URL/u);
    process.env["DATABASE_URL"] = "postgres://me@db.example/other";
    expect(parseAddress().name).toBe("db.example:5432/other");
    if (given === undefined) delete process.env["DATABASE_URL"];
    else process.env["DATABASE_URL"] = given;
    for (const url of [
      `me:${password}@db`,
      `https://me:${password}@db.example/x`,
      `postgres://me:${password}@db:port/x`,
    ]) {
      expect(() => parseAddress(url)).toThrow(/not a URL such as/u);
      expect(() => parseAddress(url)).not.toThrow(password);
    }
  });
});

it("a tenant has the grammar of a thread id", () => {
  expect(checkTenant("team-1")).toBe("team-1");
  for (const tenant of ["", "Team", "a b", "-a", "a".repeat(97), "a\u0000", "../a"])
    expect(() => checkTenant(tenant)).toThrow(/is not a tenant/u);
});

it("a server that cannot be reached is an io error, without the password", async () => {
  // A port that nothing listens on.
  const url = `postgres://me:${password}@127.0.0.1:9/memory`;
  const store = createPostgresThreads({ database: openPostgres({ url, waitMs: 1 }) });
  for (const call of [() => store.head("a"), () => store.import([]), () => migrate({ url })]) {
    const error: unknown = await call().catch((thrown: unknown) => thrown);
    const said = JSON.stringify([String(error), error, (error as Error).stack, (error as Error).cause]);
    expect(said).toContain("127.0.0.1:9/memory cannot be reached");
    expect(said).not.toContain(password);
    expect(await endingOf(call())).toBe("io");
  }
  await store.close();
});
