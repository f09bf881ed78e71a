import { dirname, join } from "node:path";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import type { CompactResult } from "../../src/tree/run/idle.ts";
import type { StatusResult } from "../../src/operations/status.ts";
import type { TraceResult } from "../../src/tree/inspect/trace-places.ts";
import type { PendingResult, SubmitResult } from "../../src/summaries/run/inputs-and-results.ts";
import { busyDay } from "../fixtures/busy-day.ts";
import { startRaw, textOf } from "../mcp/raw.ts";
import { endOf, openDesk, type Desk } from "../fixtures/built-program.ts";

/** The agent in the conversation is the model: jobs and answers through the built program, in real processes. */
const agent = join(dirname(fileURLToPath(import.meta.url)), "..", "fixtures", "summary-agent.ts");
const day = "2026-03-15";
const log = `memory/${day}.md`;
const node = `memory/daily/${day}.md`;
const answers = ".heartwood/artifacts/answers";

const desks: Desk[] = [];
afterAll(() => {
  for (const desk of desks) desk.remove();
});

/** A project set to `pull`, with one long past day, compacted once. */
async function openProject(): Promise<Desk> {
  const desk = openDesk("2026-03-16", {
    "heartwood.config.json": '{ "summaries": { "adapter": "pull" } }\n',
    [log]: busyDay(day),
  });
  desks.push(desk);
  await desk.json<CompactResult>(["compact"]);
  return desk;
}

async function jobOf(desk: Desk, kind = "daily"): Promise<PendingResult> {
  const pending = await desk.json<PendingResult>(["summaries", "pending", "--kind", kind]);
  expect(pending.jobs, JSON.stringify(pending)).toHaveLength(1);
  return pending;
}

async function answered(pending: PendingResult): Promise<string> {
  const { status, out, err } = await endOf(spawn(process.execPath, [agent]), JSON.stringify(pending));
  expect([status, err]).toEqual([0, ""]);
  return out;
}

function records(desk: Desk): readonly string[] {
  return [...desk.files().keys()].filter((path) => path.startsWith(answers));
}

