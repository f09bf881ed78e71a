import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { runDriver } from "./driver.ts";
import type { Driver, Run } from "./driver.ts";
import { makeEmptyScratch, makeScratch } from "./scratch.ts";
import type { FilledScratch, Ran, Scratch } from "./scratch.ts";
import { startStubModel } from "./stub-model.ts";
import type { Script, StubModel } from "./stub-model.ts";

interface Stage<T extends Scratch> {
  readonly there: () => { readonly scratch: T; readonly model: StubModel };
  readonly run: (what: Run) => Promise<Ran>;
}

/** A scratch home and a model for the tests of one `describe`, with a memory of some weeks. */
export function stage(driver: Driver): Stage<FilledScratch>;
/** …with an empty memory. */
export function stage(driver: Driver, memory: "empty"): Stage<Scratch>;
export function stage(driver: Driver, memory: "filled" | "empty" = "filled"): Stage<Scratch> {
  let scratch: Scratch | undefined;
  let model: StubModel | undefined;
  beforeAll(async () => {
    scratch = memory === "empty" ? makeEmptyScratch(driver.client) : makeScratch(driver.client);
    model = await startStubModel();
    driver.useModel(scratch, model.url);
  });
  afterAll(async () => {
    await driver.stop?.();
    await model?.close();
    scratch?.remove();
  });
  const there = () => {
    if (scratch === undefined || model === undefined) throw new Error("The stage is not set.");
    return { scratch, model };
  };
  const run = async (what: Run): Promise<Ran> => {
    await driver.start?.(there().scratch);
    const ran = await runDriver(driver, there().scratch, there().model.url, what);
    expect(ran.status, told(ran, there().model)).toBe(0);
    return ran;
  };
  return { there, run };
}

/**
 * Plays `script` once a turn offers `tool`. Codex leaves out the tools of a server that takes more than a second to start, as on a busy machine, and adds them
 * to its next request. Until then, the model calls a tool that does not exist.
 */
export function onceOffered(driver: Driver, tool: string, script: Script): Script {
  if (driver.servers === "waited for") return script;
  let waited = 0;
  return async (asked) => {
    if (!driver.isTurn(asked) || asked.tools.includes(tool) || ++waited > 10) return script(asked);
    await sleep(1000);
    return { call: { tool: "not_there_yet", input: {} } };
  };
}

/** Information for a failed test: the client's output and its requests. */
export function told(ran: Ran, model: StubModel): string {
  const asked = model
    .asked()
    .map(({ path, tools, text }) => `${path} (${tools.length} tools, ${text.length} characters)`);
  const lines = [`status ${ran.status}`, ...asked, ...model.beside(), ran.err.slice(-3000), ran.out.slice(-3000)];
  return lines.join("\n");
}
