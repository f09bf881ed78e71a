import { expect, it } from "vitest";
import { openTestMemory } from "../../test/fixtures/memory.ts";
import { appendEntry } from "./log-add.ts";

it("a tag at the end of the topic is the type, unless a type is given", async () => {
  const { memory, read } = openTestMemory();
  const tagged = await appendEntry(memory, { topic: "Time zone [user]", body: "- Lisbon" });
  expect([tagged.topic, tagged.type]).toEqual(["Time zone", "user"]);
  const given = await appendEntry(memory, { topic: "Paper [user]", type: "reference", body: "- a link" });
  expect([given.topic, given.type]).toEqual(["Paper", "reference"]);
  expect(read("memory/2026-03-15.md")).toContain("## Time zone [user]\n");
});
