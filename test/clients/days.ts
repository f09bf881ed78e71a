import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FOUR, runDriver } from "./driver.ts";
import type { Driver } from "./driver.ts";
import { leftOfInstall, othersFiles } from "./left.ts";
import type { Files } from "./left.ts";
import { FACT, PARAPHRASE, RULES, SESSION_A, SESSION_B, SESSION_C, SENTENCES, THANKS } from "./said.ts";
import type { Turn } from "./said.ts";
import { heartwood, makeEmptyScratch } from "./scratch.ts";
import type { Scratch } from "./scratch.ts";
import { captured, injectedIn, timesIn } from "./seen.ts";
import { told } from "./stage.ts";
import { inTurn, prefixBreaks, startStubModel } from "./stub-model.ts";
import type { Asked, StubModel } from "./stub-model.ts";
import { whyNotInstalled } from "./where.ts";

/** Two days with a memory that begins empty. Each prompt is a process of its own, so each prompt but the first of a session resumes it. */
export function describeDays(driver: Driver): void {
  describe.skipIf(whyNotInstalled(driver.client) !== undefined)(`${driver.client}, two days, three sessions`, () => {
    let scratch: Scratch;
    let model: StubModel;
    beforeAll(async () => {
      scratch = makeEmptyScratch(driver.client);
      model = await startStubModel();
      driver.useModel(scratch, model.url);
    });
    afterAll(async () => {
      await driver.stop?.();
      await model.close();
      scratch.remove();
    });
    const spoken = (turns: readonly Turn[], today?: string) => speak({ driver, scratch, model }, turns, today);
    let before: Files;
    let installed: Files;
    let recalled = "";
    let [a, b, c]: [Asked[], Asked[], Asked[]] = [[], [], []];

    test("each prompt of the three sessions is answered and captured", async () => {
      before = othersFiles(scratch);
      heartwood(scratch, ["install", driver.client, "--yes"]);
      installed = othersFiles(scratch);
      await driver.trust?.(scratch);
      a = await spoken(SESSION_A);
      b = await spoken(SESSION_B);
      await driver.stop?.();
      recalled = heartwood(scratch, ["recall", PARAPHRASE]);
      c = await spoken(SESSION_C, dayAfter(new Date()));
    });

    test("the first request of the first session has nothing of the memory, which is empty", () => {
      expect(injectedIn(a[0])).toEqual([]);
    });

    test("a fact of the first session is found by a paraphrase that shares one word with it", () => {
      expect(recalled).toContain(FACT);
      expect(timesIn(c[1], FACT)).toBeGreaterThan(0);
    });

    const { price } = driver;
    if (price !== undefined)
      test("tools, instructions, skills and block together cost little in each request", async () => {
        const [turn] = SESSION_A;
        const other = makeEmptyScratch(driver.client);
        driver.useModel(other, model.url);
        const without = turn && (await ask({ driver, scratch: other, model }, turn, "new"));
        other.remove();
        const added = tokensOf(a[0], scratch) - tokensOf(without, other);
        expect(added).toBeGreaterThan(0);
        expect(added).toBeLessThanOrEqual(price);
      });

    test("no tools but the four are offered", () => {
      const four = FOUR.map((tool) => driver.callOf(tool, {}).tool);
      for (const tool of c[0]?.tools.filter((name) => name.includes("memory_")) ?? []) expect(four).toContain(tool);
    });

    test.each(RULES.slice(0, 6))("the second session begins with %j", (rule) => {
      expect(timesIn(b[0], rule)).toBeGreaterThan(0);
    });

    test.each(RULES)("on the second day, the third session begins with %j", (rule) => {
      expect(timesIn(c[0], rule)).toBeGreaterThan(0);
    });

    test("no passage is given twice, and none that the session's own messages or its start already have", () => {
      for (const asked of [a, b, c]) expect(givenAgain(asked)).toEqual([]);
    });

    test("the question that was asked before gets nothing, and neither do thanks", () => {
      expect(SESSION_C.slice(2).map(({ prompt }) => prompt)).toEqual([PARAPHRASE, THANKS]);
      for (const at of [2, 3]) expect(addedIn(c, at)).toEqual([]);
    });

    test("each request of a session begins with all of the one before it", () => {
      const kept = driver.passages === undefined ? (asked: Asked) => asked : withoutPassages;
      for (const asked of [a, b, c]) expect(prefixBreaks(asked.map(kept))).toEqual([]);
    });

    test("all earlier prompts and answers of a session are in its last request", () => {
      for (const [turns, asked] of [
        [SESSION_A, a],
        [SESSION_B, b],
        [SESSION_C, c],
      ] as const) {
        const said = [...turns.map(({ prompt }) => prompt), ...turns.slice(0, -1).map(({ answer }) => answer)];
        for (const one of said) expect(timesIn(asked.at(-1), one), one).toBeGreaterThan(0);
      }
    });

    test("resuming a session in which nothing changed adds at most 100 tokens", () => {
      const [before, after] = [c[2], c[3]].map((asked) => countTokens(injectedIn(asked).join("\n")));
      expect((after ?? 0) - (before ?? 0)).toBeLessThanOrEqual(100);
    });

    test("uninstalling removes what was installed", async () => {
      const worked = othersFiles(scratch);
      await driver.farewell?.(scratch);
      heartwood(scratch, ["uninstall", driver.client, "--yes"]);
      const after = othersFiles(scratch);
      expect(leftOfInstall(scratch, { before, installed, worked, after })).toEqual([]);
    });
  });
}

