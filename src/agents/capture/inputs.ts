import { choice, flag, object, optional, text, whole, type ValueOf } from "../../base/schema.ts";

const agents = ["claude-code", "codex", "gemini", "copilot", "opencode", "openclaw"] as const;
const withExports = [...agents, "chatgpt", "claude-ai"] as const;

export const captureInput = () =>
  object({
    client: choice(agents, "CLIENT", agents.join(", "), { place: "argument" }),
    path: optional(
      text("PATH", "the transcript (default: the newest one for this project folder)", { place: "argument" }),
    ),
    session: optional(text("ID", "the session, if the transcript contains several")),
    /** What the caller knows has ended. */
    ended: optional(
      choice(
        ["turn", "session"],
        "WHAT",
        "what has ended: the turn or the session (default: taken from the transcript)",
      ),
    ),
    all: flag("every session for this project folder, including those that ended without a hook"),
  });
export type CaptureInput = ValueOf<ReturnType<typeof captureInput>>;

export const historyInput = () =>
  object({
    client: choice(withExports, "CLIENT", withExports.join(", "), { place: "argument" }),
    path: optional(
      text("PATH", "a file or a folder (default: the sessions for this project folder)", { place: "argument" }),
    ),
    all: flag("without a path: include sessions from other folders"),
    dry_run: flag("show what would be imported, and write nothing"),
  });
export type HistoryInput = ValueOf<ReturnType<typeof historyInput>>;

export const replayInput = () =>
  object({
    session: text("SESSION", "a session from `heartwood sessions`, or part of its id", { place: "argument" }),
    number: optional(whole(1, 1_000_000, "only this text, exactly as it was given")),
  });
export type ReplayInput = ValueOf<ReturnType<typeof replayInput>>;
