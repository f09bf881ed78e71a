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
  for (const damaged of ["", "{}", "null", "[1, 2]", (test.read(kept) ?? "").replace('"role"', '"rule"')]) {
    test.write(kept, damaged);
    expect(await read()).toEqual(withKept);
  }
  test.remove(kept);
  expect(await read()).toEqual(withKept);
  expect((withKept as [RootResult])[0].lines.length).toBeGreaterThan(1);
  await runCompact(test.memory, {}, {});
  const month = "memory/monthly/2026-02.md";
  test.write(month, (test.read(month) ?? "").replace("cone six", "cone ten"));
  const [changed] = (await read()) as [RootResult];
  expect(changed.lines.length).toBeLessThan((withKept as [RootResult])[0].lines.length);
});

it("what is kept of fixed months changes nothing if it is damaged, and goes if the memory has a secret", async () => {
  const months = ".heartwood/cache/months.json";
  const log = (day: string, text: string) => `# ${day}\n\n## Kiln [project]\n- decisions: ${text}\n`;
  const early = {
    "memory/2026-01-05.md": log("2026-01-05", "the tea is kLm93xQzT4wVb81p"),
    "memory/2026-02-02.md": log("2026-02-02", "two shelves"),
  };
  const test = openTestMemory({ files: early });
  await runCompact(test.memory, {}, {});
  const whole = test.read(months) ?? "";
  expect(whole).toContain("kLm93xQzT4wVb81p");
  for (const [at, damaged] of [whole.replace("tea", "rum"), `${whole.split("\n")[0]}\n[[1]]`, "{", ""].entries()) {
    test.write(months, damaged);
    const day = `2026-03-0${at + 1}`;
    test.write(`memory/${day}.md`, log(day, `turn ${at}`));
    await runCompact(test.memory, {}, {});
    expect(test.read("memory/ROOT.md")).not.toContain("rum");
    expect(test.read(months)).toContain("the tea");
  }
  test.write(months, whole.replace("tea", "rum"));
  test.write("memory/2026-03-15.md", log("2026-03-15", "password: kLm93xQzT4wVb81p"));
  await runCompact(test.memory, {}, {});
  expect(test.read(months)).not.toContain("kLm93xQzT4wVb81p");
});
