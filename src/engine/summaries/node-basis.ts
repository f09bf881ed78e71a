import { sha256 } from "../../base/digest.ts";
import { nodeLabel, type NodeName } from "../../tree/period.ts";
import { printSource, type Source } from "../../tree/source-format.ts";

/** What a summary of these sources is of. */
export function basisOf(name: NodeName, sources: readonly Source[]): string {
  const lines = ["heartwood.basis.v1", name.level, nodeLabel(name), ...sources.map(lineOf)];
  return sha256(lines.map((line) => `${line}\n`).join(""));
}

function lineOf(source: Source): string {
  if (source.kind === "node") return printSource(source);
  const part = source.part.map(({ from, to }) => `${from}-${to}`).join(" ");
  const fields = [
    `path: ${source.path}`,
    `bytes: ${source.bytes}`,
    `lines: ${source.lines}`,
    `sha256: ${source.sha256}`,
  ];
  return `{${[...fields, ...(part === "" ? [] : [`part: ${part}`])].join(", ")}}`;
}
