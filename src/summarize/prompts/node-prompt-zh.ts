import type { NodeTexts } from "./prompt.ts";

export const nodePromptZh: NodeTexts = {
  task: {
    daily:
      "请为 AI 智能体的记忆总结一天：{period}。原文是当天的日志。智能体靠总结里的词语找到这一天，需要更多内容时才打开日志，所以要写密集的关键词，不要写成叙事。",
    weekly:
      "请为 AI 智能体的记忆总结一周：{period}。原文是这一周每天留下的记录，由旧到新排列。智能体靠总结里的词语找到这一周，需要更多内容时才打开每天的记录，所以要写密集的关键词，不要写成叙事。",
    monthly:
      "请为 AI 智能体的记忆总结一个月：{period}。原文是这个月每周留下的记录，由旧到新排列。智能体靠总结里的词语找到这个月，需要更多内容时才打开每周的记录，所以要写密集的关键词，不要写成叙事。",
  },
  headings:
    "使用下列标题，写法和顺序都与此处一致。必须有 `## Topics`，以及至少另外一个含有条目的部分；没有内容的部分略去：",
  sections: {
    Topics:
      "列出所有主题，最重要的在前：`- 名称 [类型]: 关键词, 关键词`，关键词最多 12 个。类型是 `project`、`user`、`feedback` 或 `reference`；已完成的项目写作 `[project, done]`。名称沿用原文。",
    "User and Feedback": "只写下面列出的各条目的标题。",
    "Key Decisions": "在什么问题上作了什么决定，以及原因。",
    "Tasks Completed": "完成了什么，结果如何。",
    "Lessons Learned": "学到的东西，写成简短的规则。",
    "Open Items": "尚未完成、尚未决定或尚不清楚的事。",
    "Entities Referenced": "`- files: …`、`- services: …`、`- errors: …`、`- users: …`，名称之间用逗号隔开。",
    Notes: "其他日后会有人查找的内容。",
    "Key Themes": "贯穿数周的主线。",
    "Major Decisions": "在什么问题上作了什么决定，以及原因。",
    "Completed Work": "完成了什么，结果如何。",
    "Recurring Entities":
      "反复出现的对象：`- files: …`、`- services: …`、`- errors: …`、`- users: …`，名称之间用逗号隔开。",
    "Lessons & Patterns": "学到的或反复出现的东西，写成简短的规则。",
    "Carried Forward": "到月底仍未了结的事。",
  },
  item: "标题下只写列表条目，每条一行，最多 220 个字符：`- 主题: 内容`；不属于任何主题时写 `- 内容`。同一主题始终用同一名称，重要的关键词要重复使用，不要换说法。条目后面不要附行号或出处。",
  budget: "最多 {tokens} 个 token、{lines} 行。宁可每个主题都写得短，也不要只把少数几个写长。",
  types: {
    user: "`user`（关于用户本人的事实）：无论多久以前，一律保留。",
    feedback: "`feedback`（对做事方式的要求）：连同 rule、why、how-to-apply 一律保留。",
    project: "`project`：已完成的压缩成一行并写明结果；进行中的保留其状态、决定和下一步。",
    reference: "`reference`：只保留 URL 或指向以及一行说明，略去周围的内容。",
  },
  mustKeep:
    "下列条目必须保留。请在 `## User and Feedback` 下逐一写出这些标题，与此处完全一致，标题下不写任何内容；条目的正文由程序填入：",
};
