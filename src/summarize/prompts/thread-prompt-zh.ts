import type { ThreadTexts } from "./prompt.ts";

export const threadPromptZh: ThreadTexts = {
  task: "请总结一段对话：{period}，即对话的名称和要算入的最后一条消息的编号。接着进行对话的一方会读你的总结，而不读原来的消息。要写密集的关键词，不要写成叙事。",
  item: "只写列表条目，不写标题，每条一行，最多 220 个字符：`- #12 user: 内容`。12 是说出该内容的消息的编号，`user`、`assistant`、`system` 或 `tool` 是说话的一方，两者都照原文书写。按消息的先后排列。",
  choice:
    "要保留的是：用户想要什么、关于自己说了什么，作了哪些决定及其原因，结果，错误及其解决办法，以及尚未了结的事。新的消息要比旧的写得更详细。",
  budget: "最多 {tokens} 个 token、{lines} 行。",
  types: {
    user: "`user`（用户关于自己所说的话）：一律保留，尽量用其原话。",
    feedback: "`feedback`（对做事方式的要求）：连同 rule、why、how-to-apply 一律保留。",
    project: "`project`：已完成的压缩成一行并写明结果；进行中的保留其状态、决定和下一步。",
    reference: "`reference`：只保留 URL 或指向以及一行说明，略去周围的内容。",
  },
};
