import type { MemoryFigures } from "../model/analysis.ts";
import { cutBytes } from "../../tree/model/shortened-note.ts";
import { createFinding, type AuditFinding } from "../model/finding.ts";
import type { MemoryText } from "../model/memory-text.ts";
import { decodeLoosely } from "../model/shown-text.ts";
import { thresholds } from "../model/thresholds.ts";
import { charactersOf, estimateTokens } from "../model/token-estimate.ts";

/** The size of MEMORY.md without its derived section. */
export function measureMemory(text: MemoryText): MemoryFigures {
  const own = withoutDerived(text);
  const decoded = decodeLoosely(own);
  return {
    diskBytes: text.bytes.length,
    bytes: own.length,
    characters: charactersOf(decoded),
    lines: text.lines.length,
    tokens: estimateTokens(decoded),
    text: decoded,
  };
}

/** Of no file. */
export const noMemory: MemoryFigures = { diskBytes: 0, bytes: 0, characters: 0, lines: 0, tokens: 0, text: "" };

function withoutDerived({ bytes, lines }: MemoryText): Uint8Array {
  const derived = lines.filter((line) => line.part === "derived");
  if (derived.length === 0) return bytes;
  return cutBytes(
    bytes,
    derived.map(({ from, to }) => [from, to]),
  );
}

/** `memory_over_max`: more than `maxMemoryKb` × 1,024 bytes without the derived section. */
export function checkMemoryMax(memory: MemoryFigures & { readonly path: string }, maxMemoryKb: number): AuditFinding[] {
  const most = maxMemoryKb * 1024;
  if (memory.bytes <= most) return [];
  const message = `${memory.path} has ${memory.bytes} bytes, ${most} (${maxMemoryKb} KB) are wanted at most: merge what belongs together, move detail to knowledge/.`;
  return [createFinding({ code: "memory_over_max", path: memory.path, message })];
}

/** `memory_over_loader`: loaders read so many lines and bytes and no more. It is about the whole file: where reading ends moves with every edit. */
export function checkLoaderLimits(text: MemoryText): readonly AuditFinding[] {
  const { path, bytes, lines } = text;
  const { loaderLines, loaderBytes } = thresholds;
  if (lines.length <= loaderLines && bytes.length <= loaderBytes) return [];
  const cutLine = lines.findIndex((line, index) => index >= loaderLines || line.to > loaderBytes);
  const first = cutLine < 0 ? lines.length : cutLine + 1;
  const message =
    `${path} has ${lines.length} lines and ${bytes.length} bytes, loaders read ${loaderLines} lines and ${loaderBytes} bytes of it: ` +
    `from line ${first} on nothing is sure to reach the agent. Move detail to knowledge/.`;
  return [createFinding({ code: "memory_over_loader", path, message })];
}
