import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays } from "../../src/base/calendar.ts";
import { runCompact } from "../../src/tree/run/compact.ts";
import { runVerify } from "../../src/tree/inspect/verify.ts";
import { recordsPath } from "../../src/tree/model/period.ts";
import { createUuid7Ids } from "../../src/platform/clock.ts";
import { createSeededRandom } from "../../src/testing/index.ts";
import { lawRuns } from "../fixtures/law-runs.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";

const settings = { numRuns: lawRuns(40), seed: 20_261_126 };
const firstDay = "2026-02-02";

/** A visit of a clone: days pass, entries are added to the logs of days before, and the tree is compacted. */
interface Visit {
  readonly gap: number;
  readonly adds: readonly {
    readonly ago: number;
    readonly lines: number;
    readonly kind: "entry" | "note" | "growth";
  }[];
}

const visits = fc.array(
  fc.record({
    gap: fc.integer({ min: 0, max: 12 }),
    adds: fc.array(
      fc.record({
        ago: fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 30 })),
        lines: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.constant(120)),
        kind: fc.constantFrom("entry", "entry", "note", "growth"),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  { minLength: 1, maxLength: 4 },
);

describe("a tree is a function of its logs, its records and the day", () => {
  it("after any history with late data, nodes, ROOT.md and caches that are deleted come back byte for byte", async () => {
    let addenda = 0;
    await fc.assert(
      fc.asyncProperty(visits, async (all) => {
        const clone = new Clone(0, { notes: "yes" });
        for (const visit of all) await clone.visit(visit);
        const before = clone.tree();
        addenda += [...before.keys()].filter((path) => path.includes(".late-")).length;
        clone.forgetDerived();
        await clone.compact();
        expect(clone.tree()).toEqual(before);
        expect(await clone.faults()).toEqual([]);
        expect((await runCompact(clone.test.memory, {}, {})).written).toEqual([]);
      }),
      settings,
    );
    expect(addenda).toBeGreaterThan(0);
  });

  it("clones that take turns in merging have equal trees once each has the records of the last", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(visits, { minLength: 2, maxLength: 4 }), fc.boolean(), async (histories, turned) => {
        const clones = await played(histories);
        const order = turned ? clones.toReversed() : clones;
        // Each merges what the one before it has, as with a shared repository; then all get what the last one has.
        for (const [index, clone] of order.entries()) {
          clone.take(united([clone, ...order.slice(0, index)]));
          await clone.compact();
        }
        for (let round = 0; round < 2; round++)
          for (const clone of order) {
            clone.take(united(order));
            await clone.compact();
          }
        for (const clone of clones) expect(clone.tree()).toEqual(clones[0]?.tree());
        await expectFresh(clones[0] as Clone);
        for (const clone of clones) expect(await clone.faults()).toEqual([]);
      }),
      settings,
    );
  });

  it("clones that are merged have equal trees after one run of each, without each other's new records", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(visits, { minLength: 2, maxLength: 4 }), async (histories) => {
        const clones = await played(histories);
        const merged = united(clones);
        for (const clone of clones) clone.take(merged);
        for (const clone of clones) await clone.compact();
        for (const clone of clones) expect(clone.tree()).toEqual(clones[0]?.tree());
        const again = united(clones.toReversed());
        for (const clone of clones) clone.take(again);
        for (const clone of clones) await clone.compact();
        for (const clone of clones) expect(clone.tree()).toEqual(clones[0]?.tree());
        expect(new Set(clones.map(({ test }) => test.read(recordsPath))).size).toBe(1);
        await expectFresh(clones[0] as Clone);
      }),
      settings,
    );
  });
});

async function played(histories: readonly (readonly Visit[])[]): Promise<readonly Clone[]> {
  const clones: Clone[] = [];
  for (const [index, history] of histories.entries()) {
    const clone = new Clone(index + 1, { notes: "no" });
    for (const visit of history) await clone.visit(visit);
    clones.push(clone);
  }
  for (const clone of clones) clone.test.setToday(addDays(firstDay, 60));
  for (const clone of clones) await clone.compact();
  return clones;
}

