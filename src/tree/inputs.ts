import { memoryTypes } from "../base/memory-type.ts";
import { choice, flag, object, optional, outputFile, text, whole, type ValueOf } from "../base/schema.ts";

export const nothing = () => object({});

export const initInput = () =>
  object({ platform: optional(choice(platforms, "P", "the agent that will use this memory")) });

export const logAddInput = () =>
  object({
    topic: text("T", "what the entry is about, one line"),
    type: optional(choice(memoryTypes, "TYPE", "the type of memory (default: project)")),
    corrects: optional(
      text("PLACE", "the lines that were wrong (memory/2026-03-15.md:12-13, thread:ID:5); nothing gives them again"),
    ),
    body: optional(text("TEXT", "the text of the entry", { place: "stdin_or_option" })),
    rule: optional(text("TEXT", "feedback: the rule")),
    why: optional(text("TEXT", "feedback: the reason for it")),
    how_to_apply: optional(text("TEXT", "feedback: when and where it applies")),
    date: optional(text("DATE", "the day the entry belongs to, if not today")),
    id: optional(text("ID", "an id for the entry; adding an entry twice with the same id adds it only once")),
    origin: optional(
      choice(
        ["user", "agent", "tool", "import", "file"] as const,
        "ORIGIN",
        "who the entry comes from (default: agent); tool is not allowed for user and feedback entries",
      ),
    ),
  });
export type LogAddInput = ValueOf<ReturnType<typeof logAddInput>>;

export const logPromoteInput = () =>
  object({
    place: text("PLACE", "a line of a log (memory/2026-03-12.md:181) or a node, ROOT:LINE, or part of a ROOT.md line", {
      place: "argument",
    }),
    type: optional(choice(["feedback", "user"] as const, "TYPE", "the type of memory (default: feedback)")),
    topic: optional(text("T", "what the entry is about, one line (default: taken from the line)")),
    date: optional(text("DATE", "the day the entry belongs to, if not today")),
  });
export type LogPromoteInput = ValueOf<ReturnType<typeof logPromoteInput>>;

const changedEntry = () =>
  text("ENTRY", "the id of the entry, or its lines in a log (memory/2026-03-12.md:18)", { place: "argument" });

export const logEditInput = () =>
  object({
    entry: changedEntry(),
    body: optional(text("TEXT", "the new text of the entry (default: as it is)", { place: "stdin_or_option" })),
    topic: optional(text("T", "what the entry is about, one line (default: as it is)")),
    type: optional(choice(memoryTypes, "TYPE", "the type of memory (default: as it is)")),
  });
export type LogEditInput = ValueOf<ReturnType<typeof logEditInput>>;

export const logRemoveInput = () => object({ entry: changedEntry() });
export type LogRemoveInput = ValueOf<ReturnType<typeof logRemoveInput>>;

export const topicChangeInput = () =>
  object({
    from: text("OLD", "the topic as it is called now", { place: "argument" }),
    to: text("NEW", "the name it gets", { place: "argument" }),
  });

export const topicMergeInput = () =>
  object({
    from: text("TOPIC", "the topic whose entries move", { place: "argument" }),
    to: text("INTO", "the topic that gets them", { place: "argument" }),
  });
export type TopicChangeInput = ValueOf<ReturnType<typeof topicChangeInput>>;

export const topicShowInput = () => object({ name: text("TOPIC", "the name of the topic", { place: "argument" }) });
export type TopicShowInput = ValueOf<ReturnType<typeof topicShowInput>>;

export const dismissInput = () => object({ id: text("ID", "the id of the item", { place: "argument" }) });

export const logUndoInput = () =>
  object({
    record: optional(
      text("RECORD", "the change to undo, as its command returned it (default: the newest)", { place: "argument" }),
    ),
  });
export type LogUndoInput = ValueOf<ReturnType<typeof logUndoInput>>;

export const reportInput = () =>
  object({ html: optional(outputFile("write the page to FILE (default: return it, on the command line print it)")) });
export type ReportInput = ValueOf<ReturnType<typeof reportInput>>;

