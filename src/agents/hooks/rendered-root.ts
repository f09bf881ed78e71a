import { MemoryError } from "../../base/errors.ts";
import { decodeText } from "../../base/lines.ts";
import { parseRoot } from "../../tree/root/root-format.ts";
import { writeCacheFile } from "../../tree/run/idle.ts";
import type { AgentMemory } from "../memory.ts";
import { encode } from "../../tree/run/tree-files.ts";
import { allSteps, freeOf, rootSteps } from "./session-frame.ts";
import { readSessionParts, shownLines, type RootPart } from "./session-parts.ts";
import { shareOf, shareOfLines, type Space } from "./space.ts";

/** A part of a client's space, in steps. */
interface RootSpace {
  readonly root: RootPart;
  readonly space: Space;
  readonly steps: number;
}

/** ROOT.md as it was rendered for this space, when it has not changed since; to render it takes longer than a session waits. */
export async function renderedRoot(memory: AgentMemory, asked: RootSpace): Promise<readonly string[] | undefined> {
  try {
    const read = await memory.files.read(placeOf(asked));
    const value = JSON.parse((read === undefined ? undefined : decodeText(read.bytes)) ?? "null") as unknown;
    const { of, body } = (value ?? {}) as { readonly of?: unknown; readonly body?: unknown };
    return of === asked.root.stamp && typeof body === "string" ? shownLines(body) : undefined;
  } catch (error) {
    if (error instanceof MemoryError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Renders ROOT.md for the next session of a client with this space, unless that is done. Errors: those of `readRoot`, but not `not_found`. */
export async function prepareRoot(memory: AgentMemory, space: Space): Promise<void> {
  const share = shareOf(space, (text) => memory.tokens.count(text));
  const parts = await readSessionParts(memory);
  const { root } = parts;
  if (root === undefined) return;
  const asked = { root, space, steps: rootSteps(parts, share, freeOf(share)) };
  if (shareOfLines(share, root.body) <= asked.steps / allSteps || (await renderedRoot(memory, asked)) !== undefined)
    return;
  const text = await renderNow(memory, asked);
  const reading = text === undefined ? undefined : parseRoot(text);
  if (reading?.state !== "ours") return;
  const value = { of: root.stamp, body: reading.root.body.join("\n") };
  await writeCacheFile(memory.files, placeOf(asked), encode(JSON.stringify(value)));
}

async function renderNow(memory: AgentMemory, { space, steps }: RootSpace): Promise<string | undefined> {
  const part = (limit: number): number => Math.floor((limit * steps) / allSteps);
  const { readRoot } = await import("../../tree/root-run/root.ts");
  try {
    const rendered = await readRoot(memory, {
      max_chars: part(space.characters),
      ...(space.tokens === undefined ? {} : { max_tokens: part(space.tokens) }),
    });
    return "text" in rendered ? rendered.text : undefined;
  } catch (error) {
    // A ROOT.md of somebody else is shown as it stands.
    if (error instanceof MemoryError && error.code === "not_found") return undefined;
    throw error;
  }
}

function placeOf({ space, steps }: RootSpace): string {
  const limits = `${space.characters}c${space.tokens === undefined ? "" : `-${space.tokens}t`}`;
  return `.heartwood/cache/hook-root-${limits}-${steps}.json`;
}
