import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What the package ships to be put into clients: the skills in a folder, by name, and the plugins for OpenCode and OpenClaw. */
export function readShipped({ skills, plugins }: { readonly skills: string; readonly plugins: string }): ShippedTexts {
  const openclaw = (name: string): string => readFileSync(join(plugins, "openclaw", name), "utf8");
  return {
    skills: readdirSync(skills)
      .toSorted()
      .map((name) => ({ name, text: readFileSync(join(skills, name, "SKILL.md"), "utf8") })),
    opencodePlugin: readFileSync(join(plugins, "opencode", "heartwood.js"), "utf8"),
    openclawPlugin: {
      index: openclaw("index.js"),
      manifest: openclaw("openclaw.plugin.json"),
      description: openclaw("package.json"),
    },
  };
}

interface ShippedTexts {
  readonly skills: readonly { readonly name: string; readonly text: string }[];
  readonly opencodePlugin: string;
  readonly openclawPlugin: { readonly index: string; readonly manifest: string; readonly description: string };
}
