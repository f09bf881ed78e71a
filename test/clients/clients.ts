import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** The real clients that test/clients/ runs, each at a fixed version, because their behaviour changes between versions. */
export const CLIENTS = {
  "claude-code": { package: "@anthropic-ai/claude-code", version: "2.1.332", program: "claude" },
  codex: { package: "@openai/codex", version: "0.171.0", program: "codex" },
  opencode: { package: "opencode-ai", version: "1.18.33", program: "opencode" },
  gemini: { package: "@google/gemini-cli", version: "0.61.0", program: "gemini" },
  copilot: { package: "@github/copilot", version: "1.0.102", program: "copilot" },
  openclaw: { package: "openclaw", version: "2026.9.6", program: "openclaw" },
  inspector: { package: "@modelcontextprotocol/inspector", version: "2.12.0", program: "mcp-inspector" },
} as const;

export type ClientName = keyof typeof CLIENTS;

export const CLIENT_NAMES = Object.keys(CLIENTS) as readonly ClientName[];

export type Fetched = "there" | "fetched" | { readonly failed: string };

/** Where clients are installed: outside the repository, in `$HEARTWOOD_CLIENTS` or in the folder for temporary files. */
export function clientsFolder(): string {
  return process.env["HEARTWOOD_CLIENTS"] ?? join(tmpdir(), "heartwood-clients");
}

/** The program of `client`, once it was fetched completely. */
export function clientProgram(client: ClientName): string | undefined {
  const path = join(folderOf(client), "node_modules", ".bin", CLIENTS[client].program);
  return existsSync(join(folderOf(client), WHOLE)) && existsSync(path) ? path : undefined;
}

/** Fetches `client` with npm, unless it is already there. */
export function fetchClient(client: ClientName): Fetched {
  if (clientProgram(client) !== undefined) return "there";
  const what = `${CLIENTS[client].package}@${CLIENTS[client].version}`;
  const folder = folderOf(client);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}\n');
  const npm = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--include=optional", "--save-exact", what], {
    cwd: folder,
    encoding: "utf8",
    timeout: 9 * 60_000,
    // npm uses the Node on the PATH, and the clients refuse an old one.
    env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}` },
  });
  if (npm.status !== 0) {
    return { failed: npm.error?.message ?? npm.stderr.trim().split("\n").slice(-3).join(" ") };
  }
  writeFileSync(join(folder, WHOLE), `${what}\n`);
  return "fetched";
}

/** Written last, so that an interrupted fetch starts again. */
const WHOLE = "whole";

function folderOf(client: ClientName): string {
  return join(clientsFolder(), `${client}-${CLIENTS[client].version}`);
}
