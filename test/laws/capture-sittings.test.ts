import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { localDay } from "../../src/base/calendar.ts";
import { runCapture, runImport } from "../../src/agents/capture/run.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";
import { answer, claudeSession, lines, said, type Row } from "../fixtures/transcripts/claude-code.ts";

const file = `in/${claudeSession}.jsonl`;
const cursorFile = `.heartwood/capture/claude-code/claude-code-${claudeSession}.json`;
const hour = 3_600_000;
const zone = "Europe/Berlin";

function opened(rows: readonly Row[]): TestMemory & { readonly path: string } {
  const test = openTestMemory({ disk: "folder", zone, files: { [file]: lines(rows) } });
  const clock = { ...test.memory.clock, today: () => "2099-01-01" };
  return { ...test, memory: { ...test.memory, clock }, path: join(test.memory.dir, file) };
}

function capture(test: ReturnType<typeof opened>, ended?: "session") {
  return runCapture(test.memory, { client: "claude-code", path: test.path, ...(ended && { ended }) });
}

/** The user's words, by the log that contains them. */
function logged(test: TestMemory, days: Iterable<string>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    [...days].map((day) => [day, (test.read(`memory/${day}.md`) ?? "").match(/^User: .*$/gmu) ?? []]),
  );
}

const turnAt = (number: number, time: string): readonly Row[] => [
  said(`u${number}`, `Question ${number} about the ledger`, `${time}:00Z`),
  answer(`a${number}`, "The ledger balances.", `${time}:30Z`),
];

const resumed = [
  ...turnAt(1, "2026-03-10T21:30"),
  ...turnAt(2, "2026-03-10T23:30"),
  ...turnAt(3, "2026-03-14T08:00"),
  ...turnAt(4, "2026-03-14T13:59"),
];
const ofResumed = {
  "2026-03-10": ["User: Question 1 about the ledger", "User: Question 2 about the ledger"],
  "2026-03-11": [],
  "2026-03-14": ["User: Question 3 about the ledger", "User: Question 4 about the ledger"],
};

describe("a session that is resumed days later", () => {
  it("continues in the log of that day, and past midnight in that of the day before", async () => {
    const test = opened(resumed);
    const { sessions } = await capture(test);
    expect(sessions[0]).toMatchObject({ day: "2026-03-10", days: ["2026-03-10", "2026-03-14"], entries: { added: 4 } });
    expect(logged(test, Object.keys(ofResumed))).toEqual(ofResumed);
    test.remove(cursorFile);
    const again = await runImport(test.memory, { client: "claude-code", path: test.path });
    expect(again.sessions[0]).toMatchObject({ entries: { added: 0, known: 4 } });
    expect(logged(test, Object.keys(ofResumed))).toEqual(ofResumed);
  });

  it("is reported in the same way by a dry run", async () => {
    const test = opened(resumed);
    const { sessions } = await runImport(test.memory, { client: "claude-code", path: test.path, dry_run: true });
    expect(sessions[0]).toMatchObject({ days: ["2026-03-10", "2026-03-14"], entries: { added: 4, known: 0 } });
  });

  it("does not repeat an entry that is in the log of the day on which the session began", async () => {
    const test = opened(resumed);
    await capture(test);
    const moved = ["2026-03-10", "2026-03-14"].map((day) => test.read(`memory/${day}.md`) ?? "").join("\n");
    test.write("memory/2026-03-10.md", moved);
    test.remove("memory/2026-03-14.md");
    test.remove(cursorFile);
    expect((await capture(test)).sessions[0]).toMatchObject({ entries: { added: 0, known: 4 } });
    expect(test.read("memory/2026-03-14.md")).toBeUndefined();
  });

  it("is read from its beginning if the cursor has an earlier format without the sitting", async () => {
    const test = opened(resumed.slice(0, 6));
    await capture(test);
    test.write(cursorFile, (test.read(cursorFile) ?? "").replace(/,"sitting_at_ms":\d+/u, ""));
    test.write(file, lines(resumed));
    expect((await capture(test)).sessions[0]).toMatchObject({ entries: { added: 1, known: 3 } });
    expect(logged(test, Object.keys(ofResumed))).toEqual(ofResumed);
  });

  it("files a turn under the day of the user's words, however late the model answers", async () => {
    const rows = [
      said("u1", "Let the migration of the ledger run", "2026-03-10T09:00:00Z"),
      answer("a1", "It ran all night.", "2026-03-11T09:00:00Z"),
      ...turnAt(2, "2026-03-11T09:10"),
    ];
    const test = opened(rows.slice(0, 1));
    for (let count = 1; count <= rows.length; count++) {
      test.write(file, lines(rows.slice(0, count)));
      await capture(test);
    }
    expect(logged(test, ["2026-03-10", "2026-03-11"])).toEqual({
      "2026-03-10": ["User: Let the migration of the ledger run"],
      "2026-03-11": ["User: Question 2 about the ledger"],
    });
  });
});

describe("the days of a session", () => {
  const gap = fc.oneof(
    fc.integer({ min: -2 * hour, max: 30 * hour }),
    fc.constantFrom(0, 6 * hour - 1, 6 * hour, 6 * hour + 1, 24 * hour),
  );
  const message = fc.record({
    gap,
    by: fc.constantFrom("user", "user", "assistant"),
    time: fc.constantFrom("yes", "yes", "no"),
  });

  it("depend only on its times, whether read at once, in pieces, or again", async () => {
    const reached = { several: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 10 }),
        fc.array(fc.nat({ max: 10 }), { maxLength: 4 }),
        async (messages, stops) => {
          const begin = Date.UTC(2026, 2, 20, 12);
          const expected: Record<string, string[]> = {};
          let [now, last, sitting] = [begin, begin, begin];
          const rows = messages.map(({ gap: after, by, time }, index): Row => {
            now += after;
            const at = index > 0 && time === "no" ? undefined : new Date(now).toISOString();
            if (at !== undefined) {
              if (index === 0 || now - last >= 6 * hour) sitting = now;
              last = now;
            }
            if (by === "user") (expected[localDay(sitting, zone)] ??= []).push(`User: Question ${index} of it`);
            const { timestamp, ...row } =
              by === "user"
                ? said(`m${index}`, `Question ${index} of it`, at ?? "")
                : answer(`m${index}`, "It balances.", at ?? "", null);
            return at === undefined ? row : { ...row, timestamp };
          });
          const days = Array.from({ length: 40 }, (_, day) => localDay(begin + (day - 20) * 24 * hour, zone));
          const all = { ...Object.fromEntries(days.map((day) => [day, [] as string[]])), ...expected };
          const whole = opened(rows);
          await capture(whole, "session");
          expect(logged(whole, Object.keys(all))).toEqual(all);
          const pieces = opened(rows.slice(0, 1));
          for (const stop of stops.toSorted((a, b) => a - b)) {
            pieces.write(file, lines(rows.slice(0, Math.max(1, stop))));
            await capture(pieces);
          }
          pieces.write(file, lines(rows));
          await capture(pieces, "session");
          expect(logged(pieces, Object.keys(all))).toEqual(all);
          pieces.remove(cursorFile);
          expect((await capture(pieces, "session")).sessions[0]?.entries.added).toBe(0);
          if (Object.keys(expected).length > 1) reached.several += 1;
          await whole.memory.threads.close();
          await pieces.memory.threads.close();
        },
      ),
      { numRuns: Math.ceil(Number(process.env["HEARTWOOD_FUZZ_RUNS"] ?? 300) / 6) },
    );
    expect(reached.several).toBeGreaterThan(0);
  });
});
