import type { RootTexts } from "./prompt.ts";

export const rootPromptEn: RootTexts = {
  task: "Write three sections of ROOT.md, the page of a memory that an AI agent reads at the beginning of every session. The sources are what is kept of its months, weeks and days. The page also has an index of all topics, which the program writes. Write dense keywords, not a narrative.",
  headings:
    "Use these headings exactly as they stand here, in this order. `## Active Context` is required; leave out another section that has nothing to say:",
  sections: {
    "Active Context": "what is in progress, what comes next and what matters most now, from about the last 7 days.",
    "Recent Patterns": "insights that hold across topics and are not tied to one day.",
    "Historical Summary":
      "what is over, briefly and by period, as in `- 2026-01: …` or `- 2026-01~02: …`; the older, the shorter.",
  },
  item: "Below the headings stand list items only, each on one line of at most 220 characters: `- topic: text`. Call a topic by the name that the sources use. Put no line numbers and no sources behind an item.",
  budget: "At most {tokens} tokens and {lines} lines. Cut Historical Summary first.",
  types: {
    user: "`user` (what is known of the person): always preserved, by the program: it writes these lines itself. Write none; never in Historical Summary.",
    feedback:
      "`feedback` (how somebody wants things done): always preserved, with its rule, why and how-to-apply, by the program too. Write none; never in Historical Summary.",
    project:
      "`project`: compress what is completed into Historical Summary; preserve what is active in Active Context.",
    reference: "`reference`: keep the URL or pointer and one line that describes it; drop what stands around it.",
  },
};
