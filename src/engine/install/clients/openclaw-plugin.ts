import type { OpenclawPlugin } from "../places.ts";

const line = 'const script = "heartwood";';

/** The shipped plugin with the script that it calls, and its server with the folder of the memory; by the names of its files. */
export function openclawPlugin(
  { index, manifest, description }: OpenclawPlugin,
  { script, folder }: { readonly script: string; readonly folder: string },
): readonly (readonly [string, string])[] {
  const server = { heartwood: { transport: "stdio", command: script, args: ["mcp", "--dir", folder] } };
  const told = { ...(JSON.parse(manifest) as object), mcpServers: server };
  return [
    ["package.json", description],
    ["openclaw.plugin.json", `${JSON.stringify(told, null, 2)}\n`],
    ["index.js", index.replace(line, () => `const script = ${JSON.stringify(script)};`)],
  ];
}
