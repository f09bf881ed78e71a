import { afterEach, describe, expect, test } from "vitest";
import { openDesk, type Desk } from "../fixtures/built-program.ts";

/** Concurrent real processes: many search, one rebuilds the index, one compacts, one logs. */
const searches = 40;

let desk: Desk | undefined;
afterEach(() => desk?.remove());

const animals = "okapi quoll tapir gecko heron otter lemur bison camel eland moose hyena".split(" ");
const fillerOf = (animal: string): string =>
  Array.from({ length: 120 }, (_, line) => `The ${animal} saw ${line} others of the ${animal} kind.`).join("\n");
const logs = Object.fromEntries(
  animals.map((animal, day) => [
    `memory/2026-03-${String(day + 1).padStart(2, "0")}.md`,
    `## Topic ${day}\nThe zebra met the ${animal} there.\n\n${fillerOf(animal)}\n`,
  ]),
);

interface Answer {
  readonly hits: readonly { readonly snippet: string }[];
  readonly not_indexed: number;
  readonly warnings: readonly unknown[];
}

describe("many processes on one index", () => {
  test(`${searches} search at once while others rebuild the index, compact and log: no errors, and each result is right or says what is missing`, async () => {
    const own = openDesk("2026-03-15", logs);
    desk = own;
    await own.json(["index"]);
    const writers = writeMeanwhile(own);
    const all = Array.from({ length: searches }, () => own.json<Answer>(["search", "zebra", "--limit", "50"]));
    const answers = await Promise.all(all);
    await writers;
    for (const { hits, not_indexed, warnings } of answers) {
      expect(warnings).toEqual([]);
      const met = animals.filter((animal) => hits.some(({ snippet }) => snippet.includes(`met the ${animal}`)));
      expect(met.length + not_indexed).toBeGreaterThanOrEqual(animals.length);
    }
    const { hits, not_indexed } = await own.json<Answer>(["search", "quagga"]);
    expect([hits.length > 0, not_indexed]).toEqual([true, 0]);
  });
});

async function writeMeanwhile(own: Desk): Promise<void> {
  await own.json(["log", "add", "--topic", "New", "--body", "A quagga came."]);
  await own.json(["index", "--rebuild"]);
  await own.json(["compact"]);
  await own.json(["index", "--rebuild"]);
}
