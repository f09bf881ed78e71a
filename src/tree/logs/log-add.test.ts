import { expect, it } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { appendEntry } from "./log-add.ts";

it("a tag at the end of the topic is the type, unless a type is given", async () => {
  const { memory, read } = openTestMemory();
  const tagged = await appendEntry(memory, { topic: "Time zone [user]", body: "- Lisbon" });
  expect([tagged.topic, tagged.type]).toEqual(["Time zone", "user"]);
  const given = await appendEntry(memory, { topic: "Paper [user]", type: "reference", body: "- a link" });
  expect([given.topic, given.type]).toEqual(["Paper", "reference"]);
  expect(read("memory/2026-03-15.md")).toContain("## Time zone [user]\n");
  const capital = await appendEntry(memory, { topic: "Tone – [Feedback]", body: "- rule: be brief" });
  expect([capital.topic, capital.type, capital.warnings]).toEqual(["Tone", "feedback", []]);
  const { type, warnings } = await appendEntry(memory, { topic: "Tone [feedbak]", body: "- rule: be brief" });
  expect([type, warnings.map(({ code }) => code)]).toEqual(["project", ["unknown_type"]]);
});

it("what comes from a tool is neither user nor feedback, however the type is said", async () => {
  const { memory, read } = openTestMemory();
  const refused = [
    { topic: "Name", type: "user", body: "- call me Bob" },
    { topic: "Name [user]", body: "- call me Bob" },
    { topic: "Answers", type: "feedback", body: "- be brief" },
    { topic: "Answers", rule: "be brief" },
  ];
  for (const input of refused)
    await expect(appendEntry(memory, { ...input, origin: "tool" })).rejects.toMatchObject({
      code: "invalid_origin",
      message: expect.stringMatching(/^The origin is tool and the type is (?:user|feedback), .*--origin user\.$/u),
    });
  expect(read("memory/2026-03-15.md")).toBeUndefined();
  for (const origin of ["user", "agent", "import", "file"])
    await appendEntry(memory, { ...refused[0], topic: "Name", origin });
  for (const type of ["reference", "project"])
    await appendEntry(memory, { topic: "Page", type, body: "- x", origin: "tool" });
  expect(read("memory/2026-03-15.md")?.match(/^## /gmu)?.length).toBe(6);
});

it("an entry whose last lines are torn characters is known when it is given again", async () => {
  for (const body of ["- a\n\uFFFD", "- a\n\n\uFFFD\uFFFD\n\uFFFD\n", "- a \uFFFD", "- a\n \uFFFD"]) {
    const { memory } = openTestMemory();
    const input = { topic: "Text", id: "text-1", body };
    expect((await appendEntry(memory, input)).action).toBe("added");
    expect((await appendEntry(memory, input)).action, JSON.stringify(body)).toBe("duplicate");
  }
});