export const compactInput = () =>
  object({
    cycles: optional(whole(1, 100_000, "run at most N cycles of one node per level")),
    if_due: flag("run only when due (depends on cooldown, lines and entries)"),
    dry_run: flag("show the plan and write nothing"),
    reopen: optional(
      text(
        "PERIOD",
        "rebuild a fixed period and its ancestors; FROM..TO for a range, late for all periods with addenda",
      ),
    ),
    accept: optional(
      text(
        "PERIOD",
        "like --reopen, and take logs that a person edited or removed as they are now; all for all of them",
      ),
    ),
  });
export type CompactInput = ValueOf<ReturnType<typeof compactInput>>;

export const showInput = () =>
  object({
    period: optional(text("PERIOD", "2026-03-15, 2026-W11, 2026-03 or ROOT (default: ROOT)", { place: "argument" })),
    as_of: optional(text("DATE", "as it was at the end of this day, made only from what had been recorded by then")),
  });
export type ShowInput = ValueOf<ReturnType<typeof showInput>>;

export const rootInput = () =>
  object({
    max_tokens: optional(whole(100, 1_000_000, "use at most N o200k tokens")),
    max_chars: optional(whole(400, 10_000_000, "use at most N characters")),
    dropped: flag("list what did not fit and why"),
  });
export type RootInput = ValueOf<ReturnType<typeof rootInput>>;

export const traceInput = () =>
  object({
    text: text(
      "TEXT",
      "part of a ROOT.md line, or ROOT:LINE; with --forward: lines of a log (memory/2026-03-15.md:12-18), messages of a thread (thread:ID:5), or the id of an entry",
      { place: "argument" },
    ),
    forward: flag("list everything that comes from the place"),
  });
export type TraceInput = ValueOf<ReturnType<typeof traceInput>>;

const versions = "a day (2026-03-15), a folder (./other), or a git branch, tag or commit";

export const diffInput = () =>
  object({
    from: text("A", versions, { place: "argument" }),
    to: optional(text("B", `${versions} (default: the memory as it is now)`, { place: "argument" })),
  });
export type DiffInput = ValueOf<ReturnType<typeof diffInput>>;

export const pullRequestInput = () =>
  object({
    base: optional(text("BASE", "the branch or commit to compare with (default: HEAD^)", { place: "argument" })),
    head: optional(text("HEAD", "the branch or commit of the pull request (default: HEAD)", { place: "argument" })),
  });
export type PullRequestInput = ValueOf<ReturnType<typeof pullRequestInput>>;

export const doctorInput = () =>
  object({
    fix: flag("repair what is safe to repair"),
    cost: flag("also show how many tokens heartwood adds to every request of each client"),
  });
export type DoctorInput = ValueOf<ReturnType<typeof doctorInput>>;

export const forgetInput = () =>
  object({
    text: optional(text("TEXT", "forget the lines and messages that contain this text", { place: "argument" })),
    entry: optional(text("ID", "forget the entry with this id")),
    day: optional(text("D", "forget everything logged on this day, 2026-03-15; with --lines, of memory/D.md")),
    lines: optional(text("A-B", "with --day: only these lines")),
    topic: optional(text("T", "forget all entries with this topic")),
    thread: optional(text("ID", "forget all messages of this thread")),
    message: optional(text("ID", "with --thread: only the message with this id or seq")),
    dry_run: flag("show what would go and change nothing"),
    yes: flag("do it without asking"),
    code: optional(text("CODE", "do it if what would go is still what was shown with this code")),
  });
export type ForgetInput = ValueOf<ReturnType<typeof forgetInput>>;

export const verifyInput = () =>
  object({ forgotten: flag("check that nothing that was forgotten is in any byte that heartwood keeps") });
export type VerifyInput = ValueOf<ReturnType<typeof verifyInput>>;

export const readInput = () =>
  object({
    place: text(
      "PLACE",
      "ROOT, 2026-03-15 (its node, or its log if there is none), 2026-W11, 2026-03, memory/2026-03-15.md (the whole log), memory/2026-03-15.md:12-18 or thread:ID:5-7",
      { place: "argument" },
    ),
  });
export type ReadInput = ValueOf<ReturnType<typeof readInput>>;

/** The supported agent platforms; `plain` means none of them. */
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
