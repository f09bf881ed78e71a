import { expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../test/fixtures/memory.ts";
import { runVerify } from "../tree/inspect/verify.ts";
import { appendEntry } from "../tree/logs/log-add.ts";
import { recordsPath } from "../tree/model/period.ts";
import { runCompact } from "../tree/run/compact.ts";
import { runForget } from "./forget.ts";
import { verifyForgotten } from "./sweep.ts";

const fact = "the vault code is tangerine-4471";

/** Entries over several weeks; those whose body has `fact` are left out of a twin. */
async function history(kind: "with" | "without"): Promise<TestMemory> {
  const test = openTestMemory({ today: "2026-01-05", disk: "folder" });
  const add = async (day: string, id: string, topic: string, body: string): Promise<void> => {
    test.setToday(day);
    if (kind === "with" || !body.includes("tangerine")) await appendEntry(test.memory, { topic, body, id });
    else if (body.split("\n").length > 1)
      await appendEntry(test.memory, {
        topic,
        id,
        body: body
          .split("\n")
          .filter((line) => !line.includes("tangerine"))
          .join("\n"),
      });
  };
  for (let day = 5; day < 30; day += 3) {
    const date = `2026-01-${String(day).padStart(2, "0")}`;
    await add(date, `a-${day}`, `Payments ${day}`, `- decisions: bucket ${day} holds\n- open: measure ${day}`);
    if (day === 11) await add(date, "secret", "Vault", `- ${fact}`);
    if (day === 14) await add(date, "mixed", "Doors", `- the doors close at six\n- ${fact}\n- open: ask about doors`);
    await add(date, `b-${day}`, "Staging", `- outcome: shipped build ${day}`);
    test.setToday(`2026-01-${String(day + 1).padStart(2, "0")}`);
    await runCompact(test.memory, {}, {});
  }
  test.setToday("2026-03-20");
  await runCompact(test.memory, {}, {});
  return test;
}

const treeOf = (test: TestMemory): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    test
      .list()
      .filter((path) => /^memory\/(?:\d|daily|weekly|monthly|ROOT)/u.test(path))
      .map((path) => [path, test.read(path)]),
  );

it("leaves the tree as if the text had never been written", async () => {
  const [test, twin] = [await history("with"), await history("without")];
  expect(test.read("memory/ROOT.md")).not.toBe(twin.read("memory/ROOT.md"));
  const planned = await runForget(test.memory, { text: "TANGERINE-4471" }, {});
  expect(planned.state).toBe("planned");
  expect(planned.lines.map(({ path, line }) => `${path}:${line}`)).toEqual([
    "memory/2026-01-11.md:8",
    "memory/2026-01-11.md:9",
    "memory/2026-01-11.md:10",
    "memory/2026-01-14.md:11",
  ]);
  const done = await runForget(test.memory, { text: "TANGERINE-4471", code: planned.code }, {});
  expect([done.state, done.left]).toEqual(["done", []]);
  expect(treeOf(test)).toEqual(treeOf(twin));
  for (const path of test.list()) expect(test.read(path)?.toLowerCase(), path).not.toContain("tangerine");
  expect((await runVerify(test.memory, {})).ok).toBe(true);
  expect(await verifyForgotten(test.memory)).toMatchObject({ ok: true, findings: [] });
  expect(test.read(recordsPath)?.trim().split("\n").length).toBe(2);
  expect(test.list()).not.toContain(".heartwood/forget.json");
});

it("does not take an entry with a forgotten id again", async () => {
  const test = await history("with");
  await runForget(test.memory, { entry: "secret", yes: true }, {});
  const again = await appendEntry(test.memory, { topic: "Vault", body: "- x", id: "secret", date: "2026-01-11" });
  expect([again.action, again.lines]).toEqual(["forgotten", [0, 0]]);
  expect(test.read("memory/2026-01-11.md")).not.toContain("Vault");
});
