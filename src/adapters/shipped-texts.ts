import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What the package ships to be put into clients: the skills in a folder, by name, and the plugin for OpenCode. */
export function readShipped({ skills, plugin }: { readonly skills: string; readonly plugin: string }): ShippedTexts {
  return {
    skills: readdirSync(skills)
      .toSorted()
      .map((name) => ({ name, text: readFileSync(join(skills, name, "SKILL.md"), "utf8") })),
    opencodePlugin: readFileSync(plugin, "utf8"),
  };
}

interface ShippedTexts {
  readonly skills: readonly { readonly name: string; readonly text: string }[];
  readonly opencodePlugin: string;
}
