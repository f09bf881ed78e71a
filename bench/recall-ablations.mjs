// Variants of the program that each lack one step or signal of recall. The product has no switches for this, so each variant replaces texts in the sources
// while the program is bundled. Each text must occur exactly once in its file (bench/root-ablations.mjs).
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./harness.mjs";

const weightsFile = "src/recall/rank/weights.ts";
const chooseFile = "src/recall/rank/choose.ts";
const searchFile = "src/recall/run/search-step.ts";
const stepsFile = "src/recall/run/recall-message.ts";
const pointed = "[...root.pointed, ...nodes.pointed]";

/** The variants of bench/recall.md. */
export const variants = [
  { name: "no step over ROOT.md", replace: [{ file: stepsFile, from: pointed, to: "[...nodes.pointed]" }] },
  { name: "no step over the manifest", replace: [{ file: stepsFile, from: pointed, to: "[...root.pointed]" }] },
  { name: "search alone", replace: [{ file: stepsFile, from: pointed, to: "[]" }] },
  ranked("statements alone", { chunkShare: "0", directChunkShare: "0" }),
  ranked("chunks alone", { chunkShare: "1", directChunkShare: "1" }),
  {
    name: "what a statement tells does not count",
    replace: [{ file: chooseFile, from: "const worth = row.weight + ", to: "const worth = " }],
  },
  ranked("a statement's section does not count", { sectionPower: "0" }),
  ranked("a statement's own words do not count", { wordWeight: "0", directWordWeight: "0" }),
  {
    name: "how directly words answer the message does not count",
    replace: [{ file: searchFile, from: "const direct = directnessOf(bestWords, rare);", to: "const direct = 0;" }],
  },
  ranked("the statement before does not count", { before: "0" }),
  ranked("one statement a section", { further: "0" }),
  ranked("further statements of a section at full worth", { further: "1" }),
  ranked("long statements cost nothing more", { brevity: "0" }),
  ranked("nothing is left out", { minChunk: "0", minStatement: "0", minSection: "0" }),
  ranked("no words from the best sections", { feedbackWords: "0" }),
  ranked("no meaning", { meaningWeight: "0", sectionMeaning: "0" }),
  quick("as hooks do it"),
  ...["60", "40", "30", "12", "8"].map((sections) => quick(`hooks, ${sections} sections`, sections)),
];

/** A variant in which `heartwood recall` uses the quick way of hooks, but for every message: without its floor (bench/floor.mjs). */
function quick(name, sections) {
  const way = {
    file: stepsFile,
    from: "budget, explain, way, floor, call }: OneRecall",
    to: 'budget, explain, call, way = "quick", floor = "none" }: OneRecall',
  };
  const from = "const quickSections = 20;";
  const fewer = { file: searchFile, from, to: `const quickSections = ${sections};` };
  return { name, replace: sections === undefined ? [way] : [way, fewer] };
}

/** A variant that replaces ranking weights, by name, whatever their current values. */
function ranked(name, values) {
  const path = join(repository, weightsFile);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const replace = Object.entries(values).map(([option, to]) => {
    const from = text.match(new RegExp(`^ {2}${option}: [^;\\n]+,$`, "mu"))?.[0] ?? `  ${option}: `;
    return { file: weightsFile, from, to: `  ${option}: ${to},` };
  });
  return { name, replace };
}
