import { expect, it } from "vitest";
import { openTestMemory } from "../../test/fixtures/memory.ts";
import { readConfiguration } from "./configuration.ts";

async function refusal(text: string): Promise<unknown> {
  const { memory } = openTestMemory({ files: { "heartwood.config.json": text } });
  return readConfiguration(memory).then(
    () => "accepted",
    (error: { readonly code: string; readonly message: string }) => `${error.code}: ${error.message}`,
  );
}

it("a value of the wrong kind is refused with its key, also where the key decides nothing", async () => {
  const of = "in heartwood.config.json is";
  expect([
    await refusal('{"search": 5}'),
    await refusal('{"search": {"vector": "yes"}}'),
    await refusal('{"search": {"embedModel": 7}}'),
    await refusal('{"compaction": {"rootMaxTokens": 3000.5}}'),
    await refusal('{"compaction": {"cooldownHours": "3"}}'),
  ]).toEqual([
    `invalid_config: search ${of} 5; it must be an object: change it there.`,
    `invalid_config: search.vector ${of} "yes"; it must be true or false: change it there.`,
    `invalid_config: search.embedModel ${of} 7; it must be a name such as auto: change it there.`,
    `invalid_config: compaction.rootMaxTokens ${of} 3000.5; it must be a whole number from 200 to 100000: change it there.`,
    `invalid_config: compaction.cooldownHours ${of} "3"; it must be a number from 0 to 10000: change it there.`,
  ]);
  expect(
    await refusal('{"search": {"vector": true, "embedModel": "auto"}, "compaction": {"cooldownHours": 0.5}}'),
  ).toBe("accepted");
});
