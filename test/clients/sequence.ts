import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runDriver } from "./driver.ts";
import type { Driver, Run } from "./driver.ts";
import { LOGGED, makeScratch } from "./scratch.ts";
import type { Ran, Scratch } from "./scratch.ts";
import { inTurn, startStubModel } from "./stub-model.ts";
import type { StubModel } from "./stub-model.ts";
import { whyNot } from "./where.ts";

/** What holds for every client: the sequence from the first prompt to taking everything back. */
export function describeClient(driver: Driver): void {
  describe.skipIf(whyNot(driver.client) !== undefined)(`${driver.client}, offline, against a scripted model`, () => {
    withServerByHand(driver);
  });
}

/** A scratch home and a model for the tests of one `describe`. */
function stage(driver: Driver) {
  let scratch: Scratch | undefined;
  let model: StubModel | undefined;
  beforeAll(async () => {
    scratch = makeScratch(driver.client);
    model = await startStubModel();
    driver.useModel(scratch, model.url);
  });
  afterAll(async () => {
    await model?.close();
    scratch?.remove();
  });
  const there = () => {
    if (scratch === undefined || model === undefined) throw new Error("The stage is not set.");
    return { scratch, model };
  };
  const run = async (what: Run): Promise<Ran> => {
    const ran = await runDriver(driver, there().scratch, there().model.url, what);
    expect(ran.status, told(ran, there().model)).toBe(0);
    return ran;
  };
  return { there, run };
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

/** What a person needs who sees the failure: what the client said, and what it asked for. */
function told(ran: Ran, model: StubModel): string {
  const asked = model
    .asked()
    .map(({ path, tools, text }) => `${path} (${tools.length} tools, ${text.length} characters)`);
  const lines = [`status ${ran.status}`, ...asked, ...model.beside(), ran.err.slice(-3000), ran.out.slice(-3000)];
  return lines.join("\n");
}
