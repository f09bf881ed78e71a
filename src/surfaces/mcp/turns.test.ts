import { describe, expect, test } from "vitest";
import { createTurns } from "./turns.ts";

describe("calls in turn", () => {
  test("run one after the other in the order in which they came, whatever becomes of those before", async () => {
    const inTurn = createTurns();
    const seen: string[] = [];
    const work = (name: string, ms: number, fate: "ends" | "fails") => async () => {
      seen.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, ms));
      seen.push(`${name} ${fate}`);
      if (fate === "fails") throw new Error(name);
      return name;
    };
    const all = await Promise.allSettled([
      inTurn(work("a", 20, "fails")),
      inTurn(work("b", 1, "ends")),
      inTurn(work("c", 5, "ends")),
    ]);
    expect(all.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    expect(seen).toEqual(["a begins", "a fails", "b begins", "b ends", "c begins", "c ends"]);
  });
});
