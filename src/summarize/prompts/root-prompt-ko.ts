import type { RootTexts } from "./prompt.ts";

export const rootPromptKo: RootTexts = {
  task: "AI 에이전트가 세션을 시작할 때마다 읽는 메모리의 첫 페이지 ROOT.md의 세 섹션을 쓰세요. 원문은 월, 주, 일 단위로 남긴 기록입니다. 모든 주제의 색인은 프로그램이 따로 씁니다. 이야기하듯 풀어 쓰지 말고 핵심어를 빽빽하게 적으세요.",
  headings:
    "아래 제목을 여기 적힌 그대로, 이 순서로 씁니다. `## Active Context`는 반드시 있어야 하고, 다른 섹션은 쓸 내용이 없으면 뺍니다:",
  sections: {
    "Active Context": "지금 진행 중인 일, 다음에 할 일, 가장 중요한 일. 대략 최근 7일.",
    "Recent Patterns": "어느 한 날에 매이지 않고 여러 주제에 두루 통하는 통찰.",
    "Historical Summary":
      "지나간 일을 기간별로 짧게: `- 2026-01: …` 또는 `- 2026-01~02: …`. 오래된 것일수록 짧게 씁니다.",
  },
  item: "제목 아래에는 목록 항목만 씁니다. 항목 하나는 한 줄, 220자까지입니다: `- 주제: 내용`. 주제는 원문에 쓰인 이름으로 부릅니다. 항목 뒤에 줄 번호나 출처를 붙이지 마세요.",
  budget: "{tokens}토큰, {lines}줄을 넘지 않습니다. 줄여야 하면 Historical Summary부터 줄입니다.",
  types: {
    user: "`user`(사용자에 대해 알려진 것): 항상 보존하며, 이 줄은 프로그램이 직접 씁니다. 따로 쓰지 말고 Historical Summary로도 보내지 마세요.",
    feedback:
      "`feedback`(일하는 방식에 대한 요청): rule, why, how-to-apply와 함께 항상 보존하며, 이 줄도 프로그램이 직접 씁니다. 따로 쓰지 말고 Historical Summary로도 보내지 마세요.",
    project: "`project`: 끝난 일은 Historical Summary로 압축하고, 진행 중인 일은 Active Context에 보존합니다.",
    reference: "`reference`: URL이나 위치, 그리고 그것을 설명하는 한 줄만 남기고 주변 내용은 뺍니다.",
  },
};
