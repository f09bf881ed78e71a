import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RecallResult } from "../../src/recall/search/inputs-and-results.ts";
import { openDesk, type Desk } from "../fixtures/built-program.ts";
import { chooserFiles, plantMessage, topicsIn } from "../fixtures/chooser-scene.ts";
import { completion, openModelServer, type ModelServer } from "../fixtures/model-server.ts";

/** The built program, as a process, against an endpoint over real HTTP. */
const dist = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "dist");
const key = "k9Xq2vLm8Rt4Zw7Bn1";
const secret = `gh${"p_"}${"a1B2c3D4e5F6".repeat(3)}`;

let desk: Desk;
let server: ModelServer;
beforeEach(async () => {
  desk = openDesk("2026-03-15", chooserFiles);
  server = await openModelServer((request) => ({
    body: completion(`${topicsIn(request.body?.messages[1]?.content ?? "").get("greenery")}`),
  }));
});
afterEach(async () => {
  desk.remove();
  await server.close();
});

function nameChooser(more: object = {}): void {
  const chooser = { adapter: "openai-compatible", baseUrl: server.baseUrl, model: "small" };
  desk.setSettings({ recall: { chooser, ...more } });
}

async function recall(text = plantMessage): Promise<RecallResult> {
  return desk.json<RecallResult>(["recall", text, "--explain"]);
}

function notesOf({ steps }: RecallResult): readonly string[] {
  return steps.find(({ step }) => step === "manifest")?.notes ?? [];
}

describe("with a chooser in the user's own settings", () => {
  test("recall asks once, returns what was chosen, and uses the record when the endpoint is gone", async () => {
    nameChooser();
    const first = await recall();
    expect(notesOf(first)[0]).toBe("asked openai-compatible-1:small: chose 2026-02 greenery");
    expect(first.context[0]?.source).toMatch(/^memory\/2026-02-03\.md:/u);
    expect(server.requests.map(({ url, body }) => [url, body?.max_tokens])).toEqual([["/v1/chat/completions", 256]]);
    await server.close();
    const again = await recall();
    expect(notesOf(again)[0]).toBe("chosen before by openai-compatible-1:small: 2026-02 greenery");
    expect([again.context, again.warnings]).toEqual([first.context, []]);
    const other = await recall("Another message?");
    expect(other.warnings).toMatchObject([{ code: "chooser_failed" }]);
  });

  test("its other words are searched for, are notes of the step, and are kept with the choice", async () => {
    const registration = ({ context }: RecallResult): readonly string[] =>
      context.flatMap(({ text }) => (text.includes("registration number") ? text : []));
    expect(registration(await recall("Do the bills need anything?"))).toEqual([]);
    nameChooser();
    server.answer("0\nregistration, zorbulate, shop");
    const first = await recall("Do the bills need anything?");
    expect(registration(first)).not.toEqual([]);
    expect(first.query).toBe("Do the bills need anything?");
    expect(notesOf(first)).toEqual(expect.arrayContaining(["+registration", "+zorbulate", "+shop"]));
    await server.close();
    expect((await recall("Do the bills need anything?")).context).toEqual(first.context);
  });

  test("it is asked once for a message, whatever other words the caller gives", async () => {
    nameChooser();
    await desk.json(["recall", plantMessage, "--also", "plants, vacation"]);
    await desk.json(["recall", plantMessage, "--also", "plants, leave"]);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.text).not.toContain("vacation");
  });

  test("status and the ledger show what it cost, search asks no model, and git ignores all of it", async () => {
    nameChooser();
    await recall();
    await desk.run(["search", "flowers"]);
    expect(server.requests).toHaveLength(1);
    expect((await desk.run(["status"])).out).toMatch(
      /Recall nodes chosen by openai-compatible-1:small\n\s+Today\s+1 of 20 requests, 160 of 100,000 tokens/u,
    );
    expect((await desk.run(["summaries", "ledger"])).out).toContain("choice recall");
    spawnSync("git", ["init", "-q"], { cwd: desk.project });
    const seen = spawnSync("git", ["status", "--porcelain", "-uall"], { cwd: desk.project, encoding: "utf8" });
    expect(seen.stdout).toContain("memory/2026-02-03.md");
    expect(seen.stdout).not.toMatch(/\.heartwood\/(?:recall|summaries)/u);
  });

  test.each<readonly [string, Parameters<ModelServer["answer"]>[0]]>([
    ["words", "I would look at number 1."],
    ["invalid JSON", { body: "<html>Welcome</html>" }],
    ["401", { status: 401, body: { error: { message: `no, ${key}` } } }],
    ["429", { status: 429, headers: { "retry-after": "3600" } }],
    ["a cut connection", { fault: "in_body", body: completion("1") }],
    ["silence", { fault: "never_headers" }],
    ["an answer without an end", { fault: "never_ends", body: completion("1") }],
  ])("%s is a warning within the time limit, and recall matches words only", async (_, scripted) => {
    nameChooser({ timeoutSeconds: 3 });
    server.answer(scripted);
    const result = await recall("What number did the shop want?");
    expect(result.warnings.map(({ code }) => code)).toEqual(["chooser_failed"]);
    expect(result.context[0]?.source).toMatch(/^memory\/2026-02-10\.md:/u);
    expect(server.requests).toHaveLength(1);
    const { lines } = await desk.json<{ lines: readonly { event: string }[] }>(["summaries", "ledger"]);
    expect(lines.map(({ event }) => event)).toEqual([_ === "words" ? "answered" : "failed", "asked"]);
  });

  test("no secret in the message reaches the endpoint or the disk, and the key is only in its header", async () => {
    const chooser = {
      adapter: "openai-compatible",
      baseUrl: server.baseUrl,
      model: "small",
      keyFile: `${desk.project}/key`,
    };
    desk.write("key", `${key}\n`);
    desk.setSettings({ recall: { chooser } });
    const { out, err } = await desk.run(["recall", `Which flowers go with ${secret}?`, "--json"]);
    expect(server.requests[0]?.headers["authorization"]).toBe(`Bearer ${key}`);
    const texts = [server.requests[0]?.text, out, err, ...desk.files(".heartwood").values()];
    expect(texts.filter((text) => text?.includes(secret) === true || text?.includes(key) === true)).toEqual([]);
  });
});

