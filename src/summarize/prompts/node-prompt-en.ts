import type { NodeTexts } from "./prompt.ts";

export const nodePromptEn: NodeTexts = {
  task: {
    daily:
      "Summarise one day of a memory for AI agents: {period}. The sources are the logs of the day. Agents find the day by the words of your summary and open the logs only when they need more, so write dense keywords, not a narrative.",
    weekly:
      "Summarise one week of a memory for AI agents: {period}. The sources are what is kept of its days, the oldest first. Agents find the week by the words of your summary and go on to its days only when they need more, so write dense keywords, not a narrative.",
    monthly:
      "Summarise one month of a memory for AI agents: {period}. The sources are what is kept of its weeks, the oldest first. Agents find the month by the words of your summary and go on to its weeks only when they need more, so write dense keywords, not a narrative.",
  },
  headings:
    "Use these headings exactly as they stand here, in this order. `## Topics` and at least one more section with items are required; leave out a section that has nothing to say:",
  sections: {
    Topics:
      "every topic, the most important first: `- name [type]: keyword, keyword`, with at most 12 keywords. The type is `project`, `user`, `feedback` or `reference`; write `[project, done]` when a project is completed. Use the names that the sources use.",
    "User and Feedback": "the headings of the entries listed below, and nothing else.",
    "Key Decisions": "what was decided, over what, and why.",
    "Tasks Completed": "what was finished, with its outcome.",
    "Lessons Learned": "what was learned, put as a short rule.",
    "Open Items": "what is not done, not decided or not known yet.",
    "Entities Referenced":
      "`- files: …`, `- services: …`, `- errors: …`, `- users: …`, each with names separated by commas.",
    Notes: "what else somebody will look for.",
    "Key Themes": "what went on over several weeks.",
    "Major Decisions": "what was decided, over what, and why.",
    "Completed Work": "what was finished, with its outcome.",
    "Recurring Entities":
      "`- files: …`, `- services: …`, `- errors: …`, `- users: …`, each with names separated by commas: those that came up again and again.",
    "Lessons & Patterns": "what was learned or kept coming back, put as a short rule.",
    "Carried Forward": "what is still open at the end of the month.",
  },
  item: "Below the headings stand list items only, each on one line of at most 220 characters: `- topic: text`, or `- text` when it belongs to no topic. Call a topic by the same name everywhere, and repeat important keywords instead of varying them. Put no line numbers and no sources behind an item.",
  budget: "At most {tokens} tokens and {lines} lines. A short line for every topic is better than long ones for a few.",
  types: {
    user: "`user` (what is known of the person): always preserved, however old.",
    feedback: "`feedback` (how somebody wants things done): always preserved, with its rule, why and how-to-apply.",
    project:
      "`project`: compress what is completed into a line with its outcome; preserve what is active: its state, its decisions, its next steps.",
    reference: "`reference`: keep the URL or pointer and one line that describes it; drop what stands around it.",
  },
  mustKeep:
    "These entries must be kept. Below `## User and Feedback`, write each of these headings exactly as it stands here, with nothing below it; the program puts in the words of the entry itself:",
};
