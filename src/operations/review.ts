import { pinInput } from "../recall/search/inputs-and-results.ts";
import * as i from "../tree/inputs.ts";
import { defineOperation } from "./operation.ts";

/** Operations with which a person looks through the memory. */
export const reviewOperations = [
  defineOperation({
    name: "topic.list",
    command: ["topic", "list"],
    summary: "List the topics, with their days and age",
    description:
      "Lists every topic of the tree with its type, its days, its age and the number of its entries, and whether ROOT.md has a line about it. The topic mentioned last comes first.",
    input: i.nothing,
    examples: ["heartwood topic list", "heartwood topic list --json"],
    load: async () => (await import("../tree/root-run/topics.ts")).readTopics,
  }),
  defineOperation({
    name: "topic.show",
    command: ["topic", "show"],
    summary: "Show what holds about a topic, and what it replaced",
    description:
      "Shows the current statements about a topic, each with its day and place and with the older statements that it replaced, and the places of its entries.",
    input: i.topicShowInput,
    examples: ['heartwood topic show "Rate limiting"'],
    load: async () => (await import("../tree/root-run/topics.ts")).showTopic,
  }),
  defineOperation({
    name: "memory.inbox",
    command: ["inbox"],
    summary: "List what needs a person",
    description:
      "Lists what a person should decide on, newest first: what a later statement replaced in the last 60 days, rules and preferences that the user said and no entry has, references to missing files, and conflict markers of git. " +
      "Each item quotes its texts with their places and names what can be done about it.",
    input: i.nothing,
    examples: ["heartwood inbox", "heartwood inbox --json"],
    load: async () => (await import("./inbox.ts")).readInbox,
  }),
  defineOperation({
    name: "memory.dismiss",
    command: ["inbox", "dismiss"],
    summary: "Hide an item of the inbox until its text changes",
    description:
      "Hides an item of the inbox. It comes back if its text changes, or with `heartwood log undo`. Logs, nodes and ROOT.md do not change.",
    input: i.dismissInput,
    examples: ["heartwood inbox dismiss 6f1c2e0a9b3d4857"],
    effect: "writes",
    load: async () => (await import("./inbox.ts")).dismissItem,
  }),
  defineOperation({
    name: "recall.pin",
    command: ["pin", "add"],
    summary: "Give a place first in recall, if it matches the message at all",
    description:
      "Recall and the hook at a prompt give the lines or messages at a place before everything else, as soon as they share a word with the message, and mark them. A new pin replaces those that overlap it. " +
      "Recorded for every clone of the memory. ROOT.md and the tree do not change.",
    input: pinInput,
    examples: ["heartwood pin add memory/2026-03-05.md:7"],
    effect: "writes",
    load: async () => (await import("../recall/run/pin.ts")).pinPlace,
  }),
  defineOperation({
    name: "recall.never",
    command: ["pin", "never"],
    summary: "Leave a place out of recall",
    description:
      "No recall and no hook at a prompt gives a passage that overlaps the place, or its copy in a thread or a log. `heartwood search` still shows it, with a mark. " +
      "Recorded for every clone of the memory. ROOT.md and the tree do not change: `heartwood log remove` takes an entry out of them.",
    input: pinInput,
    examples: ["heartwood pin never memory/2026-03-05.md:7-8"],
    effect: "writes",
    load: async () => (await import("../recall/run/pin.ts")).neverRecall,
  }),
  defineOperation({
    name: "recall.unpin",
    command: ["pin", "remove"],
    summary: "Take back every pin that overlaps a place",
    description: "Recall treats the place like any other again, whether it was to come first or never.",
    input: pinInput,
    examples: ["heartwood pin remove memory/2026-03-05.md:7"],
    effect: "writes",
    load: async () => (await import("../recall/run/pin.ts")).unpinPlace,
  }),
  defineOperation({
    name: "recall.pins",
    command: ["pin", "list"],
    summary: "List what recall gives first or never",
    description: "Lists the pinned places, newest first, each with its text and where it is now.",
    input: i.nothing,
    examples: ["heartwood pin list"],
    load: async () => (await import("../recall/run/pin.ts")).listPins,
  }),
  defineOperation({
    name: "memory.report",
    command: ["report"],
    summary: "Make one HTML file of ROOT.md and the tree, to keep or to share",
    description:
      "Makes a page without scripts: ROOT.md with its budget, and the months, weeks and days below it. Each line of ROOT.md links to the nodes and log lines that it comes from. " +
      "Secrets are replaced. The page takes at most 20 MB; the texts of older days beyond that are left out.",
    input: i.reportInput,
    examples: ["heartwood report --html memory.html"],
    load: async () => (await import("../tree/inspect/report.ts")).runReport,
  }),
] as const;
