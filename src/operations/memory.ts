import type { AgentMemory } from "../agents/memory.ts";

/** An opened project folder: everything an operation needs from outside, put together by `open.ts`. */
export type Memory = AgentMemory;
