import { expect, test } from "vitest";
import { emptyIndex } from "./empty-index.ts";
import { steadily } from "./steady.ts";

test("what was found while somebody wrote is found again, and somebody who always writes does not keep it from ending", async () => {
  const generations = ["1", "2", "2", "2"];
  let tries = 0;
  const once = { ...emptyIndex, generation: async () => generations.shift() ?? "" };
  expect(await steadily(once, {}, async () => ++tries)).toBe(2);
  let number = 0;
  tries = 0;
  const always = { ...emptyIndex, generation: async () => String(number++) };
  expect(await steadily(always, {}, async () => ++tries)).toBe(4);
});
