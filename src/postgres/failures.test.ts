import { describe, expect, it } from "vitest";
import { MemoryError } from "../base/errors.ts";
import { parseAddress } from "./address.ts";
import { openPostgres } from "./database.ts";
import { failureOf } from "./failures.ts";

const address = parseAddress("postgres://me:secret-word@db.example/memory");
const failed = (code: string, message = "it failed", detail?: string): MemoryError =>
  failureOf(Object.assign(new Error(message), { code, detail, parameters: ["secret-word"] }), address) as MemoryError;

describe("an error of the server", () => {
  it("has a code of heartwood's, by its SQLSTATE", () => {
    const codes = {
      "55P03": "busy",
      "57014": "busy",
      "40P01": "busy",
      "40001": "busy",
      "53100": "disk_full",
      "42501": "io",
    };
    const others = {
      "28P01": "invalid_config",
      "3D000": "invalid_config",
      "42P01": "older_store",
      "42883": "older_store",
    };
    const lost = {
      ECONNREFUSED: "io",
      CONNECTION_CLOSED: "io",
      "57P01": "io",
      "57P03": "io",
      XX000: "io",
      HW002: "io",
    };
    for (const [sqlstate, code] of Object.entries({ ...codes, ...others, ...lost }))
      expect(failed(sqlstate).code, sqlstate).toBe(code);
  });

  it("that is about the schema's version says which, and what to do", () => {
    expect(failed("HW001", "version", "7")).toMatchObject({ code: "newer_store", details: { version: 7 } });
    expect(failed("HW001", "version", "0").code).toBe("older_store");
    expect(failed("42P01").message).toContain("`heartwood store migrate`");
  });

  it("is shown on one line, redacted, without the values of the statement", () => {
    const error = failed("XX000", "bad\n\u001b[31mpassword=hunter2hunter2 \u202e");
    expect(error.message).not.toMatch(/[\n\u001b\u202e]|hunter2|secret-word/u);
    expect(JSON.stringify([error.details, error.cause ?? null])).not.toContain("secret-word");
    expect(error.details).toEqual({ sqlstate: "XX000" });
  });

  it("of another place is passed on", () => {
    const own = new MemoryError("usage", "x");
    expect(failureOf(own, address)).toBe(own);
    expect(failureOf("text", address)).toBe("text");
  });
});

it("a server that was never reached fails at once, if that is asked for", async () => {
  const url = "postgres://me:s3cret@localhost/memory?host=/nowhere";
  const database = openPostgres({ url, unreached: "fails", waitMs: 600_000 });
  const fault = await database.call("head", { thread_id: "a" }).catch((error: unknown) => error);
  expect(fault).toMatchObject({ code: "io", message: expect.stringContaining("cannot be reached") });
  expect(String(fault)).not.toContain("s3cret");
  await database.close();
});
