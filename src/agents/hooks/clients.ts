import type { ClientName } from "../install/client-files.ts";
import { hookEvents, type HookAnswer, type HookCall, type HookEvent, type Space } from "./hook-call.ts";

/** A client's name for an event and the format in which it accepts text; without a format it accepts none. */
export interface ClientEvent {
  readonly name: string;
  readonly is: HookEvent;
  readonly form?: TextForm;
}

/**
 * `hook_specific`: `{"hookSpecificOutput": {"hookEventName", "additionalContext"}}`. `additionalContext`, `additional_context`: an object with only that key. `text`: plain text.
 */
type TextForm = "hook_specific" | "additionalContext" | "additional_context" | "text";

export interface HookClient {
  readonly name: ClientName;
  readonly events: readonly ClientEvent[];
  readonly space: Space;
  readonly profile: HookCall["profile"];
  readonly start: HookCall["start"];
  readonly compaction?: HookCall["compaction"];
  /** Whether `heartwood capture` reads the client's transcripts. */
  readonly captured: "yes" | "no";
  /** Whether the client shows the user a hook's `systemMessage`. If not, a notice goes to the model, which is asked to pass it on. */
  readonly notices: "shown" | "as context";
}

/** Claude Code and Cursor refuse 10,000 characters (measured and documented); the margin is for what surrounds the text. */
const usual: Space = { characters: 9500 };
/** Codex cuts at 2,500 tokens, which it counts as 4 bytes each. */
const ofCodex: Space = { characters: 9200, bytes: 9200, tokens: 2300 };

/** Events by the client's names, in the order of `hookEvents`. `keeps`: the client also accepts text about what to keep in a compaction. */
function named(names: readonly string[], form: TextForm, keeps?: "keeps"): readonly ClientEvent[] {
  return hookEvents.map((is, at) => {
    const name = names[at] ?? is;
    if (is === "session-start" || is === "prompt") return { name, is, form };
    return is === "before-compaction" && keeps !== undefined ? { name, is, form: "text" } : { name, is };
  });
}

const ofClaude = ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"];
const ofGemini = ["SessionStart", "BeforeAgent", "AfterAgent", "PreCompress", "SessionEnd"];
const ofCopilot = ["sessionStart", "userPromptSubmitted", "agentStop", "preCompact", "sessionEnd"];
const ofOpencode = ["session.created", "chat.message", "session.idle", "experimental.session.compacting", "dispose"];
const ofOpenclaw = ["session_start", "before_prompt_build", "agent_end", "before_compaction", "session_end"];
const ofCursor = ["sessionStart", "beforeSubmitPrompt", "stop", "preCompact", "sessionEnd"];

const common = { space: usual, captured: "yes", profile: "wanted", start: "kept" } as const;
const shown = { ...common, notices: "shown" } as const;
const passedOn = { ...common, notices: "as context" } as const;

export const hookClients: readonly HookClient[] = [
  {
    name: "claude-code",
    events: [
      ...named(ofClaude, "hook_specific", "keeps"),
      { name: "SubagentStart", is: "subagent-start", form: "hook_specific" },
    ],
    ...shown,
  },
  { name: "codex", events: named(ofClaude, "hook_specific"), ...shown, space: ofCodex },
  { name: "gemini", events: named(ofGemini, "hook_specific"), ...shown, start: "prompt", compaction: "transcript" },
  { name: "copilot", events: named(ofCopilot, "additionalContext"), ...passedOn, start: "prompt", compaction: "event" },
  { name: "opencode", events: named(ofOpencode, "text", "keeps"), ...passedOn },
  { name: "openclaw", events: named(ofOpenclaw, "text"), ...passedOn, profile: "had", start: "system" },
  { name: "cursor", events: named(ofCursor, "additional_context"), ...passedOn, captured: "no" },
  {
    name: "windsurf",
    events: [
      { name: "pre_user_prompt", is: "prompt" },
      { name: "post_cascade_response", is: "turn-end" },
      { name: "post_cascade_response_with_transcript", is: "turn-end" },
    ],
    ...passedOn,
    captured: "no",
  },
];

/** A client's event, by the client's name or ours. */
export function eventOf(client: HookClient, name: string): ClientEvent | undefined {
  return client.events.find((event) => event.name === name) ?? client.events.find((event) => event.is === name);
}

/** What to print on standard output; empty if there is nothing to say or the client accepts no text. The notice must be one safe line. */
export function printAnswer(
  { notices }: HookClient,
  { name, form }: ClientEvent,
  { text, notice }: HookAnswer,
): string {
  const said = notice === "" ? [] : [`heartwood: ${notice}`];
  const [systemMessage] = notices === "shown" ? said : [];
  const toPassOn = notices === "shown" ? [] : said.map((line) => `Tell the user: ${line}`);
  const context = [...toPassOn, text].filter((part) => part !== "").join("\n\n");
  if (form === "text") return context === "" ? "" : `${context}\n`;
  if (form === undefined) return printObject({ systemMessage });
  const additionalContext = context === "" ? undefined : context;
  if (form !== "hook_specific") return printObject({ [form]: additionalContext });
  const hookSpecificOutput = additionalContext && { hookEventName: name, additionalContext };
  return printObject({ systemMessage, hookSpecificOutput });
}

function printObject(fields: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(fields);
  return text === "{}" ? "" : `${text}\n`;
}

/** A message as one line for the user, without secrets and terminal control characters. */
export async function noticeFrom(message: string): Promise<string> {
  if (message === "") return "";
  const { shown } = await import("../../text/shown.ts");
  return shown(message, 600);
}
