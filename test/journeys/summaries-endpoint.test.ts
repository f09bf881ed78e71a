import { createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { CompactResult } from "../../src/tree/run/idle.ts";
import type { StatusResult } from "../../src/operations/status.ts";
import type { LedgerResult, SummariesRunResult } from "../../src/summaries/run/inputs-and-results.ts";
import { busyDay } from "../fixtures/busy-day.ts";
import { endOf, openDesk, type Desk } from "../fixtures/built-program.ts";
import { honestSummary, type HonestInput } from "../fixtures/honest-summary.ts";
import { openModelServer, type ModelServer, type RecordedRequest } from "../fixtures/model-server.ts";

/** An endpoint on loopback and the built program in real processes: what is sent, when, and what remains when the endpoint is gone. */
const day = "2026-03-15";
const node = `memory/daily/${day}.md`;
const ledgerFile = ".heartwood/summaries/ledger.jsonl";

const open: { desks: Desk[]; servers: ModelServer[] } = { desks: [], servers: [] };
afterEach(async () => {
  for (const desk of open.desks.splice(0)) desk.remove();
  for (const server of open.servers.splice(0)) await server.close();
});

async function openScene(
  logs: Readonly<Record<string, string>> = { [`memory/${day}.md`]: busyDay(day) },
  settings: object = {},
): Promise<{ readonly desk: Desk; readonly server: ModelServer }> {
  const server = await openModelServer(honest);
  const desk = openDesk("2026-03-16", { "heartwood.config.json": "{}\n", ...logs });
  open.desks.push(desk);
  open.servers.push(server);
  desk.setSettings({
    summaries: { adapter: "openai-compatible", baseUrl: server.baseUrl, model: "stub", retries: 0, ...settings },
  });
  return { desk, server };
}

/** The answer of an honest model to a request. */
function honest({ body }: RecordedRequest): string {
  const texts = (body?.messages ?? []).map(({ content }) => content).join("\n");
  const [, , sources = ""] = /<sources (\w+)>\n([^]*?)<\/sources \1>/u.exec(texts) ?? [];
  const instructions = texts.replace(sources, "");
  const mustKeep = [...instructions.matchAll(/^\s*(?:- )?`?### (.+?) \[(user|feedback)\]/gmu)].map(
    ([, topic = "", type = ""]) => ({ topic, type }),
  );
  return honestSummary({ kind: kindOf(instructions), sources: [sources], mustKeep });
}

function kindOf(instructions: string): HonestInput["kind"] {
  if (instructions.includes("Active Context")) return "root";
  return instructions.includes("Major Decisions") ? "monthly" : "daily";
}

function sent(server: ModelServer): string {
  return server.requests.map(({ text }) => text).join("\n");
}

describe("an endpoint", () => {
  test("is asked once for a summary, never in a dry run, and is not needed to rebuild the tree", async () => {
    const { desk, server } = await openScene();
    const plan = await desk.json<CompactResult>(["compact", "--dry-run"]);
    expect(server.requests).toHaveLength(0);
    expect(plan.requests ?? []).toMatchObject((plan.requests ?? []).map(() => ({ outcome: "would_ask", requests: 0 })));
    expect(desk.files().has(ledgerFile)).toBe(false);

    const first = await desk.json<CompactResult>(["compact"]);
    expect(first.requests, JSON.stringify(first.requests)).toContainEqual(
      expect.objectContaining({ kind: "daily", label: day, outcome: "accepted", model: "openai-compatible-1:stub" }),
    );
    for (let run = 0; run < 4; run++) await desk.json<CompactResult>(["compact"]);
    const asked = server.requests.length;
    expect(asked).toBeLessThanOrEqual(3);
    expect((await desk.json<CompactResult>(["compact"])).requests ?? []).toEqual([]);
    expect(server.requests).toHaveLength(asked);
    expect(new Set(server.requests.map(({ text }) => text)).size).toBe(asked);
    expect(desk.read(node)).toMatch(/\nmade-by: answer-1\+built-in-\d+\n/);
    expect((await desk.run(["verify"])).out).toMatch(/^The tree is sound/);

    const before = desk.files("memory");
    await server.close();
    for (const path of before.keys()) if (/\/(daily|weekly|monthly)\/|ROOT\.md$/u.test(path)) desk.delete(path);
    await desk.json<CompactResult>(["compact"]);
    const derived = (files: ReadonlyMap<string, string>): readonly (readonly [string, string])[] =>
      [...files].filter(([path]) => !path.endsWith(".compaction-state.json"));
    expect(derived(desk.files("memory"))).toEqual(derived(before));
    expect((await desk.run(["verify"])).out).toMatch(/^The tree is sound.* 0 findings\.\n$/);
    const { spent, days } = await desk.json<LedgerResult>(["summaries", "ledger"]);
    expect([spent.requests, days[0]?.failed]).toEqual([asked, 0]);
  });

  test("is asked about one day per run, newest first, and a dry run says which", async () => {
    const { desk, server } = await openScene({
      "memory/2026-03-14.md": busyDay("2026-03-14", 300),
      [`memory/${day}.md`]: busyDay(day),
    });
    const first = await desk.json<CompactResult>(["compact"]);
    expect(first.requests).toMatchObject([{ kind: "daily", label: day, outcome: "accepted" }]);
    const before = desk.files();
    const plan = await desk.json<CompactResult>(["compact", "--dry-run"]);
    expect(plan.requests).toMatchObject([{ label: "2026-03-14", outcome: "would_ask", requests: 0 }]);
    const run = await desk.run(["summaries", "run", "--dry-run"]);
    expect(run.out).toMatch(
      /^Would ask openai-compatible-1:stub for 1 summary, at most [\d,]+ tokens\. Nothing was sent\.\n/,
    );
    expect([server.requests.length, desk.files()]).toEqual([1, before]);
    const second = await desk.json<CompactResult>(["compact"]);
    expect(second.requests?.[0]).toMatchObject({ label: "2026-03-14", outcome: "accepted" });
  });

  test("is asked for the summary of a thread only by `summaries run`, and the next context contains it", async () => {
    const { desk, server } = await openScene({});
    const by = ["--actor", "user", "--origin", "cli"];
    await desk.json(["thread", "create", "--id", "talk"]);
    const said = Array.from({ length: 40 }, (_, at) => `- decision: shelf ${at} goes to the north hall, row ${at * 3}`);
    const lines = said.map((content) => `${JSON.stringify({ content })}\n`).join("");
    await desk.json(["thread", "append", "talk", ...by, "--batch"], { stdin: lines });
    await desk.json(["thread", "compact", "talk", "--stride-messages", "20", ...by]);
    await desk.json<CompactResult>(["compact"]);
    expect(server.requests).toHaveLength(0);
    server.answer("- the north hall has shelf 3 in row 9\n- #12 user: shelf 11 goes to the north hall, row 33\n");
    const { requests } = await desk.json<SummariesRunResult>(["summaries", "run"]);
    expect(requests).toMatchObject([{ kind: "thread", outcome: "accepted" }]);
    expect((await desk.json<SummariesRunResult>(["summaries", "run"])).requests).toEqual([]);
    expect(server.requests).toHaveLength(1);
    const context = await desk.run([
      "thread",
      "compile",
      "talk",
      "--strategy",
      "summaries_recent_messages_v1",
      "--budget",
      "600",
    ]);
    expect([context.status, context.out]).toEqual([0, expect.stringContaining("the north hall has shelf 3 in row 9")]);
    expect((await desk.run(["thread", "verify"])).status).toBe(0);
  });

  test("that is unreachable uses up its requests, and the tree is built without it", async () => {
    const { desk, server } = await openScene();
    await server.close();
    const { requests, written } = await desk.json<CompactResult>(["compact"]);
    expect(requests?.[0]).toMatchObject({ outcome: "failed", error: { code: "model_unavailable" } });
    expect(written.map(({ path }) => path)).toContain(node);
    expect((await desk.run(["verify"])).status).toBe(0);
    const run = await desk.run(["summaries", "run"]);
    expect([run.status, run.out]).toEqual([3, expect.stringContaining("model_unavailable")]);
  });

  test("that invents facts is refused, and not asked again for the same node", async () => {
    const { desk, server } = await openScene();
    const body =
      "- On 2031-07-19 Priya Raghunathan moved 48,213 invoices to /srv/zeta/q9.db (ticket ZX-99182)\n".repeat(9);
    server.answer(
      `## Topics\n- Zeta: move\n\n## User and Feedback\n### Short answers [feedback]\n\n## Key Decisions\n${body}`,
    );
    const { requests } = await desk.json<CompactResult>(["compact"]);
    const daily = requests?.find(({ kind }) => kind === "daily");
    expect([daily?.outcome, daily?.findings.map(({ code }) => code)]).toEqual([
      "refused",
      expect.arrayContaining(["ungrounded"]),
    ]);
    expect(desk.read(node)).not.toContain("Zeta");
    const count = server.requests.filter(({ text }) => text.includes("token bucket")).length;
    const again = await desk.json<CompactResult>(["compact"]);
    expect(again.requests?.some(({ kind }) => kind === "daily") ?? false).toBe(false);
    expect(server.requests.filter(({ text }) => text.includes("round 100 ")).length).toBeLessThanOrEqual(count);
  });

  test("gets no secret in a log, and none is recorded", async () => {
    const secrets = [
      `gh${"p_"}${"a1B2c3D4e5F6".repeat(3)}`,
      `AK${"IA"}Q3EGRZ7TLBVNWXK2`,
      `sk-${"ant-api03-"}${"Zk9wQ2xLmT7r".repeat(4)}`,
      `xox${"b-"}123456789012-123456789012-AbCdEfGhIjKlMnOpQrStUvWx`,
      "hunter2-Correct-Horse",
    ];
    const lines = [
      `- decision: the token ${secrets[0]} goes into the vault`,
      `- aws_access_key_id = ${secrets[1]}`,
      `- the model key was ${secrets[2]}`,
      `- open: revoke ${secrets[3]}`,
      `- password: ${secrets[4]}`,
      `- postgres://app:${secrets[4]}@db.internal:5432/ledger`,
    ];
    const { desk, server } = await openScene({
      [`memory/${day}.md`]: `${busyDay(day)}\n## Keys [project]\n${lines.join("\n")}\n`,
    });
    await desk.json<CompactResult>(["compact"]);
    expect(server.requests.length).toBeGreaterThan(0);
    const kept = [...desk.files(".heartwood")].filter(([path]) => /answers|summaries/u.test(path));
    const everything = sent(server) + kept.map(([path, text]) => path + text).join("\n") + desk.read(node);
    for (const secret of secrets) expect(everything).not.toContain(secret);
  });

  test("named by a project is refused, and nothing is sent", async () => {
    const { desk, server } = await openScene();
    for (const summaries of [
      { adapter: "openai-compatible", baseUrl: server.baseUrl, model: "x" },
      { baseUrl: server.baseUrl },
      { adapter: "openai-compatible" },
      { keyFile: "/etc/passwd" },
    ]) {
      desk.write("heartwood.config.json", JSON.stringify({ summaries }));
      const { error } = await desk.json<{ readonly error: { readonly code: string } }>(["compact"], { status: 2 });
      expect([JSON.stringify(summaries), error.code]).toEqual([JSON.stringify(summaries), "invalid_config"]);
    }
    expect(server.requests).toHaveLength(0);
  });

  test("is not asked if the project disables it", async () => {
    const { desk, server } = await openScene();
    desk.write("heartwood.config.json", '{ "summaries": { "adapter": "off" } }\n');
    const { requests } = await desk.json<CompactResult>(["compact"]);
    expect([requests ?? [], server.requests.length]).toEqual([[], 0]);
    const run = await desk.json<SummariesRunResult>(["summaries", "run"]);
    expect([run.requests, server.requests.length]).toEqual([[], 0]);
    expect(desk.read(node)).toContain("\nstatus: fixed\n");
  });

  test("is not asked if a budget is used up, and the run says so", async () => {
    const { desk, server } = await openScene(undefined, { maxTokensPerDay: 100 });
    const { requests } = await desk.json<CompactResult>(["compact"]);
    expect([requests?.[0]?.outcome, server.requests.length]).toEqual(["no_budget", 0]);
    const lowered = await openScene();
    lowered.desk.write("heartwood.config.json", '{ "summaries": { "maxRequestsPerDay": 0 } }\n');
    await lowered.desk.json<CompactResult>(["compact"]);
    expect(lowered.server.requests).toHaveLength(0);
  });
});

