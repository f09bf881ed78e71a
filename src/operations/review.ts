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
] as const;
