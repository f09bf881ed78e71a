import { createLocalState } from "./platform/local-state.ts";
import { systemRandom } from "./platform/system-random.ts";
import { userStateFolder } from "./platform/user-folders.ts";
import type { LocalState } from "./platform/local-state/port.ts";

export {
  gateOfArtifacts,
  gateOfSearch,
  gateOfThreads,
  guardFiles,
  guardLocks,
  guardOnce,
} from "./platform/local-state/guards.ts";
export type { Gate } from "./platform/local-state/guards.ts";

/** The state of the memory in a folder, with the key of this user. */
export function openLocalState(dir: string): LocalState {
  return createLocalState({ dir, userState: userStateFolder(), random: systemRandom });
}
