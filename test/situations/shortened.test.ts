import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/base/digest.ts";
import { runDoctor } from "../../src/operations/doctor.ts";
import { appendEntry } from "../../src/tree/logs/log-add.ts";
import type { TraceResult } from "../../src/tree/inspect/trace-places.ts";
import { readStatus } from "../../src/operations/status.ts";
import { readTrace } from "../../src/tree/inspect/trace.ts";
import { runVerify } from "../../src/tree/inspect/verify.ts";
import { movedPath } from "../../src/tree/model/period.ts";
import { type TestMemory, openTestMemory } from "../fixtures/memory.ts";
import { bytesAt, cutOf, movedIn, shorten } from "../fixtures/shortened-notes.ts";
import { bodyAt, compact, expectSound, filesOf, keyAt, logOf, longLog, rawFiles } from "./scenario.ts";

const [past, today] = ["2026-03-10", "2026-03-15"];
const [pastLog, todayLog] = [`memory/${past}.md`, `memory/${today}.md`];
const part = `memory/archive/${past}.full.md`;

const long = `${longLog(past, "Glacier survey", 60)}\n## Billing [project]\n- decisions: invoices by mail\n`;
const short = logOf(
  today,
  ["Auth [project]", "- decisions: tokens"],
  ["Roof [project]", "- leak over the stairs", "- the roofer comes on Monday"],
);

/** A fixed past day and today, compacted, in two copies: one to be shortened, and its unshortened twin. */
async function openTwins(): Promise<readonly [TestMemory, TestMemory]> {
  const files = rawFiles({ [past]: long, [today]: short });
  const twins = [openTestMemory({ files }), openTestMemory({ files })] as const;
  for (const tree of twins) await compact(tree, today);
  return twins;
}

function nodesOf(tree: TestMemory): ReadonlyMap<string, string> {
  return new Map([...filesOf(tree)].filter(([path]) => /^memory\/(?:daily|weekly|monthly|ROOT\.md)/u.test(path)));
}

function forget(tree: TestMemory): void {
  for (const path of tree.list())
    if (path.startsWith(".heartwood/") || nodesOf(tree).has(path) || path.endsWith("-state.json")) tree.remove(path);
}

type Shorten = (tree: TestMemory) => Promise<unknown>;

const situations: readonly (readonly [name: string, shorten: Shorten])[] = [
  [
    "rotated-day",
    async (tree) => {
      await shorten(tree, pastLog, { kind: "rotated" });
    },
  ],
  [
    "section-removed",
    async (tree) => {
      await shorten(tree, pastLog, await cutOf(tree, pastLog, "- decisions: invoices by mail\n"));
      await shorten(tree, todayLog, await cutOf(tree, todayLog, "## Roof [project]\n- leak over the stairs\n"));
    },
  ],
];