interface Place {
  readonly driver: Driver;
  readonly scratch: Scratch;
  readonly model: StubModel;
}

/** Has `turns` as one session, and returns the request of each. `today` is the day for heartwood; the clients and their transcripts keep the real one. */
async function speak(
  { driver, scratch, model }: Place,
  turns: readonly Turn[],
  today = scratch.env["HEARTWOOD_TODAY"],
): Promise<Asked[]> {
  const place = today === undefined ? scratch : { ...scratch, env: { ...scratch.env, HEARTWOOD_TODAY: today } };
  const requests: Asked[] = [];
  for (const [at, turn] of turns.entries()) {
    requests.push(await ask({ driver, scratch: place, model }, turn, at === 0 ? "new" : "last"));
    // A client ends a hook after a second. On a busy machine that may be before it starts to capture; then the next session captures.
    await captured(place, driver, turn.kept, 20).catch(() => heartwood(place, ["capture", driver.client]));
    await captured(place, driver, turn.kept);
  }
  return requests;
}

/** Has one turn, and returns its request. */
async function ask(
  { driver, scratch, model }: Place,
  { prompt, answer }: Turn,
  session: "new" | "last",
): Promise<Asked> {
  model.play(inTurn(driver.isTurn, [{ text: answer }]));
  await driver.start?.(scratch);
  const ran = await runDriver(driver, scratch, model.url, { prompt, session });
  expect(ran.status, told(ran, model)).toBe(0);
  const [asked, ...more] = model.asked().filter(driver.isTurn);
  expect(timesIn(asked, prompt), told(ran, model)).toBeGreaterThan(0);
  expect(more, told(ran, model)).toEqual([]);
  if (asked === undefined) throw new Error("There was no request.");
  return asked;
}

/** What heartwood added to request `at` of a session, beyond what was in the one before. */
function addedIn(asked: readonly Asked[], at: number): readonly string[] {
  const before = injectedIn(asked[at - 1]);
  return injectedIn(asked[at]).filter((one) => !before.includes(one));
}

/** Sentences that heartwood added to a request of a session although they were in one before it, or that it added twice. */
function givenAgain(asked: readonly Asked[]): readonly string[] {
  return asked.slice(1).flatMap((_, index) => {
    const added = addedIn(asked, index + 1).join("\n");
    const times = (sentence: string) => added.split(sentence).length - 1;
    return SENTENCES.filter((sentence) => times(sentence) > (timesIn(asked[index], sentence) === 0 ? 1 : 0)).map(
      (sentence) => `request ${index + 2}: ${sentence}`,
    );
  });
}

/** A request without the passages at the end of prompts: the most that a client can keep that does not store them. */
function withoutPassages(asked: Asked): Asked {
  const parts = asked.parts.map((part) =>
    part.includes('"role":"user"') ? part.replaceAll(/\\n\\n<<<([0-9a-f]{8}) .*?\1>>>(?=")/gu, "") : part,
  );
  return { ...asked, parts };
}

/** Tools that Codex adds as soon as there is any MCP server. */
const ofTheClient = /"name":"(?:list_mcp_resources|list_mcp_resource_templates|read_mcp_resource)"/u;

/** What is random in a request: the name of its folder, and the ids of messages, which no model reads. Both have other tokens each time. */
const withoutIds = (text: string, { top }: Scratch) =>
  text.replaceAll(top, "/scratch").replaceAll(/"id":"[^"]*",?/gu, "");

/** The tokens of a request: its tools as JSON, its texts as they read. */
function tokensOf(asked: Asked | undefined, scratch: Scratch): number {
  const parts = (asked?.parts ?? []).filter((part) => !ofTheClient.test(part));
  return countTokens(withoutIds(parts.join("\n"), scratch).replaceAll("\\n", "\n").replaceAll('\\"', '"'));
}

function dayAfter(day: Date): string {
  return new Date(day.getTime() + 24 * 60 * 60_000).toISOString().slice(0, 10);
}
