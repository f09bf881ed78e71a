import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Client, type Transport } from "@modelcontextprotocol/client";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { Buffer } from "node:buffer";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { clients as installed } from "../agents/install/clients/index.ts";
import { readShipped } from "../agents/install/node-client-files.ts";
import { prepareInstall } from "../agents/install/run-install.ts";
import { openInstalling } from "../open.ts";
import { shippedFile } from "../platform/program.ts";
import { createServer } from "./mcp/server.ts";
import { runDoctor } from "./doctor.ts";
import { fixedCosts, type FixedCost } from "./fixed-cost.ts";
import { toolsOf } from "./tools/tools.ts";
import { fakePlaces } from "../../test/fixtures/client-files.ts";
import { openTestMemory } from "../../test/fixtures/memory.ts";
import { eras } from "../../test/mcp/served.ts";

const { memory } = openTestMemory();
const shipped = readShipped({ skills: shippedFile("skills"), plugins: shippedFile("plugins") });
const costs = fixedCosts(memory.tokens, shipped.skills);

describe("what heartwood adds to every request", () => {
  const most: Readonly<Record<string, number>> = { "claude-code": 600, codex: 700, copilot: 700 };

  test.each(costs.filter(({ client }) => client in most))("is within the bound for $client, $way", (cost) => {
    expect(cost.total).toBeLessThanOrEqual(most[cost.client] ?? 0);
    expect(cost.total).toBe(cost.tools + cost.instructions + cost.skills + cost.block);
  });

  test("leaves out what a client does not send", () => {
    const nothing = costs.flatMap(({ client, way, ...parts }) =>
      Object.entries(parts).flatMap(([part, tokens]) => (tokens === 0 ? [`${client} ${way ?? ""}: ${part}`] : [])),
    );
    expect(nothing).toEqual([
      "codex tools on demand: tools",
      "copilot : instructions",
      "openclaw : tools",
      "openclaw : instructions",
    ]);
  });

  test("is in the guide", () => {
    const guide = readFileSync(shippedFile("docs/guides/mcp.md"), "utf8");
    const rows = [...guide.matchAll(/^\|[^|]+((?:\| [\d,]+ ){5}\|)$/gmu)].map(([, figures]) => figures);
    const told = costs.map((one) => [one.tools, one.instructions, one.skills, one.block, one.total]);
    expect(rows).toEqual(told.map((row) => `${row.map((tokens) => `| ${tokens.toLocaleString("en")} `).join("")}|`));
  });
});

describe("doctor --cost", () => {
  let [home, project] = ["", ""];
  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), "heartwood-cost-")));
    project = join(home, "project");
    mkdirSync(project);
    vi.stubEnv("HOME", home);
    vi.stubEnv("XDG_STATE_HOME", join(home, "state"));
    for (const name of ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "GEMINI_CLI_HOME", "XDG_CONFIG_HOME"])
      vi.stubEnv(name, undefined);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true, force: true });
  });

  const shown = async (): Promise<readonly FixedCost[]> =>
    (await runDoctor({ ...memory, dir: project }, { cost: true })).costs;
  const install = async (scope: "user" | "project", summaries?: "pull"): Promise<void> => {
    const installing = await openInstalling(project);
    const names = ["claude-code", "codex", "gemini", "copilot", "opencode", "openclaw"] as const;
    await (await prepareInstall(installing, { ...installing, clients: names, scope, summaries })).apply();
  };
  /** Of the clients that send the schemas of all tools, those with more of them than by default. */
  const withMore = (shownCosts: readonly FixedCost[]): readonly string[] =>
    shownCosts.flatMap(({ client, way, tools }, at) =>
      tools > (costs[at]?.tools ?? 0) ? [way === null ? client : `${client} ${way}`] : [],
    );

  test("shows it, and only there; the tools are the default ones", async () => {
    expect(await shown()).toEqual(costs);
    await install("user");
    expect(await shown()).toEqual(costs);
    expect((await runDoctor(memory, {})).costs).toEqual([]);
  });

  test("counts the tools that the installed entries list", async () => {
    await install("user", "pull");
    const all = costs.map(({ client, way }) => (way === null ? client : `${client} ${way}`));
    const none = ["codex tools on demand", "openclaw"];
    expect(withMore(await shown())).toEqual(all.filter((name) => !none.includes(name)));
    const total = (await shown()).map(
      ({ tools, instructions, skills, block }) => tools + instructions + skills + block,
    );
    expect((await shown()).map((one) => one.total)).toEqual(total);
  });

  test("counts those of the project's entry before the user's, also if it was edited", async () => {
    await install("user", "pull");
    writeFileSync(join(project, "opencode.json"), '{"mcp":{"heartwood":{"command":["heartwood","mcp"]}}}');
    mkdirSync(join(project, ".codex"));
    const toml =
      "[mcp_servers.heartwood]\ncommand = 'heartwood'\nargs = [ 'mcp', '--dir', '/x', '--tools=memory,nothing' ]\n";
    writeFileSync(join(project, ".codex/config.toml"), toml);
    const more = withMore(await shown());
    expect(["codex", "opencode", "gemini"].map((name) => more.some((one) => one.startsWith(name)))).toEqual([
      false,
      false,
      true,
    ]);
  });

  test("counts the default ones if an entry cannot be read", async () => {
    mkdirSync(join(home, ".codex/config.toml"), { recursive: true });
    writeFileSync(join(home, ".claude.json"), Buffer.from([0xff, 0xfe, 0]));
    expect(await shown()).toEqual(costs);
  });
});

