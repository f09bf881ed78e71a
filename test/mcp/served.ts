import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { trustFolders } from "../fixtures/trusted.ts";

export const bin = join(import.meta.dirname, "../../dist/bin.js");

/** The older era is negotiated with `initialize`, the newer one requested by name. */
export const eras = [
  ["the era of initialize", "legacy", "2025-11-25"],
  ["the era of server/discover", { pin: "2026-07-28" }, "2026-07-28"],
] as const satisfies readonly (readonly [string, VersionNegotiationMode, string])[];

export interface Served {
  readonly client: Client;
  readonly dir: string;
  /** What the server wrote to standard error. */
  errors(): string;
  end(): Promise<void>;
}

/** A project folder with these files, and the built server as a separate process, connected to the official client. */
export async function serve(
  mode: VersionNegotiationMode,
  files: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  name = "heartwood-test",
): Promise<Served> {
  const dir = mkdtempSync(join(tmpdir(), "heartwood-mcp-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  trustFolders(dir, dir);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "mcp", "--dir", dir, "--today", "2026-03-24", "--time-zone", "UTC", ...args],
    env: { PATH: process.env["PATH"] ?? "", HOME: dir, TZ: "UTC" },
    stderr: "pipe",
  });
  let said = "";
  transport.stderr?.on("data", (text: Buffer) => (said += text.toString("utf8")));
  const client = new Client({ name, version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return {
    client,
    dir,
    errors: () => said,
    end: async () => {
      await client.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export const logs: Readonly<Record<string, string>> = {
  "memory/2026-03-02.md":
    "# 2026-03-02\n\n## Payments [project]\n- decision: a token bucket limits payments, since bursts must pass\n- open: measure refused requests\n",
  "memory/2026-03-10.md":
    "# 2026-03-10\n\n## Short answers [feedback]\n- rule: answer in three sentences\n- why: reads on a phone\n- how-to-apply: chat replies\n",
  "memory/2026-03-23.md": "# 2026-03-23\n\n## Café [user]\n- the user likes the café in der Straße; 限流用令牌桶\n",
};
