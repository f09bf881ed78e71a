import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { runCompact } from "../run/compact.ts";
import { runVerify } from "./verify.ts";

it("a summary over the limit only because of the user's statements is not too long", async () => {
  const wishes = Array.from({ length: 40 }, (_, i) => {
    const words = `the long and careful words of chapter ${i} as they were said, `.repeat(4);
    return `## Session ${i}\nUser: Please always keep ${words}in report ${i}.\n`;
  });
  const topics = Array.from({ length: 60 }, (_, i) => {
    const reasons = `выбор ${i} из многих для этой части с долгим обоснованием `.repeat(5);
    return `## Part ${i} of the work [project]\n- decisions: ${reasons}\n- lesson: ${reasons}\n`;
  });
  const files = { "memory/2026-03-12.md": `# 2026-03-12\n\n${[...wishes, ...topics].join("\n")}` };
  const test = openTestMemory({ files, today: "2026-03-14" });
  await runCompact(test.memory, {}, {});
  const body = test.read("memory/daily/2026-03-12.md")?.split("\n---\n")[1] ?? "";
  expect(Buffer.byteLength(body)).toBeGreaterThan(16 * 1024);
  expect((await runVerify(test.memory, {})).findings).toEqual([]);
});
