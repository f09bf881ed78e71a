import { stateFolder } from "./adapters/state-folder.ts";
import { openTrustedFolders, type TrustedFolders } from "./adapters/trusted-folders.ts";

/** `given`: the caller has the user's consent for this call, as with `--trust`. `recorded`: what `heartwood trust` recorded counts. */
export type Consent = "given" | "recorded";

/** The folders that the user trusts. */
export function openTrusted(): TrustedFolders {
  return openTrustedFolders(stateFolder());
}
