import { attempt } from "./doctor-checks.ts";
import type { Check } from "./doctor-fix.ts";
import { hookErrorsPath, readHookErrors } from "../agents/hooks/errors.ts";
import type { Memory } from "./memory.ts";

/** Failures that are shown, the newest first. */
const shownErrors = 3;

/** What went wrong in hooks, which their clients never see. Nothing where nothing did. */
export async function checkHooks(memory: Memory): Promise<readonly Check[]> {
  return attempt("hooks", async () => {
    const errors = await readHookErrors(memory.files);
    const newest = errors.toReversed().slice(0, shownErrors);
    const more = errors.length - newest.length;
    return newest.map(({ at, client, event, message }, index): Check => {
      const rest = index === newest.length - 1 && more > 0 ? ` (${more} older in ${hookErrorsPath})` : "";
      const fix = `mend what it says; delete ${hookErrorsPath} when that is done`;
      return { name: "hooks", state: "note", message: `${at} ${client} ${event}: ${message}${rest}`, fix };
    });
  });
}
