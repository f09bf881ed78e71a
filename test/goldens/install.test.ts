import { test } from "vitest";
import { expectGolden } from "./golden.ts";
import { openScene, type Scene } from "./scene.ts";

/** What install writes for each client, byte for byte, in an empty home and in one with settings, and what uninstall leaves. */
const clients = ["claude-code", "codex", "gemini", "copilot", "cursor", "windsurf", "opencode", "openclaw"];

/** Settings that people wrote: comments, other hooks, other servers, odd spacing. */
const settings: Readonly<Record<string, string>> = {
  "/home/ann/.claude/settings.json":
    '{\n    "model": "opus",\n    "hooks": {\n        "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]\n    }\n}\n',
  "/home/ann/.claude.json": '{"numStartups":3,"mcpServers":{"other":{"command":"other"}}}',
  "/home/ann/.claude/CLAUDE.md": "# My rules\n\n- be brief\n",
  "/home/ann/.codex/config.toml": '# mine\nmodel = "o5"\n\n[mcp_servers.other]\ncommand = "other" # keep\n',
  "/home/ann/.codex/AGENTS.md": "no line end",
  "/home/ann/.gemini/settings.json": '{\r\n\t"theme": "dark"\r\n}\r\n',
  "/home/ann/.copilot/config.json": "// by hand\n{ }\n",
  "/home/ann/.cursor/mcp.json": '{\n  "mcpServers": {}\n}\n',
  "/home/ann/.config/opencode/opencode.json": '{\n  // comment\n  "share": "disabled",\n}\n',
  "/home/ann/.openclaw/openclaw.json": '{\n  "agents": { "list": [] }\n}\n',
};

/** Every file but the record of what is installed, whose format has its own tests. */
function filesOf(scene: Scene): string {
  return Object.entries(scene.disk.tree())
    .filter(([path]) => !path.endsWith("/") && !path.endsWith("/installed.json"))
    .map(([path, text]) => `--- ${path}\n${text}${text.endsWith("\n") ? "" : "⏎ no line end\n"}`)
    .join("");
}

test.each(clients)("%s", async (client) => {
  let golden = "";
  const shown = new Set<string>();
  const changed = (before: string, after: string): string => {
    const files = partsOf(after).filter((file) => !partsOf(before).includes(file));
    const texts = files.map((file) => (shown.has(file) ? `${file.split("\n")[0]} as above\n` : file));
    for (const file of files) shown.add(file);
    return texts.join("");
  };
  for (const [name, there] of [
    ["an empty home", {}],
    ["a home with settings", settings],
  ] as const)
    for (const scope of ["user", "project"]) {
      const scene = openScene({});
      for (const [path, text] of Object.entries(there)) scene.disk.put(path, text);
      const before = filesOf(scene);
      const installed = await scene.run(["install", client, "--scope", scope, "--yes", "--quiet"]);
      golden += `\n## ${name}, scope ${scope} → ${installed.status}\n${changed(before, filesOf(scene))}`;
      const taken = await scene.run(["uninstall", client, "--yes", "--quiet"]);
      golden += `\n## ${name}, scope ${scope}, uninstalled → ${taken.status}\n${changed(before, filesOf(scene))}`;
    }
  const part = /<!-- heartwood:begin -->\n([^]*?)<!-- heartwood:end -->/gu;
  const prose = new Set([...golden.matchAll(part)].map(([, text]) => text ?? ""));
  await expectGolden(
    `install-${client}.txt`,
    golden.replaceAll(part, "<!-- heartwood:begin -->\n…\n<!-- heartwood:end -->"),
  );
  if (prose.size > 0) await expectGolden(`install-${client}.prose.txt`, [...prose].join("\n"));
});

function partsOf(files: string): readonly string[] {
  return files.split(/^(?=--- )/mu);
}
