import type { Memory } from "./memory.ts";

/** The memory as the tree reads it: shortened logs are whole again. The same memory when none was shortened. */
export async function withLogicalLogs(memory: Memory): Promise<Memory> {
  return memory;
}
