import { describe, expect, it } from "vitest";
import {
  createFakeSummarizer,
  unreachable,
  type FakeAnswer,
  type FakeSummarizer,
} from "../../../test/fixtures/fake-summarizer.ts";
import { fakeSubject, sourceOf } from "../../../test/fixtures/fake-subjects.ts";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { MemoryError } from "../../base/errors.ts";
import { type AnswerRecord, recordPath, summaryKinds } from "../../tree/answers/record.ts";
import type { SummarizerPrompt } from "../memory.ts";
import type { SummariesSettings } from "../../platform/user-settings/models.ts";
import { askAll, type Asked, previewAll } from "./ask-all.ts";
import { defaultSettings } from "./budget.ts";
import type { Subject } from "./subject.ts";

interface Scene {
  readonly answer?: (prompt: SummarizerPrompt) => FakeAnswer | Promise<FakeAnswer>;
  readonly tries?: number;
  readonly settings?: Partial<SummariesSettings>;
  readonly test?: TestMemory;
  readonly signal?: AbortSignal;
  readonly id?: string;
}

interface Played extends Asked {
  readonly model: FakeSummarizer;
  readonly test: TestMemory;
  readonly composed: readonly string[];
}

async function ask(subjects: readonly Subject[], scene: Scene = {}): Promise<Played> {
  const { test = openTestMemory(), tries = 1, id = "fake-1:model" } = scene;
  const model = createFakeSummarizer(scene.answer ?? (() => "- fine"), { tries, id });
  const composed: string[] = [];
  const asked = await askAll(test.memory, {
    ...what(subjects, scene, model),
    holder: "a test",
    compose: async (kind) => void composed.push(kind),
  });
  return { ...asked, model, test, composed };
}

function what(
  subjects: readonly Subject[],
  scene: Scene,
  model: FakeSummarizer,
): Omit<Parameters<typeof askAll>[1], "compose" | "holder"> {
  const settings = { ...defaultSettings, adapter: "openai-compatible" as const, ...scene.settings };
  const call = scene.signal === undefined ? {} : { signal: scene.signal };
  return { settings, model, kinds: summaryKinds, subjects: sourceOf(...subjects), call };
}

/** Tries that are sent, followed by tries that reach no server. */
function neverSent({ sent = 0, tries = 1 } = {}): (prompt: SummarizerPrompt) => Promise<FakeAnswer> {
  return async ({ beforeTry }) => {
    for (let each = 0; each < sent + tries; each += 1) await beforeTry?.();
    return new MemoryError("model_unavailable", "Nobody listens.", { requests: sent });
  };
}

const day = fakeSubject("daily", "2026-03-14");
const dayBefore = fakeSubject("daily", "2026-03-13");
const week = fakeSubject("weekly", "2026-W10");
const root = fakeSubject("root", "ROOT");

function ledgerOf(test: TestMemory): readonly Record<string, unknown>[] {
  const text = test.read(".heartwood/summaries/ledger.jsonl") ?? "";
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Record<string, unknown>]));
}

