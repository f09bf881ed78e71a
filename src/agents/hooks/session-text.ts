import { sha256 } from "../../base/digest.ts";
import { fenceMark } from "../../recall/context/fence.ts";
import type { AgentMemory } from "../memory.ts";
import { fitHot } from "./hot-text.ts";
import { fitRoot } from "./fit-root.ts";
import { renderedRoot } from "./rendered-root.ts";
import { allSteps, framed, freeOf, rootSteps } from "./session-frame.ts";
import { readSessionParts, type SessionParts } from "./session-parts.ts";
import { shareOf, shareOfLines, type Share, type Space } from "./space.ts";
import { pushAll } from "../../base/lists.ts";

const rootTitle = "# memory/ROOT.md";

/** The text at the start of a session; empty when there is nothing to say. It takes at most the space. `root`: whether ROOT.md is to be in it. Errors: none of reading. */
export async function sessionText(memory: AgentMemory, space: Space, root: "wanted" | "had"): Promise<string> {
  const share = shareOf(space, (text) => memory.tokens.count(text));
  const read = await readSessionParts(memory);
  const parts = root === "had" ? { ...read, root: undefined } : read;
  const lines = [...(await fitParts(memory, { parts, share, space, free: freeOf(share) }))];
  if (lines.length === 0) return "";
  const mark = fenceMark(sha256, lines);
  // Tokens of two texts may be one more together.
  while (share(framed(mark, lines)) > 1) lines.pop();
  return framed(mark, lines);
}

interface Fitting {
  readonly parts: SessionParts;
  readonly share: Share;
  readonly space: Space;
  /** Of the space. */
  readonly free: number;
}

async function fitParts(memory: AgentMemory, fitting: Fitting): Promise<readonly string[]> {
  const { parts, share, free } = fitting;
  const lines: string[] = [];
  let left = free;
  const add = (more: readonly string[]): void => {
    pushAll(lines, more);
    left -= shareOfLines(share, more);
  };
  add(await fittedRoot(memory, fitting));
  add(fitHot(parts.working, share, left));
  if (parts.newest !== "" && share(`${parts.newest}\n`) <= left) add([parts.newest]);
  for (const one of parts.others) add(fitHot(one, share, left));
  return lines;
}

async function fittedRoot(memory: AgentMemory, { parts, share, space, free }: Fitting): Promise<readonly string[]> {
  const { root } = parts;
  if (root === undefined) return [];
  const steps = rootSteps(parts, share, free);
  const most = steps / allSteps - share(`${rootTitle}\n`);
  const whole = shareOfLines(share, root.body) <= most;
  const body = whole ? root.body : ((await renderedRoot(memory, { root, space, steps })) ?? root.body);
  const lines = fitRoot(body, share, most);
  return lines.length === 0 ? [] : [rootTitle, ...lines];
}
