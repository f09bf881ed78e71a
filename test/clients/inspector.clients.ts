import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientProgram } from "./clients.ts";
import { HEARTWOOD, LOGGED, makeScratch, runClient, type FilledScratch, type Ran } from "./scratch.ts";
import { whyNot } from "./where.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The official MCP inspector checks the server's answers, including errors, by its own rules. */
describe.skipIf(whyNot("inspector") !== undefined)("the inspector's command line, with the built server", () => {
  let scratch: FilledScratch;
  beforeAll(() => void (scratch = makeScratch("claude-code")));
  afterAll(() => scratch.remove());

  const asked = (...words: readonly string[]): Promise<Ran> => {
    const inspector = clientProgram("inspector") ?? "";
    const server = [process.execPath, HEARTWOOD, "mcp", "--dir", scratch.project];
    return runClient(scratch, [process.execPath, inspector, "--cli", ...server, ...words], {}, 60);
  };
  const answered = async (...words: readonly string[]): Promise<Fields> => {
    const ran = await asked(...words);
    expect(ran.status, ran.err).toBe(0);
    return JSON.parse(ran.out) as Fields;
  };
  const called = (tool: string, ...pairs: readonly string[]): Promise<Fields> =>
    answered("--method", "tools/call", "--tool-name", tool, ...pairs.flatMap((pair) => ["--tool-arg", pair]));

  test("lists four tools, and finds nothing in their schemas that a client could refuse", async () => {
    const { out, err, status } = await asked("--method", "tools/list", "--strict");
    expect(status, err).toBe(0);
    const { tools } = JSON.parse(out) as { readonly tools: readonly Fields[] };
    expect(tools.map(({ name }) => name)).toEqual("recall search read log".split(" ").map((word) => `memory_${word}`));
    for (const tool of tools) {
      expect(tool["inputSchema"]).toMatchObject({ type: "object" });
      expect(tool["outputSchema"]).toBe(undefined);
      expect(tool["annotations"]).toMatchObject({ destructiveHint: false });
    }
    expect(err).not.toMatch(/^(?:Warning|Error)/mu);
  });

  test("calls memory_recall, and accepts its text", async () => {
    const recall = await called("memory_recall", "text=What is the pump in hall four called?");
    expect(JSON.stringify(recall["content"])).toContain(LOGGED);
    expect(recall["structuredContent"]).toBe(undefined);
  });

  test("shows our error message for an invalid call", async () => {
    const ran = await asked("--method", "tools/call", "--tool-name", "memory_search", "--tool-arg", "colour=red");
    expect(`${ran.out}${ran.err}`).toContain('memory_search has no field \\"colour\\"');
    expect(`${ran.out}${ran.err}`).toContain("(usage)");
  });

  test("lists and reads the resources", async () => {
    expect(await answered("--method", "resources/list")).toMatchObject({ resources: [{ uri: "heartwood://root" }] });
    const templates = await answered("--method", "resources/templates/list");
    expect(JSON.stringify(templates)).toContain("heartwood://node/{period}");
    const root = await answered("--method", "resources/read", "--uri", "heartwood://root");
    expect(root).toMatchObject({ contents: [{ uri: "heartwood://root", mimeType: "text/markdown" }] });
    expect(JSON.stringify(root)).toContain(scratch.rootLine.slice(0, 20));
  });
});
