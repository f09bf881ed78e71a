import type { HookEvent } from "../../src/agents/hooks/hook-call.ts";

/** What a client writes to standard input for an event, according to its documentation and recorded runs. */
export interface Shape {
  readonly client: string;
  readonly name: string;
  readonly is: HookEvent;
  readonly input: (dir: string) => Readonly<Record<string, unknown>>;
}

const session = "0b0ad7f4-3c55-4b3c-9f0e-6f1f5c8f7a11";
export const asked = "Which limiter did we take for payments?";

function claude(event: string, more: Readonly<Record<string, unknown>>): Shape["input"] {
  return (dir) => ({
    session_id: session,
    transcript_path: `${dir}/../transcript.jsonl`,
    cwd: dir,
    hook_event_name: event,
    permission_mode: "default",
    ...more,
  });
}

function codex(event: string, more: Readonly<Record<string, unknown>>): Shape["input"] {
  return (dir) => ({
    session_id: session,
    transcript_path: `${dir}/../rollout.jsonl`,
    cwd: dir,
    hook_event_name: event,
    model: "stub",
    permission_mode: "default",
    ...more,
  });
}

function gemini(event: string, more: Readonly<Record<string, unknown>>): Shape["input"] {
  return (dir) => ({
    session_id: session,
    transcript_path: `${dir}/../session.jsonl`,
    cwd: dir,
    hook_event_name: event,
    timestamp: "2026-03-24T10:00:00.000Z",
    ...more,
  });
}

function copilot(more: Readonly<Record<string, unknown>>): Shape["input"] {
  return (dir) => ({ sessionId: session, timestamp: 1_774_346_400_000, cwd: dir, ...more });
}

function cursor(event: string, more: Readonly<Record<string, unknown>>): Shape["input"] {
  return (dir) => ({
    conversation_id: session,
    generation_id: "g-1",
    hook_event_name: event,
    workspace_roots: [dir],
    model: "stub",
    cursor_version: "3.20.17",
    ...more,
  });
}

export const shapes: readonly Shape[] = [
  {
    client: "claude-code",
    name: "SessionStart",
    is: "session-start",
    input: claude("SessionStart", { source: "startup" }),
  },
  {
    client: "claude-code",
    name: "UserPromptSubmit",
    is: "prompt",
    input: claude("UserPromptSubmit", { prompt: asked, prompt_id: "p-1", source: "user" }),
  },
  {
    client: "claude-code",
    name: "Stop",
    is: "turn-end",
    input: claude("Stop", { stop_hook_active: false, last_assistant_message: "Done.", background_tasks: [] }),
  },
  {
    client: "claude-code",
    name: "PreCompact",
    is: "before-compaction",
    input: claude("PreCompact", { trigger: "auto", custom_instructions: null }),
  },
  { client: "claude-code", name: "SessionEnd", is: "session-end", input: claude("SessionEnd", { reason: "other" }) },
  { client: "codex", name: "SessionStart", is: "session-start", input: codex("SessionStart", { source: "startup" }) },
  {
    client: "codex",
    name: "UserPromptSubmit",
    is: "prompt",
    input: codex("UserPromptSubmit", { turn_id: "t-1", prompt: asked }),
  },
  {
    client: "codex",
    name: "Stop",
    is: "turn-end",
    input: codex("Stop", { turn_id: "t-1", stop_hook_active: false, last_assistant_message: "Done." }),
  },
  { client: "codex", name: "PreCompact", is: "before-compaction", input: codex("PreCompact", { trigger: "auto" }) },
  { client: "codex", name: "SessionEnd", is: "session-end", input: codex("SessionEnd", { reason: "other" }) },
  { client: "gemini", name: "SessionStart", is: "session-start", input: gemini("SessionStart", { source: "startup" }) },
  { client: "gemini", name: "BeforeAgent", is: "prompt", input: gemini("BeforeAgent", { prompt: asked }) },
  {
    client: "gemini",
    name: "AfterAgent",
    is: "turn-end",
    input: gemini("AfterAgent", { prompt: asked, prompt_response: "Done.", stop_hook_active: false }),
  },
  { client: "gemini", name: "PreCompress", is: "before-compaction", input: gemini("PreCompress", { trigger: "auto" }) },
  { client: "gemini", name: "SessionEnd", is: "session-end", input: gemini("SessionEnd", { reason: "exit" }) },
  {
    client: "copilot",
    name: "sessionStart",
    is: "session-start",
    input: copilot({ source: "new", initialPrompt: asked }),
  },
  { client: "copilot", name: "userPromptSubmitted", is: "prompt", input: copilot({ prompt: asked }) },
  {
    client: "copilot",
    name: "agentStop",
    is: "turn-end",
    input: copilot({ transcriptPath: "/nowhere/events.jsonl", stopReason: "end_turn", stop_hook_active: false }),
  },
  { client: "copilot", name: "preCompact", is: "before-compaction", input: copilot({ trigger: "auto" }) },
  { client: "copilot", name: "sessionEnd", is: "session-end", input: copilot({ reason: "complete" }) },
  { client: "cursor", name: "sessionStart", is: "session-start", input: cursor("sessionStart", {}) },
  {
    client: "cursor",
    name: "beforeSubmitPrompt",
    is: "prompt",
    input: cursor("beforeSubmitPrompt", { prompt: asked }),
  },
  { client: "cursor", name: "stop", is: "turn-end", input: cursor("stop", { status: "completed" }) },
  {
    client: "windsurf",
    name: "pre_user_prompt",
    is: "prompt",
    input: () => ({
      agent_action_name: "pre_user_prompt",
      trajectory_id: session,
      execution_id: "e-1",
      timestamp: "2026-03-24T10:00:00Z",
      tool_info: { user_prompt: asked },
    }),
  },
  {
    client: "windsurf",
    name: "post_cascade_response",
    is: "turn-end",
    input: () => ({
      agent_action_name: "post_cascade_response",
      trajectory_id: session,
      execution_id: "e-1",
      tool_info: {},
    }),
  },
  {
    client: "opencode",
    name: "session.created",
    is: "session-start",
    input: (dir) => ({ session_id: session, cwd: dir, source: "startup" }),
  },
  {
    client: "opencode",
    name: "chat.message",
    is: "prompt",
    input: (dir) => ({ session_id: session, cwd: dir, prompt_id: "m-1", prompt: asked }),
  },
  { client: "opencode", name: "session.idle", is: "turn-end", input: (dir) => ({ session_id: session, cwd: dir }) },
  {
    client: "openclaw",
    name: "before_prompt_build",
    is: "prompt",
    input: (dir) => ({ session_id: session, cwd: dir, prompt: asked }),
  },
];
