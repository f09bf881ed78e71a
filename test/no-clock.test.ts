import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";

/** No test depends on how fast a machine is. */
const root = join(import.meta.dirname, "..");
const own = relative(root, import.meta.filename);
const files = globSync(["src/**/*.test.ts", "test/**/*.ts"], { cwd: root })
  .filter((path) => path !== own && !path.startsWith("test/clients/"))
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

/** The lines that match, as `path:line`. */
function linesWith(pattern: RegExp): readonly string[] {
  return files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
  );
}

describe("tests", () => {
  test("are found at all", () => expect(files.length).toBeGreaterThan(200));

  test("measure no time by the clock: processor time is in fixtures/processor-time.ts, speed in bench/", () => {
    expect(linesWith(/performance\.now\(|Date\.now\(\) - (?!\d)|process\.hrtime/u)).toEqual([]);
  });

  test("have no time limit of their own that is shorter than the one for all", () => {
    const limits = linesWith(/^\s*\}, [\d_]+\);$|\{ timeout: [\d_]+ \}, (?:async )?\(|^\s*\{ timeout: [\d_]+ \},$/u);
    const short = limits.filter((place) => {
      const [path = "", line = ""] = place.split(":");
      const text = files.find((file) => file.path === path)?.text.split("\n")[Number(line) - 1] ?? "";
      return Number(/([\d_]+)(?: \}, |\);$| \},$)/u.exec(text)?.[1]?.replaceAll("_", "")) < 1_800_000;
    });
    expect(short).toEqual([]);
  });
});
