import { describe, expect, it } from "vitest";
import { runDoctor } from "../../src/operations/doctor.ts";
import { readLedger } from "../../src/summaries/run/status.ts";
import { runSummaries } from "../../src/summaries/run/run.ts";
import { readStatus } from "../../src/operations/status.ts";
import { createFakeSummarizer, unreachable } from "../fixtures/fake-summarizer.ts";
import { answerWell, goodAnswer, longDay } from "../fixtures/long-days.ts";
import { answersIn, compact, openAsking, snapshot, treeOf, twoDays } from "../fixtures/summaries-scene.ts";
import { openTestMemory } from "../fixtures/memory.ts";

/** Summaries by a model, from the raw logs to ROOT.md, with a scripted model. */
const daily = "memory/daily/2026-03-14.md";
const secret = "sk-proj-Zx81kQpLm44RtYw0Hs7vBn3cDfGj6KlMnOpQrStUv";

describe("compact with a model", () => {
  it("puts an answer into the node, and asks for the next one in the next run", async () => {
    const model = createFakeSummarizer(answerWell);
    const test = openAsking(model);
    const first = await compact(test);
    expect(first.requests).toMatchObject([{ label: "2026-03-14", outcome: "accepted" }]);
    expect(test.read(daily)).toMatch(/^answer: \S+/mu);
    expect(test.read(daily)).toContain("Importer and scheduler");
    expect(test.read(daily)).toContain("status: fixed");
    expect(first.written.filter(({ path }) => path === daily)).toMatchObject([{ action: "created", status: "fixed" }]);
    const second = await compact(test);
    expect(second.requests?.map(({ label, outcome }) => `${label} ${outcome}`)).toEqual([
      "2026-03-13 accepted",
      "ROOT accepted",
    ]);
    const { requests } = await compact(test);
    expect(requests?.filter(({ kind }) => kind === "daily")).toEqual([]);
    expect(new Set(model.sent.map(({ prompt, instructions }) => instructions + prompt)).size).toBe(model.sent.length);
  });

  it("asks for each level, and for parents only when their children are final", async () => {
    const model = createFakeSummarizer(answerWell);
    const files = Object.fromEntries(
      ["02-23", "02-24", "02-25", "02-26", "02-27", "03-02", "03-03", "03-04", "03-05", "03-06"].map((day) => [
        `memory/2026-${day}.md`,
        longDay(`2026-${day}`),
      ]),
    );
    const test = openAsking(model, { files, today: "2026-03-20" });
    const kinds: string[] = [];
    for (let run = 0; run < 9; run += 1)
      kinds.push((await compact(test)).requests?.map(({ kind }) => kind).join() ?? "");
    expect(kinds[0]).toBe("daily");
    expect(kinds.join(" ")).toContain("weekly");
    expect(kinds.at(-1)).toBe("");
    expect(new Set(model.sent.map(({ prompt }) => prompt)).size).toBe(model.sent.length);
  });

  it("rebuilds the same bytes from the records if the model is gone", async () => {
    const test = openAsking();
    for (let run = 0; run < 4; run += 1) await compact(test);
    const before = treeOf(test);
    expect(before.get(daily)).toContain("made-by: answer-1");
    const broken = createFakeSummarizer(() => {
      throw new Error("nobody may ask");
    });
    const again = openAsking(broken, { files: Object.fromEntries(withoutNodes(snapshot(test))) });
    const { requests } = await compact(again);
    expect(requests).toEqual([]);
    expect(treeOf(again)).toEqual(before);
    const without = openTestMemory({ files: Object.fromEntries(withoutNodes(snapshot(test))) });
    await compact(without);
    expect(treeOf(without)).toEqual(before);
  });

  it("changes no byte of the tree if the model only fails, says so, and fixes nodes after three runs", async () => {
    const test = openAsking(createFakeSummarizer(unreachable));
    const plain = openTestMemory({ files: twoDays });
    await compact(plain);
    const states: (string | undefined)[] = [];
    for (let run = 0; run < 4; run += 1) {
      const { warnings } = await compact(test);
      states.push(/^status: (\w+)/mu.exec(test.read(daily) ?? "")?.[1]);
      const codes = warnings.map(({ code }) => code);
      if (run < 3) expect(codes).toContain("model_unavailable");
      expect(codes.includes("fixed_unanswered")).toBe(run === 3);
      if (run === 3)
        expect(warnings.find(({ code }) => code === "fixed_unanswered")?.message).toMatch(
          /2026-03-14\.md and 1 more.*compact --reopen 2026-03-14 reopens/u,
        );
    }
    expect(states).toEqual(["tentative", "tentative", "tentative", "fixed"]);
    expect(test.read(daily)).toBe(plain.read(daily));
  });

  it("keeps a refused answer aside, does not ask again, and lets the node become fixed", async () => {
    const model = createFakeSummarizer(() => "Too short.");
    const test = openAsking(model, { files: { "memory/2026-03-14.md": twoDays["memory/2026-03-14.md"] } });
    expect((await compact(test)).warnings.map(({ code }) => code)).toContain("answer_refused");
    expect((await compact(test)).requests).toMatchObject([{ kind: "root", outcome: "refused" }]);
    expect((await compact(test)).requests).toEqual([]);
    expect(test.read(daily)).toContain("status: fixed");
    expect(answersIn(test).filter((path) => path.includes(".refused-"))).not.toEqual([]);
    expect((await readStatus(test.memory)).summaries.refused).toBeGreaterThan(0);
  });

  it("sends and writes nothing in a dry run", async () => {
    const model = createFakeSummarizer(answerWell);
    const test = openAsking(model, { settings: { maxRequestsPerDay: 0 } });
    await compact(test);
    const asking = openAsking(model, { files: Object.fromEntries(filled(snapshot(test))) });
    const before = snapshot(asking);
    for (const result of [
      await compact(asking, { dry_run: true }),
      await runSummaries(asking.memory, { dry_run: true }),
    ]) {
      expect(result.dry_run).toBe(true);
      expect(result.requests?.[0]).toMatchObject({ outcome: "would_ask", kind: "daily" });
      expect(result.requests?.[0]?.tokens).toBeGreaterThan(1_000);
    }
    expect(model.sent).toEqual([]);
    expect(snapshot(asking)).toEqual(before);
  });

  it("says in a plan that nodes not made yet may be requested too", async () => {
    const test = openAsking();
    for (const result of [await compact(test, { dry_run: true }), await runSummaries(test.memory, { dry_run: true })])
      expect(result).toMatchObject({ requests: [], warnings: [{ code: "not_known_yet" }] });
    while ((await compact(test)).requests?.some(({ outcome }) => outcome === "accepted"));
    expect((await compact(test, { dry_run: true })).warnings).toEqual([]);
    expect((await compact(openTestMemory({ files: twoDays }), { dry_run: true })).warnings).toEqual([]);
  });

  it("asks once within the cooldown of a hook", async () => {
    const model = createFakeSummarizer(unreachable);
    const test = openAsking(model);
    await compact(test, { if_due: true });
    expect(model.sent).toHaveLength(1);
    await compact(test, { if_due: true });
    expect(model.sent).toHaveLength(1);
    test.passHours(4);
    await compact(test, { if_due: true });
    expect(model.sent).toHaveLength(2);
  });

  it("asks for ROOT.md alone once within the cooldown of a hook too", async () => {
    const model = createFakeSummarizer(unreachable);
    const small = { "memory/2026-03-14.md": longDay("2026-03-14", { lines: 60 }) };
    const test = openAsking(model, { files: small });
    await compact(test, { if_due: true });
    expect(model.sent).toHaveLength(1);
    expect((await compact(test, { if_due: true })).waits).toBeUndefined();
    expect(model.sent).toHaveLength(1);
    test.passHours(4);
    await compact(test, { if_due: true });
    expect(model.sent).toHaveLength(2);
  });

  it("counts a run once for a waiting node, even if it composes again after an answer", async () => {
    const test = openAsking();
    await compact(test);
    const { waiting } = (await readStatus(test.memory)).summaries;
    expect(waiting).toMatchObject([{ path: "memory/daily/2026-03-13.md", runs: 1 }]);
  });

  it("asks with limited cycles too", async () => {
    const test = openAsking();
    const { requests } = await compact(test, { cycles: 1 });
    expect(requests).toMatchObject([{ kind: "daily" }]);
  });

  it("stops immediately when it is aborted, and the tree is built", async () => {
    const controller = new AbortController();
    const model = createFakeSummarizer(() => {
      controller.abort();
      return goodAnswer;
    });
    const test = openAsking(model);
    const { compactMemory } = await import("../../src/summaries/run/compact.ts");
    await expect(compactMemory(test.memory, {}, { signal: controller.signal })).rejects.toThrow();
    expect(test.read(daily)).toContain("status: tentative");
    expect(answersIn(test)).toEqual([]);
    expect((await compact(test)).requests?.[0]).toMatchObject({ outcome: expect.any(String) });
  });

  it("can be disabled or set to pull by the project, which cannot name a model", async () => {
    for (const adapter of ["off", "pull"]) {
      const model = createFakeSummarizer(answerWell);
      const config = JSON.stringify({ summaries: { adapter } });
      const test = openAsking(model, { files: { ...twoDays, "heartwood.config.json": config } });
      expect((await compact(test)).requests).toBeUndefined();
      expect(model.sent).toEqual([]);
      expect((await readStatus(test.memory)).summaries.adapter).toBe(adapter);
    }
    for (const summaries of [{ adapter: "openai-compatible" }, { baseUrl: "http://x" }, { maxTokensPerDay: -1 }, []]) {
      const test = openAsking("pull", { files: { "heartwood.config.json": JSON.stringify({ summaries }) } });
      await expect(compact(test), JSON.stringify(summaries)).rejects.toMatchObject({ code: "invalid_config" });
    }
  });
});

