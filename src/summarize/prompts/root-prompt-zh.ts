import type { RootTexts } from "./prompt.ts";

export const rootPromptZh: RootTexts = {
  task: "请撰写 ROOT.md 的三个部分。这是一份记忆的首页，AI 智能体每次会话开始时都会读它。原文是按月、周、日留下的记录。全部主题的索引由程序另外写出。要写密集的关键词，不要写成叙事。",
  headings: "使用下列标题，写法和顺序都与此处一致。必须有 `## Active Context`；其他部分没有内容时略去：",
  sections: {
    "Active Context": "目前正在进行的、接下来要做的和最要紧的事，大约取自最近 7 天。",
    "Recent Patterns": "贯通多个主题、不限于某一天的认识。",
    "Historical Summary": "已经过去的事，按时期简述：`- 2026-01: …` 或 `- 2026-01~02: …`，越早越短。",
  },
  item: "标题下只写列表条目，每条一行，最多 220 个字符：`- 主题: 内容`。主题沿用原文的名称。条目后面不要附行号或出处。",
  budget: "最多 {tokens} 个 token、{lines} 行。需要删减时先删 Historical Summary。",
  types: {
    user: "`user`（关于用户本人的事实）：一律保留，这些行由程序自己写入；不要另写，也绝不放入 Historical Summary。",
    feedback:
      "`feedback`（对做事方式的要求）：连同 rule、why、how-to-apply 一律保留，这些行同样由程序写入；不要另写，也绝不放入 Historical Summary。",
    project: "`project`：已完成的压缩到 Historical Summary；进行中的保留在 Active Context。",
    reference: "`reference`：只保留 URL 或指向以及一行说明，略去周围的内容。",
  },
};
