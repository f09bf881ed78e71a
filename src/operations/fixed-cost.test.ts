import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { Client, type Transport } from "@modelcontextprotocol/client";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { clients as installed } from "../agents/install/clients/index.ts";
import { readShipped } from "../agents/install/node-client-files.ts";
import { shippedFile } from "../platform/program.ts";
import { createServer } from "../surfaces/mcp/server.ts";
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

  test("is shown by doctor --cost, and only there", async () => {
    expect((await runDoctor(memory, { cost: true })).costs).toEqual(costs);
    expect((await runDoctor(memory, {})).costs).toEqual([]);
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
