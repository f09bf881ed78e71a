import { describe, expect, test } from "vitest";
import type { Driver } from "./driver.ts";
import { describeInstalled } from "./installed.ts";
import { LOGGED } from "./scratch.ts";
import { stage, told } from "./stage.ts";
import { inTurn } from "./stub-model.ts";
import { whyNot } from "./where.ts";

/** What holds for every client: the sequence from the first prompt to taking everything back. */
export function describeClient(driver: Driver): void {
  describe.skipIf(whyNot(driver.client) !== undefined)(`${driver.client}, offline, against a scripted model`, () => {
    withServerByHand(driver);
  });
  describeInstalled(driver);
}

function withServerByHand(driver: Driver): void {
  const { there, run } = stage(driver);

  test("the model is offered the tools of the server, calls one, and is told its result", async () => {
    const { scratch, model } = there();
    driver.useServer(scratch);
    const call = { tool: driver.toolName("memory_recall"), input: { text: "What is the pump in hall four called?" } };
    model.play(inTurn(driver.isTurn, [{ call }, { text: "I looked it up." }]));
    const ran = await run({ prompt: "Look up how the pump in hall four is called." });
    const turns = model.asked().filter(driver.isTurn);
    expect(turns[0]?.tools, told(ran, model)).toContain(call.tool);
    expect(turns[0]?.text).not.toContain(LOGGED);
    expect(turns[1]?.results.at(-1), told(ran, model)).toContain(LOGGED);
    expect(ran.out).toContain("I looked it up.");
  });
}
