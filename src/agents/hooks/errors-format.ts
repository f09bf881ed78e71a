/** One failure of a hook, which its client never saw. */
export interface HookError {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly client: string;
  readonly event: string;
  readonly code: string;
  /** One sentence, without secrets. */
  readonly message: string;
}

/** One line of JSON with a line end. */
export function printHookError({ at, client, event, code, message }: HookError): string {
  return `${JSON.stringify({ at, client, event, code, message })}\n`;
}

/** The failures in a file, oldest first; a line that is none, as a torn one, is passed over. */
export function parseHookErrors(text: string): readonly HookError[] {
  return text.split("\n").flatMap((line) => {
    try {
      const value = JSON.parse(line) as unknown;
      return isHookError(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

function isHookError(value: unknown): value is HookError {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  return ["at", "client", "event", "code", "message"].every((name) => typeof fields[name] === "string");
}
