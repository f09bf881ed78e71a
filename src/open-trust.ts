import { otherOwners, refuseOtherOwner } from "./platform/project-folder.ts";
import { openTrustedFolders, type TrustedFolders } from "./platform/trusted-folders.ts";
import { userStateFolder } from "./platform/user-folders.ts";
import { MemoryError } from "./base/errors.ts";
import { openLocalState } from "./open-local-state.ts";

/** `given`: the caller has the user's consent for this call, as with `--trust`. `recorded`: what `heartwood trust` recorded counts. */
export type Consent = "given" | "recorded";

/**
 * The folders that the user trusts. Adding one takes over the `.heartwood/` in it too, unless git tracks it. What other users own in it is accepted with
 * `trust`; for the others it is `other_owner`.
 */
export function openTrusted(): TrustedFolders {
  const folders = openTrustedFolders(userStateFolder());
  return {
    ...folders,
    add: (dir, by) => {
      if (by !== "trust") refuseOtherOwner(dir, () => false);
      const owners = [...new Set(otherOwners(dir).map(({ owner }) => owner))];
      const outcome = folders.add(dir, by, owners);
      takeOver(dir);
      return outcome;
    },
  };
}

function takeOver(dir: string): void {
  const state = openLocalState(dir);
  if (["absent", "ours"].includes(state.look().is)) return;
  try {
    state.adopt();
  } catch (error) {
    // What git tracks stays unused; status and doctor say so.
    if (!(error instanceof MemoryError) || error.code !== "foreign_state") throw error;
  }
}

/** Why the `.heartwood/` of a trusted folder is not used all the same; empty when it is. */
export function unusedState(dir: string): string {
  const standing = openLocalState(dir).look();
  return standing.is === "foreign" ? standing.message : "";
}
