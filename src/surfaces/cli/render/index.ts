import type { SinkLook } from "../terminal.ts";
import { screenOf, type Screen } from "./screen.ts";

/** A result as text for a person. Method syntax, so that each renderer names the one result type it is for. */
interface Renderer {
  render(result: unknown, screen: Screen): string;
}

/** By the name of the operation; each is loaded when it is needed. */
const RENDERERS: Readonly<Record<string, () => Promise<Renderer>>> = {
  "memory.init": async () => ({ render: (await import("./init.ts")).renderInit }),
  "log.add": async () => ({ render: (await import("./log-add.ts")).renderLogAdd }),
  "tree.compact": async () => ({ render: (await import("./compact.ts")).renderCompact }),
  "memory.status": async () => ({ render: (await import("./status.ts")).renderStatus }),
  "tree.list": async () => ({ render: (await import("./tree.ts")).renderTree }),
  "tree.show": async () => ({ render: (await import("./show.ts")).renderShow }),
  "tree.root": async () => ({ render: (await import("./root.ts")).renderRoot }),
  "tree.trace": async () => ({ render: (await import("./trace.ts")).renderTrace }),
  "tree.verify": async () => ({ render: (await import("./verify.ts")).renderVerify }),
  "memory.undo": async () => ({ render: (await import("./undo.ts")).renderUndo }),
  "memory.doctor": async () => ({ render: (await import("./doctor.ts")).renderDoctor }),
};

/** Names of the operations that have a renderer; a test compares them with the table. */
export const renderedOperations: readonly string[] = Object.keys(RENDERERS);

/** Renders a result for the sink. An operation without a renderer is shown as JSON. */
export async function renderResult(operation: string, result: unknown, look: SinkLook): Promise<string> {
  const renderer = await RENDERERS[operation]?.();
  return renderer === undefined ? JSON.stringify(result, undefined, 2) : renderer.render(result, screenOf(look));
}
