import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import type { Driver } from "./driver.ts";
import { heartwood, LOGGED, WORKING } from "./scratch.ts";
import { injectedIn, timesIn } from "./seen.ts";
import { stage, told } from "./stage.ts";
import type { Asked } from "./stub-model.ts";
import { whyNotInstalled } from "./where.ts";

const PROMPT = "Have somebody look at the machines.";
const BRIEF = "Find out how the pump in hall four is called.";

/** The model gives a task to a subagent. */
export function describeSubagent(driver: Driver): void {
  const { subagent } = driver;
  if (subagent === undefined) return;
  describe.skipIf(whyNotInstalled(driver.client) !== undefined)(`${driver.client}, with a subagent`, () => {
    const { there, run } = stage(driver);

    test("the subagent gets what the memory has for its task, at most 500 tokens, and not the text at the start of a session", async () => {
      const { scratch, model } = there();
      heartwood(scratch, ["install", driver.client, "--yes"]);
      await driver.trust?.(scratch);
      const calls = [
        () => subagent(BRIEF),
        (asked: Asked) => driver.waitForSubagent?.(asked.results.at(-1)?.replaceAll('\\"', '"') ?? ""),
      ];
      model.play((asked) => {
        const call = driver.isTurn(asked) && asked.text.includes(PROMPT) ? calls.shift()?.(asked) : undefined;
        return call && { call };
      });
      const ran = await run({ prompt: PROMPT });
      const asked = model.asked().find(({ text }) => text.includes(BRIEF) && !text.includes(PROMPT));
      expect(timesIn(asked, LOGGED), told(ran, model)).toBe(1);
      expect(timesIn(asked, WORKING)).toBe(0);
      expect(countTokens(injectedIn(asked).join("\n"))).toBeLessThanOrEqual(500);
    });
  });
}
