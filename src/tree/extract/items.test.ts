import { describe, expect, it } from "vitest";
import { saysFinished, saysUnfinished } from "./items.ts";

describe("work is finished", () => {
  it.each([
    "done",
    "done by Ada",
    "shipped behind a flag",
    "merged, deployed",
    "all done; follow-up next week",
    "결제 완료",
    "배포 완료했습니다",
    "移行が完了した",
    "已完成",
  ])("when it says: %s", (text) => {
    expect(saysFinished(text)).toBe(true);
    expect(saysUnfinished(text)).toBe(false);
  });

  it.each([
    "not done",
    "not yet merged",
    "to be merged",
    "will be shipped",
    "isn't closed",
    "hasn't been completed",
    "half done",
    "80 % completed",
    "3 of 5 closed",
    "done?",
    "waiting until merged",
    "미완료",
    "완료되지 않음",
    "완료 예정",
    "완료해야 함",
    "아직 완료하지 못함",
    "未完成",
    "まだ完了していない",
    "完了していません",
    "没有完成",
    "即将完成",
    "完成后再说",
    "in progress",
  ])("not when it says: %s", (text) => {
    expect(saysFinished(text)).toBe(false);
  });
});
