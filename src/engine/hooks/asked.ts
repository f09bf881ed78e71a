/** How the words begin that a client puts where those of a person stand. */
const internal = [
  "<task-notification>",
  "<command-name>",
  "<command-message>",
  "<local-command-",
  "<bash-input>",
  "<bash-stdout>",
];
const ours = /<<<([0-9a-f]{8,}) [^]*?\n\1>>>/gu;
const aroundOurs = /<hook_context>\s*<\/hook_context>/gu;

/** What a person said in a prompt; empty when it was none. What a hook put into it is left out: it would be looked for as if it had been asked. */
export function askedOf(prompt: string): string {
  const text = prompt.replaceAll(ours, "").replaceAll(aroundOurs, "").trim();
  return internal.some((beginning) => text.startsWith(beginning)) ? "" : text;
}
