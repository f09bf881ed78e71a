import { join } from "node:path";
import { describeBroken } from "./broken.ts";
import { describeBothPlaces } from "./both-places.ts";
import { describe, expect, test } from "vitest";
import { SERVER } from "./driver.ts";
import type { Driver } from "./driver.ts";
import { describeInstalled } from "./installed.ts";
import { heartwood, LOGGED, treeOf, WORKING } from "./scratch.ts";
import { onceOffered, stage, told } from "./stage.ts";
import { inTurn } from "./stub-model.ts";
import { whyNot } from "./where.ts";

/** Tests for every client: the sequence from the first prompt to uninstalling. */
export function describeClient(driver: Driver): void {
  describe.skipIf(whyNot(driver.client) !== undefined)(`${driver.client}, offline, against a scripted model`, () => {
    withServerByHand(driver);
  });
  describeInstalled(driver);
  describeBothPlaces(driver);
  describeBroken(driver);
}

function withServerByHand(driver: Driver): void {
  const { there, run } = stage(driver);

  test("without installing, the model gets nothing from the memory, and nothing is captured", async () => {
    const { scratch, model } = there();
    const memory = treeOf(join(scratch.project, "memory"));
    model.play(() => undefined);
    const ran = await run({ prompt: "Which valve of the boiler was replaced?" });
    const [turn] = model.asked().filter(driver.isTurn);
    expect(turn?.text, told(ran, model)).toContain("Which valve of the boiler was replaced?");
    expect(turn?.text).not.toContain(WORKING);
    if (driver.root === "from heartwood") expect(turn?.text).not.toContain(scratch.rootLine);
    expect(turn?.tools.filter((tool) => tool.includes(SERVER))).toEqual([]);
    expect(treeOf(join(scratch.project, "memory"))).toEqual(memory);
    expect(heartwood(scratch, ["thread", "list", "--json"])).toContain('"total":0');
  });

  test("the model is offered the server's tools, calls one, and gets its result", async () => {
    const { scratch, model } = there();
    await driver.useServer(scratch);
    const call = driver.callOf("memory_recall", {
      text: "What is the pump in hall four called?",
      also: "name, machine",
    });
    model.play(onceOffered(driver, call.tool, inTurn(driver.isTurn, [{ call }, { text: "I looked it up." }])));
    const ran = await run({ prompt: "Look up how the pump in hall four is called." });
    const turns = model.asked().filter(driver.isTurn);
    const [before, after] = turns.slice(-2);
    expect(before?.tools, told(ran, model)).toContain(call.tool);
    expect(before?.text).not.toContain(LOGGED);
    expect(after?.results.at(-1), told(ran, model)).toContain(LOGGED);
    expect(ran.out).toContain("I looked it up.");
  });
}
