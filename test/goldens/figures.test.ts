import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectGolden } from "./golden.ts";
import { shared } from "./scene.ts";

/** The figures of the quality benches, which take minutes: run with HEARTWOOD_FIGURES=1 (with `-u` to renew them). */
const isWanted = process.env["HEARTWOOD_FIGURES"] === "1" && existsSync(shared);
if (!isWanted) console.warn(`NOT RUN: the figures of the benches; set HEARTWOOD_FIGURES=1 and have ${shared}`);

const repository = join(import.meta.dirname, "../..");

describe.skipIf(!isWanted)("the figures of", () => {
  test.each(["secrets", "root", "recall-quality"])("bench/%s.mjs", async (name) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(repository, "bench", `${name}.mjs`)], {
      cwd: repository,
      encoding: "utf8",
      maxBuffer: 1 << 26,
    });
    expect([status, stderr]).toEqual([0, ""]);
    await expectGolden(`figures-${name}.txt`, stdout);
  });
});
