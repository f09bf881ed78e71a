import type { HookAnswer, HookEvent, Space } from "../../agents/hooks/hook-call.ts";

/** What a client calls an event, and in which form it takes a text for it; without a form it takes none. */
export interface ClientEvent {
  readonly name: string;
  readonly is: HookEvent;
  readonly form?: TextForm;
}

/**
 * `hook_specific`: `{"hookSpecificOutput": {"hookEventName", "additionalContext"}}`. `additionalContext`, `additional_context`: an object with that key alone. `text`: as it is.
 */
type TextForm = "hook_specific" | "additionalContext" | "additional_context" | "text";

/** How heartwood and a client talk. */
export interface HookClient {
  readonly name: string;
  readonly events: readonly ClientEvent[];
  readonly space: Space;
  /** Whether `heartwood capture` reads its transcripts. */
  readonly captured: "yes" | "no";
  /** Whether the client shows the user a `systemMessage` of a hook. Where it does not, a notice goes to the model, marked as one for the user. */
  readonly notices: "shown" | "as context";
}

/** 10,000 characters are too many for Claude Code and Cursor (measured, and told), with room for what is around. */
const usual: Space = { characters: 9500 };
/** Codex cuts at 2,500 tokens, which it takes to be 4 bytes each. */
const ofCodex: Space = { characters: 9200, bytes: 9200, tokens: 2300 };

const hookSpecific = (name: string, is: HookEvent): ClientEvent => ({ name, is, form: "hook_specific" });

export const hookClients: readonly HookClient[] = [
  {
    name: "claude-code",
    events: [
      hookSpecific("SessionStart", "session-start"),
      hookSpecific("UserPromptSubmit", "prompt"),
      { name: "Stop", is: "turn-end" },
      { name: "PreCompact", is: "before-compaction", form: "text" },
      { name: "SessionEnd", is: "session-end" },
    ],
    space: usual,
    captured: "yes",
    notices: "shown",
  },
  {
    name: "codex",
    events: [
      hookSpecific("SessionStart", "session-start"),
      hookSpecific("UserPromptSubmit", "prompt"),
      { name: "Stop", is: "turn-end" },
      { name: "PreCompact", is: "before-compaction" },
      { name: "SessionEnd", is: "session-end" },
    ],
    space: ofCodex,
    captured: "yes",
    notices: "shown",
  },
  {
    name: "gemini",
    events: [
      hookSpecific("SessionStart", "session-start"),
      hookSpecific("BeforeAgent", "prompt"),
      { name: "AfterAgent", is: "turn-end" },
      { name: "PreCompress", is: "before-compaction" },
      { name: "SessionEnd", is: "session-end" },
    ],
    space: usual,
    captured: "yes",
    notices: "shown",
  },
  {
    name: "copilot",
    events: [
      { name: "sessionStart", is: "session-start", form: "additionalContext" },
      { name: "userPromptSubmitted", is: "prompt", form: "additionalContext" },
      { name: "agentStop", is: "turn-end" },
      { name: "preCompact", is: "before-compaction" },
      { name: "sessionEnd", is: "session-end" },
    ],
    space: usual,
    captured: "yes",
    notices: "as context",
  },
  {
    name: "opencode",
    events: [
      { name: "session.created", is: "session-start", form: "text" },
      { name: "chat.message", is: "prompt", form: "text" },
      { name: "session.idle", is: "turn-end" },
      { name: "experimental.session.compacting", is: "before-compaction", form: "text" },
      { name: "dispose", is: "session-end" },
    ],
    space: usual,
    captured: "yes",
    notices: "as context",
  },
  {
    name: "openclaw",
    events: [
      { name: "session_start", is: "session-start", form: "text" },
      { name: "before_prompt_build", is: "prompt", form: "text" },
      { name: "agent_end", is: "turn-end" },
      { name: "before_compaction", is: "before-compaction" },
      { name: "session_end", is: "session-end" },
    ],
    space: usual,
    captured: "yes",
    notices: "as context",
  },
  {
    name: "cursor",
    events: [
      { name: "sessionStart", is: "session-start", form: "additional_context" },
      { name: "beforeSubmitPrompt", is: "prompt", form: "additional_context" },
      { name: "stop", is: "turn-end" },
      { name: "preCompact", is: "before-compaction" },
      { name: "sessionEnd", is: "session-end" },
    ],
    space: usual,
    captured: "no",
    notices: "as context",
  },
  {
    name: "windsurf",
    events: [
      { name: "pre_user_prompt", is: "prompt" },
      { name: "post_cascade_response", is: "turn-end" },
      { name: "post_cascade_response_with_transcript", is: "turn-end" },
    ],
    space: usual,
    captured: "no",
    notices: "as context",
  },
];

/** The event of a client by its own name or ours. */
export function eventOf(client: HookClient, name: string): ClientEvent | undefined {
  return client.events.find((event) => event.name === name) ?? client.events.find((event) => event.is === name);
}

/** What goes to standard output; nothing where the client takes none, or there is none. The notice is safe to show (`noticeFrom`). */
export function printAnswer(client: HookClient, { name, form }: ClientEvent, { text, notice }: HookAnswer): string {
  const isShown = client.notices === "shown";
  const systemMessage = notice === "" || !isShown ? undefined : `heartwood: ${notice}`;
  const toPassOn = notice === "" || isShown ? "" : `Tell the user: heartwood: ${notice}`;
  const context = [toPassOn, text].filter((part) => part !== "").join("\n\n");
  const additionalContext = context === "" ? undefined : context;
  if (form === undefined) return printObject({ systemMessage });
  switch (form) {
    case "text":
      return context === "" ? "" : `${context}\n`;
    case "additionalContext":
    case "additional_context":
      return printObject({ [form]: additionalContext });
    case "hook_specific": {
      const output = additionalContext === undefined ? undefined : { hookEventName: name, additionalContext };
      return printObject({ systemMessage, hookSpecificOutput: output });
    }
  }
}

function printObject(fields: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(fields);
  return text === "{}" ? "" : `${text}\n`;
}

/** A message as one line for the user: without secrets, and without characters that a terminal acts on. */
export async function noticeFrom(message: string): Promise<string> {
  if (message === "") return "";
  const { shown } = await import("../../text/shown.ts");
  return shown(message, 600);
}
