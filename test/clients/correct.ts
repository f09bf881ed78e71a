import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Driver } from "./driver.ts";
import { heartwood } from "./scratch.ts";
import { captured, injectedIn, timesIn } from "./seen.ts";
import { onceOffered, stage, told } from "./stage.ts";
import type { Asked } from "./stub-model.ts";
import { whyNotInstalled } from "./where.ts";
import type { Answer } from "./wires/wire.ts";

const WRONG = "The staging server runs on port 5544.";
const RIGHT = "The staging server runs on port 6100.";
const TEA = "I drink black tea in the morning.";
const NOTED = "Noted, and the kettle is on.";
const OBJECTION = "That is wrong, the port of the staging server is another one: 6100.";
const CONSENT = "Yes, please do that.";
const QUESTION = "Which port does the staging server run on?";
const OIL = "The oil of the crane is changed in May.";
const WEATHER = "And how is the weather?";
const FORGET = "Please forget what I said about the crane.";
const CRANE = "When is the crane serviced?";
const ABOUT_ME = "What do you know about me?";

/** A user corrects the memory in the conversation, asks what it knows, and has it forget. */
export function describeCorrecting(driver: Driver): void {
  describe.skipIf(whyNotInstalled(driver.client) !== undefined)(`${driver.client}, correcting the memory`, () => {
    const { there, run } = stage(driver, "empty");
    const recall = (text: string): Answer => ({ call: driver.callOf("memory_recall", { text, also: "person, name" }) });

    /** Has one turn with these answers of the model, and returns the conversation's requests. */
    const say = async (
      prompt: string,
      session: "new" | "last",
      answers: readonly ((asked: Asked) => Answer)[],
    ): Promise<readonly Asked[]> => {
      const { model } = there();
      let next = 0;
      const script = onceOffered(driver, driver.callOf("memory_recall", {}).tool, (asked) =>
        driver.isTurn(asked) ? answers[next++]?.(asked) : undefined,
      );
      model.play(script);
      const ran = await run({ prompt, session });
      expect(next, told(ran, model)).toBe(answers.length);
      return model.asked().filter(driver.isTurn);
    };
    const kept = async (words: readonly string[]): Promise<void> => {
      const { scratch } = there();
      await captured(scratch, driver, words, 20).catch(() => heartwood(scratch, ["capture", driver.client]));
      await captured(scratch, driver, words);
    };

    test("the agent finds what is wrong, asks once, and corrects it", async () => {
      const { scratch } = there();
      heartwood(scratch, ["install", driver.client, "--yes"]);
      await driver.trust?.(scratch);
      await say(WRONG, "new", [() => ({ text: NOTED })]);
      await say(TEA, "new", [() => ({ text: NOTED })]);
      await kept([WRONG, TEA, NOTED]);
      await driver.stop?.();
      let place = "";
      await say(OBJECTION, "new", [
        () => recall(OBJECTION),
        (asked) => {
          place = placeOf(asked.results.at(-1) ?? "");
          return { text: `My memory says at ${place}: "${WRONG}" Shall I correct that?` };
        },
      ]);
      const corrected = await say(CONSENT, "last", [
        () => ({ call: driver.callOf("memory_log", { topic: "Staging", body: `- ${RIGHT}`, corrects: place }) }),
        () => ({ text: "It is corrected." }),
      ]);
      expect(corrected.at(-1)?.results.at(-1)).toContain("Added: memory/");
    });

    test("the next prompt gets nothing of what was wrong", async () => {
      const before = there().model.asked().findLast(driver.isTurn);
      const [asked] = await say(QUESTION, "last", [() => ({ text: "On 6100." })]);
      const given = injectedIn(before);
      const added = injectedIn(asked).filter((one) => !given.includes(one));
      expect(added.join("\n")).not.toContain("5544");
      // OpenClaw loads it into each request.
      const memoryFile = join(there().scratch.project, "MEMORY.md");
      if (existsSync(memoryFile)) expect(readFileSync(memoryFile, "utf8")).not.toContain("5544");
    });

    test("the session, when it is resumed, gets what came into the memory in the meantime", async () => {
      const { scratch } = there();
      heartwood(scratch, ["log", "add", "--topic", "Crane", "--body", `- ${OIL}`]);
      heartwood(scratch, ["compact"]);
      // Two starts of a session within two seconds are taken for one, which two installs report.
      await sleep(2000);
      const [asked] = await say(WEATHER, "last", [() => ({ text: "It rains." })]);
      expect(timesIn(asked, OIL)).toBeGreaterThan(0);
    });

    test("the next session has what is right, and not what was wrong; so has the answer to what is known about the user", async () => {
      const { scratch } = there();
      await kept([OBJECTION, QUESTION]);
      await driver.stop?.();
      const asked = await say(ABOUT_ME, "new", [
        () => recall(ABOUT_ME),
        () => ({ call: driver.callOf("memory_read", { place: "ROOT" }) }),
        () => recall(QUESTION),
        () => ({ text: "You drink black tea in the morning." }),
      ]);
      const [aboutMe = "", root = "", port = ""] = asked.at(-1)?.results ?? [];
      expect(timesIn(asked[0], RIGHT)).toBeGreaterThan(0);
      expect(`${aboutMe}\n${root}`).toContain(TEA);
      expect(`${injectedIn(asked[0]).join("\n")}\n${port}`).toContain(RIGHT);
      for (const one of asked) expect(timesIn(one, "port 5544")).toBe(0);
      expect(heartwood(scratch, ["recall", QUESTION])).not.toContain("5544");
    });

    test("what the user asks to forget is gone after one confirmation, and the next session has nothing of it", async () => {
      const { scratch } = there();
      const forget = (topic: string): Answer => ({
        call: driver.callOf("memory_log", { topic, type: "forget", body: OIL }),
      });
      let code = "";
      await say(FORGET, "last", [
        () => forget("Crane"),
        (asked) => {
          code = /\(code ([0-9a-f]{6})\)/u.exec(asked.results.at(-1) ?? "")?.[1] ?? "";
          return { text: "That is one line. Shall I forget it for good?" };
        },
      ]);
      expect(heartwood(scratch, ["recall", CRANE])).toContain(OIL);
      const done = await say(CONSENT, "last", [() => forget(code), () => ({ text: "It is forgotten." })]);
      expect(done.at(-1)?.results.at(-1)).toContain("Forgotten: ");
      await kept([FORGET]);
      await driver.stop?.();
      const asked = await say(CRANE, "new", [() => recall(CRANE), () => ({ text: "I do not know." })]);
      for (const one of asked) expect(timesIn(one, OIL)).toBe(0);
      await kept([CRANE]);
      expect(heartwood(scratch, ["recall", CRANE])).not.toContain(OIL);
      expect(heartwood(scratch, ["verify", "--forgotten"])).toContain(" 0 findings");
    });
  });
}

/** The place of the wrong statement, from what recall printed: a line for the day, and one for each passage with its line numbers. OpenClaw quotes it as JSON. */
function placeOf(result: string): string {
  const before = result.slice(0, result.indexOf(WRONG)).replaceAll("\\n", "\n");
  const day = before.match(/^\d{4}-\d\d-\d\d/gmu)?.at(-1);
  const lines = before.match(/^\d+(?:-\d+)?(?=[: ])/gmu)?.at(-1);
  return `memory/${day}.md:${lines}`;
}
