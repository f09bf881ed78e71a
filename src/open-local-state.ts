import { findUserState } from "./adapters/client-places/user-state.ts";
import { createLocalState } from "./adapters/local-state.ts";
import { systemRandom } from "./adapters/system-random.ts";
import type { LocalState } from "./ports/local-state.ts";

export {
  gateOfArtifacts,
  gateOfSearch,
  gateOfThreads,
  guardFiles,
  guardLocks,
  guardOnce,
} from "./adapters/local-state/guards.ts";
export type { Gate } from "./adapters/local-state/guards.ts";

/** The state of the memory in a folder, with the key of this user. */
export function openLocalState(dir: string): LocalState {
  return createLocalState({ dir, userState: findUserState(), random: systemRandom });
}