describe("an agent writes a summary", () => {
  test("from a job, and the node, ROOT.md and a trace contain it", async () => {
    const desk = await openProject();
    const before = desk.read(node);
    expect(before).toContain("\nstatus: tentative\n");
    const pending = await jobOf(desk);
    const [job] = pending.jobs;
    expect(job).toMatchObject({ period: day, state: "due", cut: null });
    expect(job?.must_keep).toMatchObject([{ topic: "Short answers", type: "feedback" }]);
    expect(job?.tokens).toBeGreaterThan(100);
    const id = job?.job_id ?? "";
    const submit = ["summaries", "submit", id, "--file", "-", "--by", "test-agent"];
    const taken = await desk.json<SubmitResult>(submit, { stdin: await answered(pending) });
    expect(taken).toMatchObject({ job_id: id, state: "accepted", late: false });
    expect(records(desk)).toEqual([taken.path]);

    await desk.json<CompactResult>(["compact"]);
    const after = desk.read(node);
    expect(after).toMatch(/\nmade-by: answer-1\+built-in-\d+\n/);
    expect(after).toMatch(/\nmodel: pull\n/);
    expect(after).toContain("\nstatus: fixed\n");
    const decision = after.split("\n").find((line) => line.includes("token bucket at the gateway"));
    expect(decision).toMatch(
      /^- Rate limiting: token bucket at the gateway, bursts of 40 requests must pass \(.*~03-15:\d+/,
    );
    expect(after).toContain(
      "### Short answers [feedback] (03-15:3-6)\n- rule: answer in three sentences\n- why: reads on a phone\n",
    );

    const trace = await desk.json<TraceResult>(["trace", "Rate limiting"]);
    expect(trace.raw.map(({ text }) => text).join("")).toContain("token bucket at the gateway");
    expect((await desk.run(["verify"])).status).toBe(0);
    const again = await desk.json<SubmitResult>(submit, { stdin: "anything at all" });
    expect(again).toMatchObject({ state: "known", path: null });
    expect((await desk.json<CompactResult>(["compact"])).written).toEqual([]);
  });

  test("for a job whose sources have changed, and nothing is recorded", async () => {
    const desk = await openProject();
    const pending = await jobOf(desk);
    desk.write(log, `${desk.read(log)}- the gateway was moved to Porto\n`);
    const submit = ["summaries", "submit", pending.jobs[0]?.job_id ?? "", "--file", "-"];
    const text = await answered(pending);
    const { error } = await desk.json<{ readonly error: Readonly<Record<string, unknown>> }>(submit, {
      status: 2,
      stdin: text,
    });
    expect(error["code"]).toBe("job_stale");
    expect(records(desk)).toEqual([]);
    const told = await desk.run(submit, text);
    expect([told.status, told.out]).toEqual([2, ""]);
    expect(told.err).toMatch(/^heartwood: [^\n]+\.\n$/);
    expect(told.err).toContain("heartwood compact");
    await desk.json<CompactResult>(["compact"]);
    const next = (await jobOf(desk)).jobs[0]?.job_id ?? "";
    expect(next).not.toBe(pending.jobs[0]?.job_id);
    const later = await desk.run(submit, text);
    expect([later.status, later.err]).toEqual([2, expect.stringContaining(next)]);
    expect(records(desk)).toEqual([]);
  });

  test("for an unknown job and is refused", async () => {
    const desk = await openProject();
    for (const id of ["daily-2026-03-15", "daily-2026-03-14-00000000", "yearly-2026-00000000", "../x"]) {
      const { error } = await desk.json<{ readonly error: { readonly code: string } }>(
        ["summaries", "submit", id, "--file", "-"],
        { status: 2, stdin: "text" },
      );
      expect([id, error.code]).toEqual([id, "job_not_found"]);
    }
  });
});

describe("a refused answer", () => {
  test("is reported with its reasons and status 1, is kept aside, and the built-in summary stays", async () => {
    const desk = await openProject();
    const before = desk.read(node);
    const pending = await jobOf(desk);
    const id = pending.jobs[0]?.job_id ?? "";
    const wrong = (await answered(pending)).replace(/### Short answers \[feedback\]\n/u, "");
    const { status, out, err } = await desk.run(["summaries", "submit", id, "--file", "-"], wrong);
    expect([status, err]).toEqual([1, ""]);
    expect(out).toMatch(/^Refused daily-2026-03-15-[0-9a-f]{8}: 1 error/);
    expect(out).toMatch(/error .*Short answers.*\(entry_missing\)/);
    expect(records(desk)).toMatchObject([
      expect.stringMatching(/\/daily\/2026-03-15\.\w{16}\.\w{16}\.refused-\w{8}\.json$/),
    ]);
    await desk.json<CompactResult>(["compact"]);
    const [, body] = before.split("\n---\n");
    expect(desk.read(node).split("\n---\n")[1]).toBe(body);
    expect((await desk.run(["verify"])).status).toBe(0);
  });

  test.each([
    ["too_short", () => "no"],
    ["front_matter", (good: string) => `---\na: b\n---\n${good}`],
    ["missing_section", (good: string) => good.replace("## Topics", "## Notes")],
    ["secret", (good: string) => `${good}\n## Notes\n- the key is gh${"p_"}${"a1B2c3D4e5F6".repeat(3)}\n`],
    ["markup", (good: string) => `${good}\n## Notes\n- seen <!-- hidden --> in the log of the gateway\n`],
    ["too_long", (good: string) => good + "- the gateway was measured in round 1\n".repeat(2_000)],
  ])("can be refused for %s; a corrected one is accepted", async (code, spoil) => {
    const desk = await openProject();
    const pending = await jobOf(desk);
    const submit = ["summaries", "submit", pending.jobs[0]?.job_id ?? "", "--file", "-"];
    const good = await answered(pending);
    const refused = await desk.json<SubmitResult>(submit, { status: 1, stdin: spoil(good) });
    expect(refused.state).toBe("refused");
    expect(refused.findings.filter(({ severity }) => severity === "error").map((one) => one.code)).toContain(code);
    expect([...desk.files(answers).values()].join("")).not.toContain(`gh${"p_"}a1B2`);
    expect((await desk.json<PendingResult>(["summaries", "pending"])).jobs).not.toMatchObject([{ kind: "daily" }]);
    const again = await desk.json<PendingResult>(["summaries", "pending", "--job", pending.jobs[0]?.job_id ?? ""]);
    expect(again.jobs[0]?.refused).toContain(code);
    expect((await desk.json<SubmitResult>(submit, { stdin: good })).state).toBe("accepted");
  });
});

describe("waiting", () => {
  test("ends after three runs, and a later answer is offered for reopening", async () => {
    const desk = await openProject();
    const pending = await jobOf(desk);
    const status = await desk.json<StatusResult>(["status"]);
    expect(status.summaries).toMatchObject({ adapter: "pull", waiting: [{ path: node, runs: 1 }] });
    for (let run = 0; run < 3; run++) await desk.json<CompactResult>(["compact"]);
    expect(desk.read(node)).toContain("\nstatus: fixed\n");
    const fixed = desk.read(node);
    const late = await desk.json<SubmitResult>(["summaries", "submit", pending.jobs[0]?.job_id ?? "", "--file", "-"], {
      stdin: await answered(pending),
    });
    expect(late).toMatchObject({ state: "accepted", late: true, next: `heartwood compact --reopen ${day}` });
    await desk.json<CompactResult>(["compact"]);
    expect(desk.read(node)).toBe(fixed);
    const { out } = await desk.run(["status"]);
    expect(out).toContain(`heartwood compact --reopen ${day}`);
    await desk.json<CompactResult>(["compact", "--reopen", day]);
    expect(desk.read(node)).toMatch(/\nmade-by: answer-1\+/);
    expect((await desk.run(["verify"])).status).toBe(0);
  });

  test("does not begin if nothing is configured", async () => {
    const desk = openDesk("2026-03-16", { [log]: busyDay(day) });
    desks.push(desk);
    await desk.json<CompactResult>(["compact"]);
    expect(desk.read(node)).toContain("\nstatus: fixed\n");
    expect([...desk.files().keys()].filter((path) => /answers|summaries/u.test(path))).toEqual([]);
    expect((await desk.run(["status"])).out).not.toContain("Summaries by");
  });
});

test("dropping an answer restores the built-in summary", async () => {
  const desk = await openProject();
  const before = desk.read(node).split("\n---\n")[1];
  const pending = await jobOf(desk);
  const id = pending.jobs[0]?.job_id ?? "";
  await desk.json(["summaries", "submit", id, "--file", "-"], { stdin: await answered(pending) });
  const { out } = await desk.run(["summaries", "drop", id]);
  expect(out).toMatch(/^Dropped the answer to daily-2026-03-15-/);
  await desk.json<CompactResult>(["compact"]);
  expect(desk.read(node).split("\n---\n")[1]).toBe(before);
  expect((await desk.run(["verify"])).status).toBe(0);
});

describe("an agent whose user installed it with --summaries pull", () => {
  /** The entries of Claude Code's list of servers. */
  interface Servers {
    readonly mcpServers: { readonly heartwood: { readonly command: string; readonly args: readonly string[] } };
  }

  test("is told of a summary, gets it as a job, submits it over MCP, and the next run uses it; uninstall restores every byte", async () => {
    const desk = openDesk("2026-03-16", { [log]: busyDay(day) });
    desks.push(desk);
    const own = '// mine\n{\n  "qmd": "off", // for now\n}\n';
    desk.write("../config/heartwood/config.json", own);
    const before = desk.files("..");
    const install = ["install", "claude-code", "--summaries", "pull"];
    const shown = await desk.run([...install, "--dry-run"]);
    expect(shown.out).toContain('+  "summaries": {');
    expect(desk.files("..")).toEqual(before);
    expect(await desk.run([...install, "--yes"])).toMatchObject({ status: 0, err: "" });
    const settings = desk.read("../config/heartwood/config.json");
    expect(settings).toContain('"qmd": "off", // for now');
    expect(settings).toMatch(/"adapter": "pull"/u);

    for (const words of [["init"], ["trust"]]) expect(await desk.run(words)).toMatchObject({ status: 0 });
    await desk.json<CompactResult>(["compact"]);
    const { command, args } = (JSON.parse(desk.read("../.claude.json")) as Servers).mcpServers.heartwood;
    // After a compaction, a hook starts no background work; and it has all the time it needs.
    const startOf = async (session: string): Promise<string> => {
      const env = { ...desk.env, HEARTWOOD_HOOK_MS: "600000" };
      const hook = spawn(command, ["hook", "claude-code", "session-start"], { cwd: desk.project, env });
      const input = { session_id: session, cwd: desk.project, source: "compact" };
      return (await endOf(hook, JSON.stringify(input))).out;
    };
    const told = "\\n1 summary can be written: memory_summaries (skill heartwood-compaction)";
    expect(await startOf("first")).toContain(told);

    const server = await startRaw(desk.project, { command: [command, ...args], env: desk.env });
    const { tools } = (await server.ask("tools/list")).result as {
      readonly tools: readonly { readonly name: string }[];
    };
    expect(tools.map(({ name }) => name)).toEqual([
      "memory_recall",
      "memory_search",
      "memory_read",
      "memory_log",
      "memory_summaries",
    ]);
    const allowed = (
      JSON.parse(desk.read("../.claude/settings.json")) as { readonly permissions: { readonly allow: unknown } }
    ).permissions.allow;
    expect(allowed).toEqual(tools.map(({ name }) => `mcp__heartwood__${name}`));
    const pending = textOf(await server.call("memory_summaries", { action: "pending" }));
    const { jobs } = JSON.parse(pending) as PendingResult;
    const [job] = jobs;
    expect(jobs).toMatchObject([{ kind: "daily", period: day }]);
    const answer = await answered({ jobs } as PendingResult);
    const taken = textOf(
      await server.call("memory_summaries", { action: "submit", job: job?.job_id, answer, by: "raw" }),
    );
    expect(JSON.parse(taken)).toMatchObject({ job_id: job?.job_id, state: "accepted", findings: [] });
    server.hangUp();
    expect(await server.ended).toEqual({ code: 0 });
    expect(records(desk)).toHaveLength(1);

    expect(await startOf("second")).not.toContain("can be written");
    // What the hook at the end of a session starts.
    await desk.run(["hook", "claude-code", "captured", desk.project, "session", "second", ""]);
    expect(desk.read(node)).toMatch(/\nmodel: pull\n/u);
    expect(desk.read(node)).toContain("token bucket at the gateway");

    expect(await desk.run(["uninstall", "claude-code", "--yes"])).toMatchObject({ status: 0, err: "" });
    const after = desk.files("..");
    for (const [path, text] of before) expect([path, after.get(path)]).toEqual([path, text]);
    expect([...after.keys()].filter((path) => path.startsWith("../.claude"))).toEqual([]);
  });
});
