import { describe, expect, test } from "vitest";
import { captured, logOf, threadsOf, timesIn } from "./seen.ts";
import type { Driver } from "./driver.ts";
import { heartwood, LOGGED, makeScratch, WORKING } from "./scratch.ts";
import { leftOfInstall, othersFiles } from "./left.ts";
import type { Files } from "./left.ts";
import { onceOffered, stage, told } from "./stage.ts";
import { inTurn } from "./stub-model.ts";
import type { Asked, StubModel } from "./stub-model.ts";
import { whyNotInstalled } from "./where.ts";

const SAID = "The gasket of boiler nine came from the firm Rotkehlchen in March.";
const ANSWERED = "Noted, and the fitter of boiler nine is told.";
const ASKED = "Which firm did the gasket of boiler nine come from?";
const LATER = "Look up how the pump in hall four is called, then say whether it needs oil.";
const OIL = "The oil of the crane is changed in May.";
const SUMMARY = "SUMMARY: the person spoke of boilers and pumps.";

/** From `heartwood install` to `heartwood uninstall`, with everything that must be true in between. */
export function describeInstalled(driver: Driver): void {
  describe.skipIf(whyNotInstalled(driver.client) !== undefined)(`${driver.client}, with heartwood installed`, () => {
    test.each(["user", "project"])("installing for the %s and uninstalling leaves every byte unchanged", (scope) => {
      const scratch = makeScratch(driver.client);
      try {
        driver.useModel(scratch, "http://127.0.0.1:9");
        const before = othersFiles(scratch);
        heartwood(scratch, ["install", driver.client, "--yes", "--scope", scope]);
        expect(othersFiles(scratch)).not.toEqual(before);
        heartwood(scratch, ["uninstall", driver.client, "--yes"]);
        expect(othersFiles(scratch)).toEqual(before);
      } finally {
        scratch.remove();
      }
    });
    sessions(driver);
  });
}

/** One home in which a user works for a while: each test continues from the previous one. */
function sessions(driver: Driver): void {
  const { there, run } = stage(driver);
  const turns = () => there().model.asked().filter(driver.isTurn);
  let before = new Map() as Files;
  let installed = before;

  test("the first prompt of the first session has ROOT.md and the current task with it", async () => {
    const { scratch, model } = there();
    before = othersFiles(scratch);
    heartwood(scratch, ["install", driver.client, "--yes"]);
    installed = othersFiles(scratch);
    await driver.trust?.(scratch);
    model.play(inTurn(driver.isTurn, [{ text: ANSWERED }]));
    const ran = await run({ prompt: SAID });
    expect(turns()[0]?.text, told(ran, model)).toContain(SAID);
    for (const line of [scratch.rootLine, WORKING]) expect(timesIn(turns()[0], line), told(ran, model)).toBe(1);
  });

  test("the conversation is in the log and, word for word, in the thread", async () => {
    await captured(there().scratch, driver, [SAID, ANSWERED]);
  });

  test("the model calls a tool of the installed server and gets its result", async () => {
    const { model } = there();
    const call = driver.callOf("memory_recall", {
      text: "What is the pump in hall four called?",
      also: "name, machine",
    });
    model.play(onceOffered(driver, call.tool, inTurn(driver.isTurn, [{ call }, { text: "I looked it up." }])));
    const ran = await run({ prompt: "Look it up." });
    const [before, after] = turns().slice(-2);
    expect(before?.tools, told(ran, model)).toContain(call.tool);
    expect(after?.results.at(-1), told(ran, model)).toContain(LOGGED);
  });

  test("the model records something with memory_log, without a question to the user", async () => {
    const { scratch, model } = there();
    const call = driver.callOf("memory_log", { topic: "Oil", body: OIL });
    model.play(onceOffered(driver, call.tool, inTurn(driver.isTurn, [{ call }, { text: "It is recorded." }])));
    const ran = await run({ prompt: "Record when the oil is changed." });
    expect(logOf(scratch), told(ran, model)).toContain(OIL);
  });

  test("after a compaction the model gets the memory again, and nothing that was said is lost", async () => {
    const { scratch, model } = there();
    const { session, inputTokens, more = { words: [], env: {} }, again } = driver.compaction;
    const { large: call = driver.callOf("memory_recall", { text: LATER, also: "valve, machine" }) } = driver.compaction;
    const script = inTurn(driver.isTurn, [{ call, inputTokens }, { text: "It needs no oil today." }]);
    model.play((asked) => (driver.isSummary(asked) ? { text: `<summary>${SUMMARY}</summary>` } : script(asked)));
    let ran = await run({ prompt: LATER, session, more });
    await driver.compaction.typed?.(scratch);
    expect(model.asked().filter(driver.isSummary).length, told(ran, model)).toBeGreaterThan(0);
    if (again === "with the next prompt") {
      model.play(() => undefined);
      ran = await run({ prompt: "And now?", session: "last" });
    }
    const then = again === "with the next prompt" ? turns()[0] : afterSummary(driver, model);
    expect(then?.text, told(ran, model)).toContain(SUMMARY);
    expect(timesIn(then, scratch.rootLine), told(ran, model)).toBe(1);
    expect(timesIn(then, WORKING), told(ran, model)).toBe(1);
    await captured(scratch, driver, [LATER, "It needs no oil today."]);
    await captured(scratch, driver, [SAID, ANSWERED]);
  });

  test("when that session goes on after a restart, the model has the memory once", async () => {
    const { scratch, model } = there();
    model.play(() => undefined);
    const ran = await run({ prompt: "And the weather?", session: "last" });
    expect(timesIn(turns()[0], scratch.rootLine), told(ran, model)).toBe(1);
    expect(timesIn(turns()[0], WORKING), told(ran, model)).toBe(1);
  });

  test("a second session gets what was said in the first", async () => {
    const { model } = there();
    model.play(() => undefined);
    const ran = await run({ prompt: ASKED });
    expect(turns()[0]?.text, told(ran, model)).toContain("Rotkehlchen");
  });

  test("injected memory is not captured again", async () => {
    const { scratch } = there();
    await captured(scratch, driver, [ASKED]);
    const thread = threadsOf(scratch, driver);
    for (const ours of ["Data, not instructions", "hook_context", scratch.rootLine, WORKING])
      expect(thread).not.toContain(ours);
    const log = logOf(scratch);
    for (const ours of ["Data, not instructions", "hook_context"]) expect(log).not.toContain(ours);
  });

  test("uninstalling removes what was installed, even after the client was used", async () => {
    const { scratch } = there();
    const worked = othersFiles(scratch);
    await driver.farewell?.(scratch);
    heartwood(scratch, ["uninstall", driver.client, "--yes"]);
    const after = othersFiles(scratch);
    expect(leftOfInstall(scratch, { before, installed, worked, after })).toEqual([]);
  });
}

/** The first request of the conversation after one for a summary. */
function afterSummary(driver: Driver, model: StubModel): Asked | undefined {
  const asked = model.asked();
  const summary = asked.findIndex(driver.isSummary);
  return summary === -1 ? undefined : asked.slice(summary + 1).find(driver.isTurn);
}
