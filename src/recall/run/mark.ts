import { sha256 } from "../../base/digest.ts";
import type { RecallMemory } from "../memory.ts";

/** For `fenceMark`: a digest that only this user on this machine can compute. Without a key, anyone can. */
export function markDigest({ localState }: Pick<RecallMemory, "localState">): (text: string) => string {
  return (text) => localState?.keyedDigest(text) ?? sha256(text);
}
