import type { KeySource } from "./adapters/user-settings/values.ts";

/** Reads the key anew each time it is asked; nothing is read before. */
export function keyReader(source: KeySource | undefined): () => Promise<string | undefined> {
  return async () => {
    if (source === undefined) return undefined;
    const { readKey } = await import("./adapters/user-settings/key.ts");
    return readKey(source);
  };
}
