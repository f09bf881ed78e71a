import { expect, it } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { runCompact } from "../run/compact.ts";
import { type RootResult, readRoot } from "./root.ts";

it("a line of a smaller rendering has its line number in the file, or 0 if the file lacks it", async () => {
  const topics = Array.from(
    { length: 40 },
    (_, index) => `## Topic ${index} [project]\n- decisions: choice ${index}\n`,
  );
  const test = openTestMemory({ files: { "memory/2026-03-14.md": `# 2026-03-14\n\n${topics.join("\n")}` } });
  await runCompact(test.memory, {}, {});
  const file = test.read("memory/ROOT.md")?.split("\n") ?? [];
  const whole = (await readRoot(test.memory, {})) as RootResult;
  const smaller = (await readRoot(test.memory, { max_tokens: 500 })) as RootResult;
  expect(smaller.path).toBe("memory/ROOT.md");
  expect(smaller.lines.length).toBeLessThan(whole.lines.length);
  expect(smaller.lines.filter(({ line }) => line > 0).length).toBeGreaterThan(0);
  for (const { line, text } of [...whole.lines, ...smaller.lines])
    if (line > 0) expect(file[line - 1]).toBe(text);
    else expect(file).not.toContain(text);
});
