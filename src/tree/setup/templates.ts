/** A hot file as `init` writes it, and the size it should keep. */
export interface HotFile {
  readonly path: string;
  /** Lines. */
  readonly target: number;
  /** What to do when it is over that. */
  readonly advice: string;
  readonly text: string;
  /** Platforms that keep this kind of memory themselves and get no such file. */
  readonly notFor: readonly string[];
}

const keepTheirOwn = ["claude-code"];

/** The files that an agent reads and writes all the time. */
export const hotFiles: readonly HotFile[] = [
  {
    path: "MEMORY.md",
    target: 50,
    advice: "merge the oldest lines below Adaptive and move their detail to knowledge/; what stands below Core stays",
    notFor: keepTheirOwn,
    text: `# Long-Term Memory

## Core (Static) — DO NOT compact or remove
<!-- What always holds: who the user is, how the project is set up, rules that never change. -->
<!-- Agent: add at the end. What stands here is never changed or removed. -->

## Adaptive (Dynamic) — Subject to compaction
<!-- What was learned and decided on the way. -->
<!-- Agent: add at the end. Above about 50 lines, merge the oldest lines and move their detail to knowledge/. -->
`,
  },
  {
    path: "USER.md",
    target: 50,
    advice: "merge what says the same and remove projects that are over",
    notFor: keepTheirOwn,
    text: `# User Profile

## Identity
- Name:
- Timezone:
- Language:

## Role & Expertise
- Role:
- Expertise:
- Communication style:

## Preferences
<!-- Agent: what the user likes and dislikes, as it turns up in conversations. -->

## Active Projects
<!-- Agent: what the user works on at present. -->
`,
  },
  {
    path: "SCRATCHPAD.md",
    target: 150,
    advice: "remove what is done or decided; log first what will matter later",
    notFor: [],
    text: `# Scratchpad

## Current State
<!-- Where things stand now. -->

## Cross-Task Lessons
<!-- What one task taught that others need. -->

## Pending Decisions
<!-- What is still open, and who decides it. -->
`,
  },
  {
    path: "WORKING.md",
    target: 100,
    advice: "remove the tasks that are done; log first what came out of them",
    notFor: [],
    text: `# Working

(no active tasks)

<!-- For each task, so that a new session can go on without reading everything again:
## [Task Name]

### Key Files
- path/to/file.ext:line — what is there

### Decisions
- took X, not Y — why

### Errors & Corrections
- what went wrong → what put it right

### Next Steps
- [ ] the next thing to do
- [ ] what follows it
-->
`,
  },
  {
    path: "TASK-QUEUE.md",
    target: 50,
    advice: "remove the tasks that are done; the log keeps what was done",
    notFor: [],
    text: `# Task Queue

## Queued
<!-- One task an item, with enough context to begin it in a new session. -->
<!-- Remove a task when it is done: the daily log keeps what was done. -->
`,
  },
];

/** The agents whose notes are kept in memory/agents/<name>/AGENT.md. */
export const agentNames = ["compaction", "recall", "flush"] as const;

/** Lines that an AGENT.md should keep below. */
export const agentNotesTarget = 30;

/** What to do with one that is over it. */
export const agentNotesAdvice = "remove the oldest patterns, and those that no longer hold";

/** heartwood.config.json with every default spelled out. */
export function configurationText(platform: string): string {
  const value = {
    platform,
    search: { vector: true, embedModel: "auto" },
    compaction: { rootMaxTokens: 3000, cooldownHours: 3 },
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}
