import { expect, it } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { readTrace } from "../inspect/trace.ts";
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

it("what is kept of the lines says what composing ROOT.md again says, has none of their words, and a changed monthly node outdates it", async () => {
  const kept = ".heartwood/cache/root-lines.json";
  const test = openTestMemory({
    files: {
      "memory/2026-02-02.md": "# 2026-02-02\n\n## Kiln [project]\n- decisions: glaze at cone six\n",
      "memory/2026-03-13.md": "# 2026-03-13\n\n## Kiln [project]\n- open: order the shelves\n",
      "memory/2026-03-14.md": "# 2026-03-14\n\n## Tone [feedback]\nAlways answer in short sentences.\n",
    },
  });
  await runCompact(test.memory, {}, {});
  const read = async (): Promise<unknown> => {
    const root = (await readRoot(test.memory, {})) as RootResult;
    return [root, await Promise.all(root.lines.map(({ line }) => readTrace(test.memory, { text: `ROOT:${line}` })))];
  };
  const withKept = await read();
  expect(test.read(kept)).not.toMatch(/kiln|shelves|sentences/iu);
  test.remove(kept);
  expect(await read()).toEqual(withKept);
  expect((withKept as [RootResult])[0].lines.length).toBeGreaterThan(1);
  await runCompact(test.memory, {}, {});
  const month = "memory/monthly/2026-02.md";
  test.write(month, (test.read(month) ?? "").replace("cone six", "cone ten"));
  const [changed] = (await read()) as [RootResult];
  expect(changed.lines.length).toBeLessThan((withKept as [RootResult])[0].lines.length);
});
