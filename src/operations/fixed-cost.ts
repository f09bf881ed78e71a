import { Buffer } from "node:buffer";
import type { ClientFiles, ClientFolders, ClientName, Shipped } from "../agents/install/client-files.ts";
import { clients as installed } from "../agents/install/clients/index.ts";
import { putPart } from "../agents/install/appended-part.ts";
import { instructions as section } from "../agents/install/clients/texts.ts";
import { ifMemoryError } from "../base/errors.ts";
import { readFrontMatter } from "../base/front-matter.ts";
import { textLines } from "../base/lines.ts";
import type { TokenCounter } from "../text/tokens/o200k.ts";
import { listedTool, type ListedTool } from "./tools/tool.ts";
import { serverInstructions, toolGroups, toolsOf, type ToolGroup } from "./tools/tools.ts";

/** What heartwood adds to every request of a client, in o200k tokens. Start texts and recalled passages are not included: they come once. */
export interface FixedCost {
  readonly client: ClientName;
  /** For a client that loads tools in more than one way: which. */
  readonly way: string | null;
  readonly tools: number;
  /** The instructions of the MCP server. */
  readonly instructions: number;
  /** Names and descriptions of the skills. */
  readonly skills: number;
  /** The section in the client's instructions file. */
  readonly block: number;
  readonly total: number;
}

interface Skill {
  readonly name: string;
  readonly description: string;
}

/** How a client writes our parts into its requests, as seen in the requests of current versions. An empty text: it does not send the part. */
interface CostedClient {
  readonly client: ClientName;
  readonly way?: string;
  tool(tool: ListedTool): string;
  instructions(text: string): string;
  skill(skill: Skill): string;
  /** Default: the section with its marks. */
  block?(text: string): string;
  /** Tokens of tools that the client adds because the server has resources. */
  readonly resources?: number;
}

const none = (): string => "";

/** `{"type":"function","function":{…}}` of the chat API. */
function chatTool(prefix: string): CostedClient["tool"] {
  return ({ name, description, inputSchema: parameters }) =>
    JSON.stringify({ type: "function", function: { name: `${prefix}${name}`, description, parameters } });
}

function xmlSkill(location: (name: string) => string, indent = "  "): CostedClient["skill"] {
  return ({ name, description }) => {
    const fields = [`<name>${name}</name>`, `<description>${description}</description>`];
    const inside = [...fields, `<location>${location(name)}</location>`].map((line) => `  ${line}`);
    return ["<skill>", ...inside, "</skill>"].map((line) => `${indent}${line}\n`).join("");
  };
}

const claudeCode = {
  client: "claude-code",
  instructions: (text: string): string => `\n## heartwood\n${text}\n`,
  skill: ({ name, description }: Skill): string => `- ${name}: ${description}\n`,
  // It removes comments, so the marks too.
  block: (): string => section,
} as const;

function claudeTool({ name, description, inputSchema: input_schema }: ListedTool): string {
  return JSON.stringify({ name: `mcp__heartwood__${name}`, description, input_schema });
}

const codex = {
  client: "codex",
  skill: ({ name, description }: Skill): string => `- ${name}: ${description} (file: r0/${name}/SKILL.md)\n`,
} as const;

const clients: readonly CostedClient[] = [
  {
    ...claudeCode,
    way: "tool search on",
    tool: (tool) => (tool._meta === undefined ? `mcp__heartwood__${tool.name}\n` : claudeTool(tool)),
  },
  { ...claudeCode, way: "tool search off", tool: claudeTool },
  {
    ...codex,
    way: "tools in the request",
    tool: ({ name, description, inputSchema: parameters }) =>
      JSON.stringify({ type: "function", name, description, strict: false, parameters }),
    instructions: (description) => JSON.stringify({ type: "namespace", name: "mcp__heartwood", description }),
  },
  {
    ...codex,
    way: "tools on demand",
    tool: none,
    instructions: (text) => `- mcp__heartwood: ${text.split("\n")[0] ?? ""}\n`,
  },
  {
    client: "gemini",
    tool: ({ name, description, inputSchema }) => {
      const properties = { ...inputSchema.properties, wait_for_previous: waitForPrevious };
      const parametersJsonSchema = { ...inputSchema, properties };
      return JSON.stringify({ name: `mcp_heartwood_${name}`, description, parametersJsonSchema });
    },
    instructions: (text) =>
      `The following are instructions provided by the tool server 'heartwood':\n---[start of server instructions]---\n${text}\n---[end of server instructions]---\n`,
    // The name is also a value of a tool's parameter.
    skill: (skill) => xmlSkill((name) => `/home/you/.agents/skills/${name}/SKILL.md`)(skill) + `"${skill.name}",`,
  },
  {
    client: "copilot",
    tool: chatTool("heartwood-"),
    instructions: none,
    skill: xmlSkill(() => "user", ""),
  },
  {
    client: "opencode",
    tool: (tool) => {
      const inputSchema = { ...tool.inputSchema, additionalProperties: false };
      return chatTool("heartwood_")({ ...tool, inputSchema });
    },
    instructions: (text) =>
      `<mcp_instructions>\n  <server name="heartwood">\n    ${text}\n  </server>\n</mcp_instructions>\n`,
    skill: xmlSkill((name) => `/home/you/.config/opencode/skills/${name}/SKILL.md`),
    resources: 279,
  },
  {
    client: "openclaw",
    tool: none,
    instructions: none,
    skill: xmlSkill((name) => `~/.openclaw/workspace/skills/${name}/SKILL.md`),
  },
];

