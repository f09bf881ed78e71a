/** The clients that heartwood can be installed into. */
export const clientNames = [
  "claude-code",
  "codex",
  "opencode",
  "openclaw",
  "gemini",
  "copilot",
  "cursor",
  "windsurf",
] as const;

export type ClientName = (typeof clientNames)[number];
