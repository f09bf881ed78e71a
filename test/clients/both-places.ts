import { describe, expect, test } from "vitest";
import type { Driver } from "./driver.ts";
import { heartwood, WORKING } from "./scratch.ts";
import { leftOfInstall, othersFiles } from "./left.ts";
import { timesIn } from "./seen.ts";
import { stage, told } from "./stage.ts";
import { whyNotInstalled } from "./where.ts";

/** Installed for the user and for the project: the client has both. */
export function describeBothPlaces(driver: Driver): void {
  describe.skipIf(whyNotInstalled(driver.client) !== undefined)(
    `${driver.client}, with heartwood in both places`,
    () => {
      const { there, run } = stage(driver);

      test("installed for the user and for the project, the memory is injected once, and both can be uninstalled", async () => {
        const { scratch, model } = there();
        const before = othersFiles(scratch);
        for (const scope of ["user", "project"])
          heartwood(scratch, ["install", driver.client, "--yes", "--scope", scope]);
        const installed = othersFiles(scratch);
        await driver.trust?.(scratch);
        model.play(() => undefined);
        const ran = await run({ prompt: "Which valve of the boiler was replaced?" });
        const [turn] = model.asked().filter(driver.isTurn);
        for (const line of [scratch.rootLine, WORKING]) expect(timesIn(turn, line), told(ran, model)).toBe(1);
        const worked = othersFiles(scratch);
        await driver.farewell?.(scratch);
        heartwood(scratch, ["uninstall", driver.client, "--yes"]);
        const after = othersFiles(scratch);
        expect(leftOfInstall(scratch, { before, installed, worked, after })).toEqual([]);
      });
    },
  );
}
