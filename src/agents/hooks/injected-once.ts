import type { Once } from "../../platform/once.ts";
import type { HookCall } from "./hook-call.ts";

/**
 * Whether this process is the one that injects: a client and a plugin may both have started one. On a disk that cannot tell, it is: twice is better than never.
 * `seconds`: since the epoch, when the event came.
 */
export async function isFirst(once: Once, call: HookCall, seconds: number): Promise<"yes" | "no"> {
  const nonceOf = (second: number): string =>
    // Several compactions may fall into one prompt, so only a prompt goes by its id.
    call.event === "prompt" && call.promptId !== "" ? `id-${call.promptId}` : `at-${second}`;
  const nameOf = (second: number): string => claimName(call, nonceOf(second));
  const now = nameOf(seconds);
  // Two processes of one event may see two seconds: the earlier one counts.
  const before = nameOf(seconds - 1);
  if (before !== now && (await once.isClaimed(before))) return "no";
  return (await once.claim(now)) === "taken" ? "no" : "yes";
}

/** Whether this process is the first that says something once in a session. */
export async function isFirstOfSession(once: Once, client: string, session: string): Promise<"yes" | "no"> {
  return (await once.claim(`${client}-${plain(session)}`)) === "taken" ? "no" : "yes";
}

/** Ids come from the client and may be anything. No digest: to load what makes one takes as long as all the rest of a claim. */
function claimName({ client, session, event, source }: HookCall, nonce: string): string {
  return [client, event, plain(session), plain(source), plain(nonce)].join("-");
}

/** Letters, digits and hyphens; other characters by their numbers. */
function plain(text: string): string {
  const name = text.replaceAll(/[^a-z0-9-]/gu, (one) => `-${(one.codePointAt(0) ?? 0).toString(36)}-`);
  return name.length <= longestPart ? name : `${name.slice(0, longestPart)}-${name.length}`;
}

const longestPart = 48;