describe("summaries run", () => {
  it("asks like compact, and reports what was spent and what is on the ledger", async () => {
    const test = openAsking();
    const { requests, spent, budgets, next } = await runSummaries(test.memory, {});
    expect(requests[0]).toMatchObject({ outcome: "accepted", label: "2026-03-14" });
    expect(spent.requests).toBe(requests.length);
    expect(budgets.max_requests_per_run).toBe(5);
    expect(next).toBe("heartwood tree");
    const ledger = await readLedger(test.memory, {});
    expect(ledger.days).toMatchObject([{ day: "2026-03-15", accepted: requests.length, requests: requests.length }]);
    expect(ledger.lines[0]).toMatchObject({ event: "answered", outcome: "accepted" });
    expect((await readLedger(test.memory, { limit: 1 })).lines).toEqual(ledger.lines.slice(0, 1));
    expect((await readStatus(test.memory)).summaries.spent).toEqual(spent);
  });

  it("asks for one kind only, and for nothing without a model", async () => {
    expect((await runSummaries(openAsking().memory, { kind: "weekly" })).requests).toEqual([]);
    const none = await runSummaries(openTestMemory({ files: twoDays }).memory, {});
    expect(none).toMatchObject({ requests: [], warnings: [{ code: "no_model" }] });
    const pull = await runSummaries(openAsking("pull").memory, {});
    expect(pull.next).toBe("heartwood summaries pending");
  });
});

