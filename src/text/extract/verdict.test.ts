import { describe, expect, it } from "vitest";
import { isWholeDone, verdictOf } from "./verdict.ts";

describe("the verdict of a labeled text", () => {
  it.each([
    "done",
    "done by Ada",
    "shipped behind a flag",
    "merged, deployed",
    "payment merged",
    "all 12/12 steps done",
    "100% done, report is in the blue folder",
    "update shipped to all 14 scanners",
    "erledigt, am Vormittag abgeschickt",
    "terminado ayer",
    "결제 완료",
    "배포 완료했습니다",
    "移行が完了した",
    "已完成",
    "✅ both rooms painted",
  ])("done: %s", (text) => {
    expect(verdictOf(text)).toBe("done");
  });

  it.each([
    ["blocked by legal, they want the clause rewritten", "blocked"],
    ["on hold", "blocked"],
    ["failed at 40 %, reverted to the old store", "failed"],
    ["abgesagt, der Saal ist weg", "abandoned"],
    ["won't do", "abandoned"],
    ["cancelled", "abandoned"],
    ["보류", "blocked"],
    ["中止", "abandoned"],
  ])("%s: %s", (text, verdict) => {
    expect(verdictOf(text)).toBe(verdict);
  });

  it.each([
    "not done",
    "closed for engineering, open for regulatory",
    "not yet merged",
    "to be merged",
    "will be shipped",
    "isn't closed",
    "hasn't been completed",
    "half done",
    "80 % completed",
    "3 of 5 closed",
    "1,017 of 1,020 reels scanned and shipped",
    "done?",
    "done except the attic",
    "all done but the invoice",
    "waiting until merged",
    "deployed, then reverted",
    "discussed the merged report",
    "pipeline failed because of an expired token, renewed; build passes",
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
    "noch nicht fertig",
    "casi terminado",
  ])("none: %s", (text) => {
    expect(verdictOf(text)).toBeUndefined();
  });

  it("does not cover the whole work if only one step is done", () => {
    expect(isWholeDone("done")).toBe(true);
    expect(isWholeDone("shipped behind a flag")).toBe(true);
    expect(isWholeDone("completed the first draft")).toBe(false);
    expect(isWholeDone("finished step 3")).toBe(false);
    expect(isWholeDone("Fixed test_permissions_debug")).toBe(false);
    expect(isWholeDone("fixed, the tests pass")).toBe(true);
  });
});