describe("a run killed while a model answers", () => {
  test("counts against the budget, and the next one completes", async () => {
    const { desk, server } = await openScene();
    server.answer({ fault: "never_headers" });
    const child = desk.start(["compact", "--json"]);
    const ended = endOf(child);
    const until = Date.now() + 600_000;
    while (server.requests.length === 0 && Date.now() < until) await new Promise((done) => setTimeout(done, 20));
    expect(server.requests).toHaveLength(1);
    child.kill("SIGKILL");
    await ended;
    const status = await desk.json<StatusResult>(["status"]);
    expect(status.summaries.spent.requests).toBe(1);
    expect(status.summaries.spent.tokens).toBeGreaterThan(100);
    expect((await desk.run(["verify"])).status).toBe(0);
    server.answer(honest);
    const next = await desk.json<CompactResult>(["compact"]);
    expect(next.requests?.[0]).toMatchObject({ kind: "daily", outcome: "accepted" });
    expect((await desk.run(["verify"])).status).toBe(0);
    const { spent } = await desk.json<LedgerResult>(["summaries", "ledger"]);
    expect(spent.requests).toBe(server.requests.length);
  });

  test("ends immediately on SIGTERM, with nothing half recorded", async () => {
    const { desk, server } = await openScene();
    server.answer({ fault: "never_headers" });
    const child = desk.start(["compact", "--json"]);
    const ended = endOf(child);
    const until = Date.now() + 600_000;
    while (server.requests.length === 0 && Date.now() < until) await new Promise((done) => setTimeout(done, 20));
    child.kill("SIGTERM");
    expect((await ended).status).toBe(143);
    expect([...desk.files().keys()].filter((path) => path.includes("answers/"))).toEqual([]);
    expect((await desk.run(["verify"])).status).toBe(0);
  });
});

test("a server that never answers blocks nothing longer than its time-out", async () => {
  const { desk } = await openScene();
  const silent = createServer();
  await new Promise<void>((done) => void silent.listen(0, "127.0.0.1", done));
  const { port } = silent.address() as { readonly port: number };
  const settings = { adapter: "openai-compatible", baseUrl: `http://127.0.0.1:${port}/v1`, model: "stub" };
  desk.setSettings({ summaries: { ...settings, retries: 0, timeoutSeconds: 1 } });
  const { requests } = await desk.json<CompactResult>(["compact"]);
  expect(requests?.[0]).toMatchObject({ outcome: "failed", error: { code: "model_unavailable" } });
  silent.close();
});
