import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { documents, repository, valueIn } from "../fixtures/documents.ts";

/** Runs the commands of the guides and the README in a shell with the built program, and compares the output with the document. */
const bin = join(repository, "dist", "bin.js");
const runnable = documents.filter(({ examples }) => examples.some(({ info }) => info.startsWith("sh run")));

describe.each(runnable)("the commands of $path", ({ path, examples }) => {
  test("exit as documented, and print what the document shows", () => {
    const run = openShell();
    let printed = "";
    for (const example of examples) {
      const place = `${path}:${example.line}`;
      if (example.info.startsWith("sh run")) {
        const ended = run(example.text);
        expect(ended.status, `${place}\n${ended.printed}`).toBe(Number(valueIn(example.info, "status") || 0));
        printed = ended.printed;
      } else if (example.info === "text output") expectShown(example.text, printed, place);
    }
  });
});

/** A shell in an empty folder, where `heartwood` is the built program, on a fixed day. */
function openShell(): (script: string) => { readonly status: number | null; readonly printed: string } {
  if (!existsSync(bin)) throw new Error("dist/bin.js is not there; run `node tools/build.mjs` first");
  const base = realpathSync(mkdtempSync(join(tmpdir(), "heartwood-docs-")));
  for (const folder of ["home", "project", "bin"]) mkdirSync(join(base, folder));
  writeFileSync(join(base, "bin", "heartwood"), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`, {
    mode: 0o755,
  });
  const env = {
    PATH: [join(base, "bin"), dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
    HOME: join(base, "home"),
    TZ: "UTC",
    HEARTWOOD_TODAY: "2026-03-16",
  };
  return (script) => {
    const { status, stdout, stderr } = spawnSync("sh", ["-e"], {
      cwd: join(base, "project"),
      env,
      input: script,
      encoding: "utf8",
    });
    return { status, printed: `${stdout}${stderr}` };
  };
}

/** Every line shown must have been printed, in this order. `…` matches anything, and a line of only `…` matches any lines. */
function expectShown(shown: string, printed: string, place: string): void {
  const lines = printed.split("\n").map((line) => line.trimEnd());
  let from = 0;
  for (const line of shown
    .split("\n")
    .slice(0, -1)
    .filter((candidate) => candidate.trim() !== "…" && candidate.trim() !== "")) {
    const parts = line
      .trimEnd()
      .split("…")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`));
    const pattern = new RegExp(`^${parts.join(".*")}$`, "u");
    const found = lines.findIndex((candidate, index) => index >= from && pattern.test(candidate));
    expect(found, `${place}: "${line}" was not printed:\n${printed}`).toBeGreaterThanOrEqual(0);
    from = found + 1;
  }
}