/** Gemini adds this parameter to every tool. */
const waitForPrevious = {
  type: "boolean",
  description:
    "Set to true to wait for all previously requested tools in this turn to complete before starting. Set to false (or omit) to run in parallel. Use true when this tool depends on the output of previous tools.",
};

const byDefault: readonly ToolGroup[] = ["memory"];

/**
 * The fixed cost for each client. `skills`: the shipped SKILL.md files. `listed`: the groups of tools that the server lists to a client; none for the
 * default.
 */
export function fixedCosts(
  tokens: TokenCounter,
  skills: readonly { readonly text: string }[],
  listed: ReadonlyMap<ClientName, readonly ToolGroup[]> = new Map(),
): readonly FixedCost[] {
  const described = skills.map(({ text }) => skillOf(text));
  const marked = putPart("", "", section);
  return clients.map((one) => {
    const { client, way = null, block = (text: string): string => text, resources = 0 } = one;
    const tools = toolsOf(listed.get(client) ?? byDefault).map(listedTool);
    const parts = {
      tools: tokens.count(tools.map((tool) => one.tool(tool)).join("")) + resources,
      instructions: tokens.count(one.instructions(serverInstructions)),
      skills: tokens.count(described.map((skill) => one.skill(skill)).join("")),
      block: tokens.count(block(marked)),
    };
    const total = parts.tools + parts.instructions + parts.skills + parts.block;
    return { client, way, ...parts, total };
  });
}

/** The groups of tools in the installed entries: in the project's, or else in the user's. Only of clients that have one. */
export async function listedGroups(
  read: ClientFiles["read"],
  { folders, shipped }: { readonly folders: ClientFolders; readonly shipped: Shipped },
): Promise<ReadonlyMap<ClientName, readonly ToolGroup[]>> {
  const listed = new Map<ClientName, readonly ToolGroup[]>();
  const request = { places: { ...folders, state: "", program: "", version: "" }, shipped, script: "" };
  for (const { client } of clients)
    for (const scope of ["user", "project"] as const)
      for (const { path, kind } of installed[client]({ ...request, scope }).wanted) {
        if (kind !== "json" && kind !== "toml") continue;
        const bytes = await read(path).catch(ifMemoryError(() => undefined));
        const groups = bytes && groupsIn(Buffer.from(bytes).toString("utf8"));
        if (groups !== undefined) listed.set(client, groups);
      }
  return listed;
}

/** The groups in the arguments of an entry, in JSON or TOML: `["mcp", "--tools", "summaries"]`. */
function groupsIn(text: string): readonly ToolGroup[] | undefined {
  const entry = /["']mcp["']\s*(?:,([^\]]*))?\]/u.exec(text);
  if (entry === null) return undefined;
  const named = /["']--tools(?:["']\s*,\s*["']|=)([\w,]+)["']/u.exec(entry[1] ?? "")?.[1]?.split(",") ?? [];
  return toolGroups.filter((group) => named.includes(group));
}

function skillOf(text: string): Skill {
  const read = readFrontMatter(textLines(text));
  const blocks = read.state === "read" ? read.front.blocks : [];
  const valueOf = (key: string): string => blocks.find((one) => one.key === key)?.value ?? "";
  return { name: valueOf("name"), description: valueOf("description") };
}