test("a chooser in project settings is refused, and nothing is sent", async () => {
  const chooser = { adapter: "openai-compatible", baseUrl: server.baseUrl, model: "small" };
  desk.write("heartwood.config.json", JSON.stringify({ recall: { chooser } }));
  const { status, err } = await desk.run(["recall", plantMessage]);
  expect([status, server.requests]).toEqual([2, []]);
  expect(err).toContain("own settings");
});

describe("without the setting", () => {
  const copied = realpathSync(mkdtempSync(join(tmpdir(), "heartwood-without-")));
  // Replaces everything that a request needs with code that fails.
  const marks = [`"choice-prompt-2"`, `"chat/completions"`];
  const failing = `(()=>{throw new Error("code of requests was called")})()`;
  beforeAll(() => {
    cpSync(dist, join(copied, "dist"), { recursive: true });
    cpSync(join(dist, "..", "package.json"), join(copied, "package.json"));
    rmSync(join(copied, "dist", ".compiled"), { recursive: true, force: true });
    const path = join(copied, "dist", "program.cjs");
    // A long line is wrapped, even inside a string.
    const text = readFileSync(path, "utf8").replaceAll("\\\n", "");
    const changed = marks.reduce((made, mark) => made.replaceAll(mark, failing), text);
    expect(changed.split("code of requests was called")).toHaveLength(3);
    writeFileSync(path, changed);
  });
  afterAll(() => rmSync(copied, { recursive: true }));

  test("recall works in a program in which all code that asks or chooses is replaced by errors", async () => {
    const env = { PATH: process.env["PATH"], HOME: desk.project, XDG_CONFIG_HOME: join(desk.project, "none") };
    const args = [join(copied, "dist", "bin.js"), "recall", "What number did the shop want?"];
    const run = (settings: string): ReturnType<typeof spawnSync> =>
      spawnSync(process.execPath, args, { cwd: desk.project, env: { ...env, XDG_CONFIG_HOME: settings } });
    const alone = run(join(desk.project, "none"));
    expect([alone.status, String(alone.stderr)]).toEqual([0, ""]);
    expect(String(alone.stdout)).toContain("registration number");
    expect([...desk.files(".heartwood").keys()].filter((path) => /recall|summaries/u.test(path))).toEqual([]);
    // With the setting, the same program fails, which shows that the replaced code is the code that asks.
    nameChooser();
    expect(run(join(dirname(desk.project), "config")).status).not.toBe(0);
    expect(server.requests).toEqual([]);
  });
});