/** The tools and instructions that a client gets from the server. */
async function received(mode: (typeof eras)[number][1]) {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const served = serveStdio(
    () =>
      createServer({
        sessionOf: () => undefined,
        version: "0",
        tools: toolsOf(["memory"]),
        memory: async () => memory,
        openFolder: async () => memory,
        isTrusted: async () => false,
        inTurn: (work) => work(),
        catchUp: () => {},
      }),
    { transport: new StdioServerTransport(toServer, toClient) },
  );
  const client = new Client({ name: "cost", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(new StdioServerTransport(toClient, toServer) as Transport);
  const { tools } = await client.listTools();
  const instructions = client.getInstructions() ?? "";
  await client.close();
  await served.close();
  return { tools, instructions };
}

/** What install writes for Codex: the section of AGENTS.md, and the fields of the skills. */
function written() {
  const request = { scope: "user", places: fakePlaces, shipped, script: "/s", firstThere: String } as const;
  const { wanted } = installed.codex(request);
  const [part] = wanted.filter((one) => one.kind === "part");
  const skills = wanted.flatMap((one) => {
    if (one.kind !== "own" || !one.path.endsWith("SKILL.md")) return [];
    const [, front = ""] = /^---\n([^]*?)\n---\n/u.exec(one.text) ?? [];
    return [parse(front) as { readonly name: string; readonly description: string }];
  });
  return { section: part?.text ?? "", skills };
}

describe.each(eras)("the parts that are counted, in %s,", (_era, mode) => {
  const costOf = (client: string): FixedCost | undefined => costs.find((one) => one.client === client);
  const count = (text: string): number => memory.tokens.count(text);

  test("are those that the server sends and install writes", async () => {
    const { tools, instructions } = await received(mode);
    const { section, skills } = written();
    expect([tools.length, skills.length]).toEqual([4, 4]);
    const sent = tools.map(({ name, description, inputSchema: parameters }) =>
      JSON.stringify({ type: "function", name, description, strict: false, parameters }),
    );
    const listed = skills.map(({ name, description }) => `- ${name}: ${description} (file: r0/${name}/SKILL.md)\n`);
    expect(costOf("codex")).toMatchObject({
      tools: count(sent.join("")),
      instructions: count(JSON.stringify({ type: "namespace", name: "mcp__heartwood", description: instructions })),
      skills: count(listed.join("")),
      block: count(`<!-- heartwood:begin -->\n${section}<!-- heartwood:end -->\n`),
    });
    expect(costOf("claude-code")?.block).toBe(count(section));
  });
});
