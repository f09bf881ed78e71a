import { expect, it } from "vitest";
import { openTestMemory } from "../fixtures/memory.ts";
import { readPlace } from "../../src/recall/read/read.ts";
import { appendEntry } from "../../src/tree/logs/log-add.ts";
import { editEntry } from "../../src/tree/logs/log-change.ts";
import { bodyOf } from "../../web/src/memory-text.ts";

it("an entry whose text is saved as the page shows it keeps its text", async () => {
  const { memory } = openTestMemory({ today: "2026-03-15" });
  const body = "- the quota is 7\n## not a heading\n\\# two\n<!-- hw id=no -->\n- corrects: nothing\n- end";
  const first = await appendEntry(memory, { topic: "Quota", body: "- the quota is 5" });
  const corrects = `${first.path}:${first.lines[1]}`;
  const { path, lines } = await appendEntry(memory, { topic: "Quota", body, corrects, origin: "user" });
  const shown = async (from: number, to: number): Promise<string> =>
    bodyOf((await readPlace(memory, { place: `${path}:${from}-${to}` })).text);
  expect(await shown(...lines)).toBe(body);
  const { entry } = await editEntry(memory, { entry: `${path}:${lines[0]}`, body: await shown(...lines) });
  expect(await shown(...(entry?.lines ?? [0, 0]))).toBe(body);
});