describe.each(situations)("%s", (_name, shortenNotes) => {
  it("changes no node, makes nothing due, and verify finds nothing", async () => {
    const [tree, twin] = await openTwins();
    const before = nodesOf(tree);
    await shortenNotes(tree);
    expect((await bytesAt(tree, pastLog)).length).toBeLessThan(long.length);
    const result = await compact(tree);
    expect([result.written, result.due, result.skipped]).toEqual([[], [], []]);
    expect(nodesOf(tree)).toEqual(before);
    expect((await runVerify(tree.memory, {})).findings).toEqual((await runVerify(twin.memory, {})).findings);
    expect(await readStatus(tree.memory)).toEqual({ ...(await readStatus(twin.memory)), dir: tree.memory.dir });
    await expectSound(tree);
  });

  it("gives the same bytes for weeks, and when everything except the notes is rebuilt", async () => {
    const [tree, twin] = await openTwins();
    await shortenNotes(tree);
    for (const day of ["2026-03-16", "2026-03-24", "2026-04-09"]) {
      for (const one of [tree, twin]) await compact(one, day);
      expect(nodesOf(tree)).toEqual(nodesOf(twin));
    }
    for (const one of [tree, twin]) forget(one);
    for (const one of [tree, twin]) await compact(one);
    expect(nodesOf(tree)).toEqual(nodesOf(twin));
    await expectSound(tree);
  });

  it("takes an append as late data with its original line numbers, and recognises earlier entries", async () => {
    const [tree, twin] = await openTwins();
    const first = { topic: "Ledger", body: "- opened", date: past, id: "ledger-1" };
    const added = await Promise.all([tree, twin].map((one) => appendEntry(one.memory, first)));
    expect(added[0]?.lines).toEqual(added[1]?.lines);
    for (const one of [tree, twin]) await compact(one);
    await shortenNotes(tree);
    const again = await appendEntry(tree.memory, first);
    expect([again.action, again.lines]).toEqual(["duplicate", added[1]?.lines]);
    const next = { topic: "Ledger", body: "- closed\n- sent", date: past, id: "ledger-2" };
    const [here, there] = [await appendEntry(tree.memory, next), await appendEntry(twin.memory, next)];
    expect(here).toEqual(there);
    expect(tree.read(pastLog)).toContain("- closed\n- sent\n");
    for (const one of [tree, twin]) await compact(one, "2026-03-16");
    expect(nodesOf(tree)).toEqual(nodesOf(twin));
    expect(bodyAt(tree, `memory/daily/${past}.late-2.md`)).toContain("- closed");
    const traced = await readTrace(tree.memory, { text: "Ledger [" });
    expect(withoutPlaces(traced)).toEqual(withoutPlaces(await readTrace(twin.memory, { text: "Ledger [" })));
    await expectSound(tree);
  });

  it("takes an edit as late data and loses nothing", async () => {
    const [tree] = await openTwins();
    await shortenNotes(tree);
    const before = nodesOf(tree);
    tree.write(pastLog, `- by hand: bring the theodolite\n${tree.read(pastLog) ?? ""}`);
    await compact(tree);
    expect(bodyAt(tree, `memory/daily/${past}.late-1.md`)).toContain("bring the theodolite");
    expect(bodyAt(tree, `memory/daily/${past}.late-1.md`)).not.toContain("step 7 ");
    const daily = `memory/daily/${past}.md`;
    expect(tree.read(daily)).toBe(before.get(daily));
    expect((await readStatus(tree.memory)).late.map(({ path, code }) => `${code} ${path}`)).toEqual([
      `late_source ${pastLog}`,
    ]);
    await expectSound(tree);
  });

  it("traces ROOT.md to lines with their original digest, and says where they are kept", async () => {
    const [tree, twin] = await openTwins();
    await shortenNotes(tree);
    for (const text of ["Glacier survey", "Billing", "Roof", "Auth"]) {
      const [here, there] = [await readTrace(tree.memory, { text }), await readTrace(twin.memory, { text })];
      expect(withoutPlaces(here)).toEqual(withoutPlaces(there));
      for (const { path, lines, sha256: digest, kept_in: kept } of here.raw) {
        const [from, to] = kept?.lines ?? lines;
        const own = (tree.read(kept?.path ?? path) ?? "").split("\n").slice(from - 1, to);
        expect(sha256(`${own.join("\n")}\n`), `${path} ${lines.join("-")}`).toBe(digest);
      }
    }
  });

  it("a lost part is reported, nothing above it becomes fixed, and work continues when it is back", async () => {
    const [tree, twin] = await openTwins();
    await shortenNotes(tree);
    const kept = await bytesAt(tree, part);
    const before = nodesOf(tree);
    for (const lose of [() => tree.remove(part), () => tree.write(part, "x".repeat(kept.length))]) {
      lose();
      tree.setToday("2026-04-09");
      const looked = await compact(tree);
      expect(looked.skipped.map(({ path, code }) => [path, code])).toEqual([[pastLog, "archive_damaged"]]);
      expect(looked.skipped[0]?.message).toContain(part);
      const daily = `memory/daily/${past}.md`;
      expect(tree.read(daily)).toBe(before.get(daily));
      for (const path of ["memory/weekly/2026-W11.md", "memory/monthly/2026-03.md"])
        expect(keyAt(tree, path, "status")).toBe("tentative");
      const { findings, ok } = await runVerify(tree.memory, {});
      expect(ok).toBe(false);
      expect(findings.filter(({ code }) => code === "archive_damaged").map(({ path }) => path)).toEqual([pastLog]);
      const doctor = await runDoctor(tree.memory, {});
      expect(doctor.checks.filter(({ state }) => state === "problem").map(({ name }) => name)).toEqual(["archive"]);
      expect((await readStatus(tree.memory)).skipped.map(({ path }) => path)).toEqual([pastLog]);
      const logged = await appendEntry(tree.memory, { topic: "Still", body: "- logging", date: today });
      expect(logged.action).toBe("added");
      await appendEntry(twin.memory, { topic: "Still", body: "- logging", date: today, id: logged.id });
    }
    tree.write(part, kept);
    for (const one of [tree, twin]) await compact(one, "2026-04-10");
    for (const one of [tree, twin]) await compact(one, "2026-04-11");
    expect(keyAt(tree, "memory/weekly/2026-W11.md", "status")).toBe("fixed");
    await expectSound(tree);
  });

  it("an invalid record is reported, the logs it may concern are left alone, and everything else continues", async () => {
    const [tree] = await openTwins();
    await shortenNotes(tree);
    const record = tree.read(movedPath) ?? "";
    const before = nodesOf(tree);
    const texts = ["{", '{"version": 2, "logs": {}}', '{"version":1,"logs":{"memory/../x.md":[]}}'];
    for (const [index, text] of texts.entries()) {
      const other = `2026-03-${11 + index}`;
      tree.write(movedPath, text);
      tree.write(`memory/${other}.md`, logOf(other, ["Kitchen", `- ${text.length} tiles`]));
      const result = await compact(tree);
      expect(result.skipped.map(({ path }) => path)).toContain(pastLog);
      expect(result.written.map(({ path }) => path)).toContain(`memory/daily/${other}.md`);
      for (const path of [`memory/daily/${past}.md`, `memory/daily/${today}.md`])
        expect(tree.read(path)).toBe(before.get(path));
      const { findings } = await runVerify(tree.memory, {});
      const code = text.includes("2,") ? "newer_store" : "archive_damaged";
      expect(findings.filter((finding) => finding.path === movedPath).map((finding) => finding.code)).toEqual([code]);
      const doctor = await runDoctor(tree.memory, {});
      expect(doctor.checks.filter(({ name }) => name === "archive").map(({ state }) => state)).toEqual(["problem"]);
    }
    tree.write(movedPath, record);
    await compact(tree);
    expect(tree.read(`memory/daily/${past}.md`)).toBe(before.get(`memory/daily/${past}.md`));
    await expectSound(tree, ["late_source", "source_edited"]);
  });

  it("is the same log in every state that a crash can leave", async () => {
    for (const until of ["part", "record"] as const) {
      const [tree] = await openTwins();
      await shorten(tree, pastLog, { kind: "rotated" }, until);
      const before = nodesOf(tree);
      expect(movedIn(tree).size).toBe(until === "record" ? 1 : 0);
      await shortenNotes(tree);
      await compact(tree);
      expect(nodesOf(tree)).toEqual(before);
      // Half undone: the notes are restored, but still in the record.
      tree.write(pastLog, long);
      tree.write(todayLog, short);
      const result = await compact(tree);
      expect([result.written, result.due, result.skipped]).toEqual([[], [], []]);
      expect(nodesOf(tree)).toEqual(before);
      await expectSound(tree);
    }
  });
});

it("a tentative day is not rebuilt while the part of one of its logs is lost, although another log of the day is there", async () => {
  const tree = openTestMemory({ files: rawFiles({ [today]: short }) });
  await compact(tree, today);
  const { step, before } = await shorten(tree, todayLog, await cutOf(tree, todayLog, "- leak over the stairs\n"));
  tree.remove(step.part);
  tree.write(`memory/${today}-standup.md`, logOf(today, ["Standup", "- all is well"]));
  const daily = `memory/daily/${today}.md`;
  const node = tree.read(daily);
  expect((await compact(tree)).skipped.map(({ path }) => path)).toEqual([todayLog]);
  expect(tree.read(daily)).toBe(node);
  tree.write(step.part, before);
  await compact(tree);
  expect(bodyAt(tree, daily)).toContain("- leak over the stairs");
  expect(bodyAt(tree, daily)).toContain("- all is well");
  await expectSound(tree);
});

function withoutPlaces({ raw, ...rest }: TraceResult): unknown {
  return { ...rest, raw: raw.map(({ kept_in: _kept, ...entry }) => entry) };
}