/** A clone without any history builds the same tree. */
async function expectFresh(clone: Clone): Promise<void> {
  const fresh = new Clone(9, { notes: "no" });
  fresh.test.setToday(addDays(firstDay, 60));
  fresh.take(united([clone]));
  await fresh.compact();
  expect(fresh.tree()).toEqual(clone.tree());
}

/** The logs with the entries of all clones, each once, by id; and all records, each once. */
function united(clones: readonly Clone[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const path of new Set(clones.flatMap((clone) => clone.shared()))) {
    const texts = clones.map(({ test }) => test.read(path) ?? "");
    if (path.startsWith("memory/records/")) {
      const lines = new Set(texts.flatMap((text) => text.split("\n").filter((line) => line !== "")));
      files.set(path, `${[...lines].toSorted().join("\n")}\n`);
      continue;
    }
    const entries = new Map<string, string>();
    for (const text of texts)
      for (const part of text.split(/^(?=## )/mu).slice(1)) {
        const id = / id=(\S+)/u.exec(part)?.[1] ?? part;
        const known = entries.get(id) ?? "";
        if (part.trimEnd().length > known.length) entries.set(id, part.trimEnd());
      }
    const ordered = [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
    files.set(path, `# ${path.slice(7, 17)}\n\n${ordered.join("\n\n")}\n`);
  }
  return files;
}

class Clone {
  readonly test: TestMemory;
  readonly #number: number;
  readonly #notes: "yes" | "no";
  #day = 0;
  #added = 0;

  constructor(number: number, { notes }: { readonly notes: "yes" | "no" }) {
    this.#number = number;
    this.#notes = notes;
    const ids = createUuid7Ids({
      clock: { now: () => this.#added * 1000 + number },
      random: createSeededRandom(number),
    });
    this.test = openTestMemory({ today: firstDay, with: { ids } });
  }

  async visit({ gap, adds }: Visit): Promise<void> {
    this.#day += gap;
    this.test.setToday(addDays(firstDay, this.#day));
    for (const add of adds) this.#add(add);
    await this.compact();
  }

  #add({ ago, lines, kind }: Visit["adds"][number]): void {
    this.#added += 1;
    const day = addDays(firstDay, this.#day - ago);
    const path = `memory/${day}.md`;
    const before = this.test.read(path) ?? `# ${day}\n`;
    const id = `e${String(this.#added).padStart(3, "0")}-${this.#number}`;
    const body = Array.from({ length: lines }, (_, index) => `- line ${index} of ${id}: decided on pump ${index % 7}`);
    const comment = `<!-- hw id=${id} at=2026-02-02T10:00:00+00:00 origin=agent -->\n`;
    const heading = `\n## Topic ${this.#added % 5} [project]\n${kind === "note" && this.#notes === "yes" ? "" : comment}`;
    const isGrowth = kind === "growth" && this.#notes === "yes" && before.includes("## ");
    this.test.write(path, `${before}${isGrowth ? "" : heading}${body.join("\n")}\n`);
  }

  async compact(): Promise<void> {
    const { skipped } = await runCompact(this.test.memory, {}, {});
    expect(skipped).toEqual([]);
    expect((await runCompact(this.test.memory, { dry_run: true }, {})).due).toEqual([]);
  }

  /** Paths of logs and records. */
  shared(): readonly string[] {
    return this.test.list().filter((path) => /^memory\/records\/|^memory\/\d{4}-\d\d-\d\d\.md$/u.test(path));
  }

  take(files: ReadonlyMap<string, string>): void {
    for (const [path, text] of files) this.test.write(path, text);
  }

  tree(): ReadonlyMap<string, string> {
    const paths = this.test.list().filter((path) => /^memory\/(?:daily|weekly|monthly)\/|^memory\/ROOT/u.test(path));
    return new Map(paths.map((path) => [path, this.test.read(path) ?? ""]));
  }

  forgetDerived(): void {
    const caches = this.test.list().filter((path) => path.startsWith(".heartwood/cache/"));
    for (const path of [...this.tree().keys(), ...caches]) this.test.remove(path);
  }

  async faults(): Promise<readonly string[]> {
    const { findings } = await runVerify(this.test.memory, {});
    return findings.filter(({ severity }) => severity !== "info").map(({ message }) => message);
  }
}
