import type { ThreadTexts } from "./prompt.ts";

export const threadPromptEn: ThreadTexts = {
  task: "Summarise a conversation: {period}, that is its name and the number of the last message that counts. Whoever goes on with the conversation reads your summary instead of the messages. Write dense keywords, not a narrative.",
  item: "Write list items only, without headings, each on one line of at most 220 characters: `- #12 user: text`. 12 is the number of the message that says it, and `user`, `assistant`, `system` or `tool` is who says it, both as in the sources. Keep to the order of the messages.",
  choice:
    "What counts: what the person wants and tells of themselves, what was decided and why, results, errors with what fixed them, and what is still open. Tell the newer messages in more detail than the older ones.",
  budget: "At most {tokens} tokens and {lines} lines.",
  types: {
    user: "`user` (what the person tells of themselves): always preserved, in their own words where possible.",
    feedback: "`feedback` (how somebody wants things done): always preserved, with its rule, why and how-to-apply.",
    project:
      "`project`: compress what is completed into a line with its outcome; preserve what is active: its state, its decisions, its next steps.",
    reference: "`reference`: keep the URL or pointer and one line that describes it; drop what stands around it.",
  },
};