describe("asking a model", () => {
  it("asks for the newest of each kind, records the answers and composes after each", async () => {
    const { requests, model, composed, test } = await ask([root, day, dayBefore, week]);
    expect(requests.map(({ label, outcome }) => `${label} ${outcome}`)).toEqual([
      "2026-03-14 accepted",
      "2026-W10 accepted",
      "ROOT accepted",
    ]);
    expect(composed).toEqual(["daily", "weekly", "root"]);
    expect(model.sent).toHaveLength(3);
    expect(model.closed).toBe(1);
    expect(test.list().filter((path) => path.startsWith(".heartwood/artifacts/answers/"))).toHaveLength(3);
    expect(
      ledgerOf(test)
        .map(({ event, label }) => `${event} ${label}`)
        .slice(0, 2),
    ).toEqual(["asked 2026-03-14", "answered 2026-03-14"]);
  });

  it("sends no request twice, whether its answer was accepted, refused or dropped", async () => {
    for (const answer of ["- fine", "bad"]) {
      const first = await ask([day, dayBefore], { answer: () => answer });
      const second = await ask([day, dayBefore], { answer: () => answer, test: first.test });
      expect(second.requests.map(({ label }) => label)).toEqual(["2026-03-13"]);
      expect((await ask([day, dayBefore], { test: second.test })).model.sent).toEqual([]);
    }
  });

  it("asks again after a refusal when the sources or the model change", async () => {
    const { test } = await ask([day], { answer: () => "bad" });
    expect((await ask([day], { test, id: "fake-1:other" })).model.sent).toHaveLength(1);
    const changed = fakeSubject("daily", "2026-03-14", { text: "what else happened" });
    expect((await ask([changed], { test })).model.sent).toHaveLength(1);
  });

  it("does not ask where another model's answer was accepted", async () => {
    const { test } = await ask([day, root]);
    const other = await ask([day, root], { test, id: "fake-1:other" });
    expect([other.requests, other.model.sent]).toEqual([[], []]);
  });

  it("keeps a refused answer separately and says why", async () => {
    const { requests, warnings, test, composed } = await ask([day], { answer: () => "bad words" });
    expect(requests[0]).toMatchObject({ outcome: "refused", error: null, findings: [{ code: "too_short" }] });
    expect(warnings.map(({ code }) => code)).toEqual(["answer_refused"]);
    expect(composed).toEqual([]);
    expect(
      test.list().filter((path) => /answers\/daily\/2026-03-14\..*\.refused-[0-9a-f]{8}\.json$/u.test(path)),
    ).toHaveLength(1);
    expect(ledgerOf(test).at(-1)).toMatchObject({ event: "answered", outcome: "refused", codes: ["too_short"] });
  });

  it("stops after a model that cannot be reached, and asks it again the next time", async () => {
    const { requests, model, test, warnings } = await ask([day, week, root], { answer: unreachable });
    expect(requests).toMatchObject([{ outcome: "failed", requests: 1, error: { code: "model_unavailable" } }]);
    expect(model.sent).toHaveLength(1);
    expect(model.closed).toBe(1);
    expect(warnings.map(({ code }) => code)).toEqual(["model_unavailable"]);
    expect((await ask([day], { test })).requests).toMatchObject([{ outcome: "accepted" }]);
  });

  it("records an answer before applying it", async () => {
    const test = openTestMemory();
    const seen: boolean[] = [];
    const accept = async (record: AnswerRecord): Promise<void> =>
      void seen.push(test.read(recordPath(record)) !== undefined);
    await ask([fakeSubject("thread", "notes.12", { accept })], { test });
    const failing = fakeSubject("thread", "notes.40", { accept: async () => Promise.reject(new Error("a fault")) });
    await expect(ask([failing], { test })).rejects.toThrow("a fault");
    await ask([fakeSubject("thread", "notes.50", { accept })], { test, answer: () => "bad" });
    expect(seen).toEqual([true]);
    expect((await ask([failing], { test })).model.sent).toEqual([]);
  });

  it("trusts a model that reports more requests than it announced", async () => {
    const { requests, spent } = await ask([day], { answer: () => ({ text: "- fine", requests: 3 }) });
    expect([requests[0]?.requests, spent.requests]).toEqual([3, 3]);
  });

  it("spends nothing on a model that no request reached, and still ends", async () => {
    const settings = { maxTokensPerDay: 200, maxRequestsPerDay: 1, maxRequestsPerRun: 2 };
    const test = openTestMemory();
    for (let run = 0; run < 3; run += 1) {
      const { requests, spent, model } = await ask([day, week], { test, settings, answer: neverSent(), tries: 0 });
      expect(requests).toMatchObject([{ outcome: "failed", requests: 0, tokens: 0 }]);
      expect(spent).toEqual({ requests: 0, tokens: 0 });
      expect(model.sent).toHaveLength(1);
    }
    expect(ledgerOf(test).at(-1)).toMatchObject({ event: "failed", requests: 0, tokens: 0 });
    expect((await ask([day], { test, settings })).requests).toMatchObject([{ outcome: "accepted" }]);
    const endless = neverSent({ tries: 9 });
    const last = await ask([week], { settings: { maxRequestsPerRun: 3 }, answer: endless, tries: 0 });
    expect(ledgerOf(last.test).filter(({ event }) => event === "asked")).toHaveLength(3);
    expect(last).toMatchObject({ requests: [{ outcome: "failed" }] });
  });

  it("counts only the tries that were sent", async () => {
    const { requests, spent, test } = await ask([day], { answer: neverSent({ sent: 2 }), tries: 0 });
    const asked = ledgerOf(test).filter(({ event }) => event === "asked");
    const each = Number(asked[0]?.["tokens"]);
    expect(asked).toHaveLength(3);
    expect(requests).toMatchObject([{ requests: 2, tokens: 2 * each }]);
    expect(spent).toEqual({ requests: 2, tokens: 2 * each });
    expect((await ask([], { test })).spent).toEqual(spent);
  });

  it("continues after a reply that is not an answer", async () => {
    const answer = ({ prompt }: { readonly prompt: string }): FakeAnswer =>
      prompt.includes("W10") ? "- fine" : new MemoryError("model_answer", "It is empty.");
    const { requests } = await ask([day, week], { answer });
    expect(requests.map(({ outcome }) => outcome)).toEqual(["failed", "accepted"]);
  });

  it("writes no error text to the ledger, since a server may repeat what it was sent", async () => {
    const echo = ({ prompt }: { readonly prompt: string }): Error => new MemoryError("model_refused", `bad: ${prompt}`);
    const { test } = await ask([day], { answer: echo });
    expect(ledgerOf(test).at(-1)).toMatchObject({ event: "failed", code: "model_refused" });
    expect(JSON.stringify(ledgerOf(test))).not.toContain("happened");
    const key = "sk-proj-Zx81kQpLm44RtYw0Hs7vBn3cDfGj6KlMnOpQrStUv";
    const told = await ask([week], { test, answer: () => new MemoryError("model_refused", `bad key ${key}`) });
    expect(JSON.stringify([told.requests, told.warnings, ledgerOf(test)])).not.toContain(key.slice(8));
  });

  it("writes nothing to the ledger about requests that were never sent", async () => {
    const { test } = await ask([]);
    const fake = createFakeSummarizer(() => "- fine");
    const summarize = async (): Promise<never> =>
      Promise.reject(new MemoryError("model_refused", "There is no key.", { requests: 0 }));
    const model = { ...fake, open: async () => ({ id: fake.id, contextTokens: 16_384, summarize }) };
    const scene = { ...what([day], {}, model), holder: "a test", compose: async () => undefined };
    const { requests } = await askAll(test.memory, scene);
    expect(requests).toMatchObject([{ outcome: "failed", requests: 0, error: { code: "model_refused" } }]);
    expect(test.list()).toEqual([]);
  });

  it("lets other processes ask afterwards, whatever the outcome", async () => {
    let held = 0;
    const release = async (): Promise<void> => void (held -= 1);
    const acquire = async (): Promise<{ readonly release: typeof release }> => {
      held += 1;
      return { release };
    };
    const test = openTestMemory({ with: { locks: { id: "counted", acquire } } });
    const heldThen: number[] = [];
    await ask([day], { test, answer: () => `- fine ${heldThen.push(held)}` });
    await ask([week], { test, answer: unreachable });
    const broken = fakeSubject("root", "ROOT", { request: async () => Promise.reject(new Error("a fault")) });
    await expect(ask([broken], { test })).rejects.toThrow("a fault");
    expect([heldThen, held]).toEqual([[1], 0]);
  });

  it("ends when aborted, with the request on the ledger", async () => {
    const controller = new AbortController();
    const { test } = await ask([]);
    const answer = (): FakeAnswer => {
      controller.abort();
      return "- late";
    };
    await expect(ask([day, week], { answer, test, signal: controller.signal })).rejects.toThrow();
    expect(ledgerOf(test).map(({ event }) => event)).toEqual(["asked", "failed"]);
    expect(test.list().some((path) => path.includes("/answers/"))).toBe(false);
  });

  it("asks nothing while another process asks, and names that process", async () => {
    const busy = new MemoryError("busy", "heartwood summaries run (process 7) is asking.");
    const locks = { id: "busy", acquire: async () => Promise.reject(busy) };
    const { requests, warnings, model } = await ask([day], { test: openTestMemory({ with: { locks } }) });
    expect(requests).toEqual([]);
    expect(model.sent).toEqual([]);
    expect(warnings).toEqual([{ code: "busy", message: expect.stringContaining("process 7") }]);
  });

  it("skips a subject whose sources changed meanwhile", async () => {
    const gone = fakeSubject("daily", "2026-03-14", {
      request: async () => Promise.reject(new MemoryError("changed_by_other", "It changed.")),
    });
    const { requests, warnings } = await ask([gone, dayBefore]);
    expect(requests.map(({ label }) => label)).toEqual(["2026-03-13"]);
    expect(warnings.map(({ code }) => code)).toEqual(["changed_by_other"]);
  });
});

