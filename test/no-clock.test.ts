import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";

/** Tests must not depend on the speed of the machine. */
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
  test("are found", () => expect(files.length).toBeGreaterThan(200));

  test("do not measure time by the clock: fixtures/processor-time.ts measures processor time, and bench/ measures speed", () => {
    expect(linesWith(/performance\.now\(|Date\.now\(\) - (?!\d)|process\.hrtime/u)).toEqual([]);
  });

  test("have no time limit shorter than the common one", () => {
    const limits = linesWith(/^\s*\}, [\d_]+\);$|\{ timeout: [\d_]+ \}, (?:async )?\(|^\s*\{ timeout: [\d_]+ \},$/u);
    const short = limits.filter((place) => {
      const [path = "", line = ""] = place.split(":");
      const text = files.find((file) => file.path === path)?.text.split("\n")[Number(line) - 1] ?? "";
      return Number(/([\d_]+)(?: \}, |\);$| \},$)/u.exec(text)?.[1]?.replaceAll("_", "")) < 1_800_000;
    });
    expect(short).toEqual([]);
  });
});
