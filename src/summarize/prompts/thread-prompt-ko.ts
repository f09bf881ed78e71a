import type { ThreadTexts } from "./prompt.ts";

export const threadPromptKo: ThreadTexts = {
  task: "대화를 요약하세요: {period}. 대화의 이름과, 요약에 들어갈 마지막 메시지의 번호입니다. 대화를 이어 가는 쪽은 메시지 대신 이 요약을 읽습니다. 이야기하듯 풀어 쓰지 말고 핵심어를 빽빽하게 적으세요.",
  item: "제목 없이 목록 항목만 씁니다. 항목 하나는 한 줄, 220자까지입니다: `- #12 user: 내용`. 12는 그 내용이 나온 메시지의 번호이고, `user`, `assistant`, `system`, `tool`은 말한 쪽입니다. 둘 다 원문에 있는 그대로 씁니다. 메시지 순서를 따릅니다.",
  choice:
    "남길 것: 사용자가 바라는 것과 자신에 대해 말한 것, 결정과 그 이유, 결과, 오류와 그 해결책, 아직 남아 있는 일. 오래된 메시지보다 최근 메시지를 더 자세히 적습니다.",
  budget: "{tokens}토큰, {lines}줄을 넘지 않습니다.",
  types: {
    user: "`user`(사용자가 자신에 대해 말한 것): 되도록 그 사람의 말 그대로 항상 보존합니다.",
    feedback: "`feedback`(일하는 방식에 대한 요청): rule, why, how-to-apply와 함께 항상 보존합니다.",
    project: "`project`: 끝난 일은 결과와 함께 한 줄로 압축하고, 진행 중인 일은 상태와 결정, 다음 단계를 보존합니다.",
    reference: "`reference`: URL이나 위치, 그리고 그것을 설명하는 한 줄만 남기고 주변 내용은 뺍니다.",
  },
};