describe("budgets for requests", () => {
  const days = Array.from({ length: 9 }, (_, index) => fakeSubject("daily", `2026-03-0${9 - index}`));

  it("counts each try of a run", async () => {
    const { requests, model, warnings } = await ask([day, week, root], {
      tries: 2,
      settings: { maxRequestsPerRun: 3 },
    });
    expect(model.sent).toHaveLength(3);
    expect(requests.map(({ outcome }) => outcome)).toEqual(["accepted", "failed", "no_budget"]);
    expect(warnings.map(({ code }) => code)).toEqual(["budget_spent"]);
  });

  it("counts the requests of a day across runs, and starts again the next day", async () => {
    const test = openTestMemory();
    const settings = { maxRequestsPerDay: 2 };
    for (let run = 0; run < 2; run += 1) expect((await ask(days, { test, settings })).model.sent).toHaveLength(1);
    const third = await ask(days, { test, settings });
    expect(third.model.sent).toEqual([]);
    expect(third.requests).toMatchObject([{ outcome: "no_budget", requests: 0 }]);
    expect(third.spent.requests).toBe(2);
    test.setToday("2026-03-16");
    expect((await ask(days, { test, settings })).model.sent).toHaveLength(1);
  });

  it("reserves the maximum tokens before a request, then counts what the model reports", async () => {
    const test = openTestMemory();
    const answer = (): FakeAnswer => ({ text: "- fine", tokens: { prompt: 40, answer: 2 } });
    const { spent, requests } = await ask([day], { test, answer });
    expect(spent).toEqual({ requests: 1, tokens: 42 });
    expect(requests[0]?.tokens).toBe(42);
    const most = Number(ledgerOf(test)[0]?.["tokens"]);
    const refused = await ask([dayBefore], { test, settings: { maxTokensPerDay: 42 + most - 20 } });
    expect(refused.requests).toMatchObject([{ outcome: "no_budget" }]);
    const settings = { maxTokensPerDay: 42 + Number(refused.requests[0]?.tokens) };
    expect((await ask([dayBefore], { test, settings })).requests).toMatchObject([{ outcome: "accepted" }]);
  });

  it("counts a request that never came back", async () => {
    const test = openTestMemory();
    await ask([day], { test });
    const [asked] = (test.read(".heartwood/summaries/ledger.jsonl") ?? "").split("\n");
    test.write(".heartwood/summaries/ledger.jsonl", `${asked}\n`);
    const { spent } = await ask([], { test });
    expect(spent).toEqual({ requests: 1, tokens: Number(JSON.parse(asked ?? "").tokens) });
  });

  it("previews the requests without sending or writing", async () => {
    const test = openTestMemory();
    const model = createFakeSummarizer(() => "- fine");
    const { requests, spent } = await previewAll(
      test.memory,
      what([day, week], { settings: { maxRequestsPerRun: 1 } }, model),
    );
    expect(requests.map(({ outcome, label }) => `${label} ${outcome}`)).toEqual([
      "2026-03-14 would_ask",
      "2026-W10 no_budget",
    ]);
    expect(requests[0]?.tokens).toBeGreaterThan(100);
    expect(spent.requests).toBe(0);
    expect(model.sent).toEqual([]);
    expect(test.list()).toEqual([]);
  });
});
