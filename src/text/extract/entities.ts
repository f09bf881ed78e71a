import type { Passage, SourceSection } from "../../base/passage.ts";
import type { KeptLine } from "./exclude.ts";

const kinds: readonly (readonly [string, RegExp])[] = [
  [
    "files",
    /(?<![\w/.-])(?:[\w.-]+\/)+[\w-]+\.[A-Za-z]{1,5}\b|(?<![\w/.-])[\w-]+\.(?:ts|tsx|js|mjs|py|go|rs|java|rb|sql|md|json|ya?ml|toml|sh|css|html)\b/gu,
  ],
  ["services", /(?<=https?:\/\/)[\w.-]+\.[a-z]{2,}/gu],
  ["errors", /\b(?:[A-Z]\w*(?:Error|Exception)|E[A-Z]{4,})\b/gu],
];

/** Lines without any of these name nothing of the kind. */
const hint = /\.[A-Za-z]|:\/\/|Error|Exception|E[A-Z]{4}/u;

/** Files, services and errors named in a section, one passage a kind. */
export function entitiesOf(section: SourceSection, lines: readonly KeptLine[]): readonly Passage[] {
  const hinted = lines.filter((line) => hint.test(line.text));
  if (hinted.length === 0) return [];
  return kinds.flatMap(([kind, pattern]): readonly Passage[] => {
    const found = new Map<string, number>();
    for (const line of hinted)
      for (const match of line.text.matchAll(pattern)) if (!found.has(match[0])) found.set(match[0], line.number);
    if (found.size === 0) return [];
    const shown = [...found].slice(0, 8);
    const refs = shown.map(([, number]) => ({ log: section.log, from: number, to: number }));
    return [
      {
        role: "entity",
        topic: kind,
        type: "project",
        text: shown.map(([name]) => name).join(", "),
        lines: [],
        refs,
        progress: "active",
        at: [0, 0],
        weight: 0.8,
        naming: "given",
      },
    ];
  });
}
