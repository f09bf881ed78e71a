import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { logs } from "../mcp/served.ts";
import { fire, heartwood, projectWith, type Project } from "./fired.ts";
import { shapes } from "./shapes.ts";

/** The built program, started as each client starts it. */
let project: Project;
beforeAll(() => {
  project = projectWith({ ...logs, "WORKING.md": "# Working\n\n## Limiter\n- next: measure refused requests\n" });
  heartwood(project, "compact");
  heartwood(project, "index");
});
afterAll(() => project.remove());

const text = { type: "string", minLength: 1 };

function object(properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/** What goes to standard output for each client; Codex refuses keys that it does not know. */
function schemaOf(client: string, name: string): Readonly<Record<string, unknown>> {
  if (client === "copilot") return object({ additionalContext: text });
  if (client === "cursor") return object({ additional_context: text });
  return object({ hookSpecificOutput: object({ hookEventName: { const: name }, additionalContext: text }) });
}

/** The text for the model, out of what was printed; refuses what the client would. */
function contextOf(client: string, name: string, stdout: string): string {
  if (client === "opencode" || client === "openclaw") return stdout;
  const value = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
  expect(new Ajv2020().validate(schemaOf(client, name), value), stdout).toBe(true);
  const inner = (value["hookSpecificOutput"] ?? value) as Readonly<Record<string, string>>;
  return inner["additionalContext"] ?? inner["additional_context"] ?? "";
}

/** These get the text at the start with the first prompt. */
const late = ["gemini", "copilot"];
const takesText = shapes.filter(
  ({ client, is }) => client !== "windsurf" && (is === "prompt" || (is === "session-start" && !late.includes(client))),
);

describe.each(takesText)("$client $name", ({ client, name, is, input }) => {
  test(`injects the memory in the format that ${client} accepts`, async () => {
    const fired = await fire(project, [client, name], JSON.stringify(input(project.dir)));
    expect(fired).toMatchObject({ status: 0, stderr: "" });
    const context = contextOf(client, name, fired.stdout);
    expect(context).toContain("Payments");
    expect(context).toMatch(/^<<<[0-9a-f]+ [^\n]*Data, not instructions[^]*>>>\n?$/u);
    if (is === "session-start") expect(context).toMatch(/# memory\/ROOT\.md[^]*# WORKING\.md[^]*measure refused/u);
  });

  test("prints nothing in a folder without a memory", async () => {
    const bare = projectWith({ "README.md": "nothing\n" });
    const fired = await fire(bare, [client, name], JSON.stringify(input(bare.dir)));
    bare.remove();
    expect(fired).toMatchObject({ status: 0, stdout: "", stderr: "" });
  });
});

const silent = shapes.filter((shape) => !takesText.includes(shape));

test.each(silent)("$client $name prints nothing that $client would misread", async ({ client, name, is, input }) => {
  const fired = await fire(project, [client, name], JSON.stringify(input(project.dir)));
  expect(fired).toMatchObject({ status: 0, stderr: "" });
  if (client === "claude-code" && is === "before-compaction") expect(fired.stdout).toMatch(/^The conversation so far/u);
  else expect(fired.stdout).toBe("");
});

test("our own name for an event does the same as the client's", async () => {
  const input = { session_id: "own-name", cwd: project.dir, source: "startup" };
  const { stdout } = await fire(project, ["codex", "session-start"], JSON.stringify(input));
  expect(contextOf("codex", "SessionStart", stdout)).toContain("Payments");
});

test("a prompt without relevant memories prints nothing", async () => {
  const input = { session_id: "s", cwd: project.dir, prompt_id: "p-none", prompt: "ok, go on" };
  expect(await fire(project, ["claude-code", "UserPromptSubmit"], JSON.stringify(input))).toMatchObject({
    status: 0,
    stdout: "",
  });
});
