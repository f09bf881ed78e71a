import { withoutInjected } from "../capture/injected.ts";

/** How the words begin that a client puts where those of a person stand. */
const internal = [
  "<task-notification>",
  "<command-name>",
  "<command-message>",
  "<local-command-",
  "<bash-input>",
  "<bash-stdout>",
];

/** What a person said in a prompt; empty when it was none. What a hook put into it is left out: it would be looked for as if it had been asked. */
export function askedOf(prompt: string): string {
  const text = withoutInjected(prompt).trim();
  return internal.some((beginning) => text.startsWith(beginning)) ? "" : text;
}