describe("what is sent and what is kept", () => {
  const files = {
    "memory/2026-03-14.md": longDay("2026-03-14", { more: `- the key is ${secret}\n` }),
    "memory/agents/compaction/AGENT.md": `use ${secret}\n`,
  };

  it("contains no secret in the logs, and the ledger contains no word of them", async () => {
    const model = createFakeSummarizer(answerWell);
    const test = openAsking(model, { files });
    await compact(test);
    expect(model.sent.length).toBeGreaterThan(0);
    expect(JSON.stringify(model.sent)).not.toContain(secret.slice(8));
    expect(JSON.stringify([...snapshot(test)].filter(([path]) => path.startsWith(".heartwood/")))).not.toContain(
      secret.slice(8),
    );
    expect(test.read(".heartwood/summaries/ledger.jsonl")).not.toMatch(/importer|billing|keep it small/iu);
  });

  it("refuses an answer with a secret, and keeps it redacted", async () => {
    const model = createFakeSummarizer(() => goodAnswer.replace("reviewed the", `reviewed ${secret} the`));
    const test = openAsking(model, { files });
    const { requests } = await compact(test);
    expect(requests?.[0]).toMatchObject({ outcome: "refused" });
    expect(requests?.[0]?.findings.map(({ code }) => code)).toContain("secret");
    expect(
      JSON.stringify([requests, [...snapshot(test)].filter(([path]) => path.startsWith(".heartwood/"))]),
    ).not.toContain(secret.slice(8));
  });
});

describe("damaged records", () => {
  it("are not used, and doctor lists them", async () => {
    const test = openAsking();
    await compact(test);
    const [path = ""] = answersIn(test);
    test.write(path, (test.read(path) ?? "").replace("keep it small", "keep it large"));
    test.write(".heartwood/artifacts/answers/daily/notes.txt", "mine\n");
    test.write(".heartwood/summaries/ledger.jsonl", `${test.read(".heartwood/summaries/ledger.jsonl")}{"torn`);
    const { checks } = await runDoctor(test.memory, {});
    const told = checks.filter(({ name }) => name === "answers" || name === "ledger").map(({ state }) => state);
    expect(told).toEqual(["problem", "note", "note"]);
    const again = openTestMemory({ files: Object.fromEntries(withoutNodes(snapshot(test))) });
    const { warnings } = await compact(again);
    expect(again.read(daily)).toContain("made-by: built-in-4");
    expect(again.read(daily)).not.toContain("keep it large");
    expect(JSON.stringify(warnings)).toBe("[]");
  });
});

/** All files of a folder except nodes and caches. */
function withoutNodes(files: ReadonlyMap<string, string | undefined>): readonly [string, string][] {
  return filled(files).filter(
    ([path]) => !/^memory\/(daily|weekly|monthly|ROOT|archive|\.compaction)|^\.heartwood\/cache/u.test(path),
  );
}

function filled(files: ReadonlyMap<string, string | undefined>): readonly [string, string][] {
  return [...files].map(([path, text]) => [path, text ?? ""]);
}
