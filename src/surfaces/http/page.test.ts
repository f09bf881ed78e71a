import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readPage } from "./page.ts";

describe("the files of the page", () => {
  test("are index.html and those in assets/, by their paths", () => {
    const folder = mkdtempSync(join(tmpdir(), "heartwood-page-"));
    mkdirSync(join(folder, "assets", "inner.js"), { recursive: true });
    writeFileSync(join(folder, "index.html"), "<!doctype html>");
    writeFileSync(join(folder, "assets", "index-B7xK2p9q.js"), "1");
    writeFileSync(join(folder, "assets", "index-B7xK2p9q.js.map"), "1");
    writeFileSync(join(folder, "assets", "plain.css"), "");
    const page = readPage(folder);
    expect([...page].map(([path, { type, identified }]) => [path, type, identified])).toEqual([
      ["/", "text/html; charset=utf-8", "by nothing"],
      ["/assets/index-B7xK2p9q.js", "text/javascript; charset=utf-8", "by name"],
      ["/assets/plain.css", "text/css; charset=utf-8", "by nothing"],
    ]);
  });

  test("a build without a page says where the API is", () => {
    const [first, ...more] = readPage(join(tmpdir(), "heartwood-no-such-folder"));
    expect(more).toEqual([]);
    expect(first?.[0]).toBe("/");
    expect(Buffer.from(first?.[1].bytes ?? []).toString()).toContain("/v1/openapi.json");
  });
});
