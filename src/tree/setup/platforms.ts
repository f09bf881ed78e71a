/** The agents that a memory can be made for; `plain` is none of them. */
export const platforms = [
  "plain",
  "claude-code",
  "openclaw",
  "opencode",
  "codex",
  "gemini",
  "copilot",
  "cursor",
  "windsurf",
] as const;
