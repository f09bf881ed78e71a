import { describe, expect, it } from "vitest";
import { preserved } from "../../../test/fixtures/passages.ts";
import { preservedKeywords } from "./root-preserved.ts";

const days = ["2026-03-10", "2026-02-10", "2026-01-10"];

/** The keywords of a topic's entries, newest entry first. */
function keywords(of: string, ...entries: readonly (readonly string[])[]): string {
  return preservedKeywords(entries.map((lines, n) => preserved(of, days[n] ?? "", ...lines))).join(", ");
}

describe("the keywords of a user topic", () => {
  it("state the fact itself", () => {
    expect(keywords("diet [user]", ["- vegetarian, no peanuts"])).toBe("vegetarian, no peanuts");
    expect(keywords("Timezone [user]", ["- My timezone is Europe/Lisbon."])).toBe("Europe/Lisbon");
    expect(keywords("Family [user]", ["- partner Ines, daughter Clara (7)"])).toBe("partner Ines, daughter Clara 7");
  });

  it("keep the key of a value that does not say what it is", () => {
    expect(keywords("About me [user]", ["- name: Anna Keller", "- role: nurse"])).toBe("name Anna Keller, role nurse");
  });

  it("put the newest statement first and what it corrects behind it", () => {
    const was = ["- Europe/Berlin"];
    expect(keywords("Timezone [user]", ["- Europe/Lisbon"], was)).toBe("Europe/Lisbon, was Europe/Berlin");
    expect(keywords("Timezone [user]", ["- correction: Europe/Lisbon"], was)).toBe("Europe/Lisbon, was Europe/Berlin");
    expect(keywords("Zone [user]", ["- zone: Asia/Seoul"], ["- zone: Europe/Rome"], ["- zone: Europe/Berlin"])).toBe(
      "Asia/Seoul, was Europe/Rome, was Europe/Berlin",
    );
    expect(keywords("Hours [user]", ["- 07:15 to 15:15 since May"], ["- works 08:30 to 16:30"])).toBe(
      "07:15 to 15:15 since May, was works 08:30 to 16:30",
    );
  });

  it("read a correction inside a statement", () => {
    expect(keywords("Home [user]", ["- moved from Berlin to Lisbon"])).toBe("moved to Lisbon, was Berlin");
    expect(keywords("Editor [user]", ["- uses Neovim now, not VS Code"])).toBe("uses Neovim, was VS Code");
    expect(keywords("Tea [user]", ["- now drinks rooibos, no more oolong"], ["- drinks oolong"])).toBe(
      "drinks rooibos, was oolong",
    );
    expect(keywords("Editor [user]", ["- uses Neovim now, not VS Code"], ["- uses VS Code at work"])).toBe(
      "uses Neovim, was VS Code, work",
    );
    expect(keywords("Tracker [user]", ["- changed from Jira to Linear"])).toBe("Linear, was Jira");
    expect(keywords("Editor [user]", ["- switched to Helix for good"], ["- writes everything in Vim"])).toBe(
      "switched to Helix for good, was writes everything in Vim",
    );
  });

  it("read corrections in Japanese, Korean and Chinese", () => {
    expect(keywords("居住地 [user]", ["- 東京から大阪に引っ越した"])).toBe("大阪, was 東京");
    expect(keywords("사는 곳 [user]", ["- 서울에서 부산으로 이사했다"])).toBe("부산, was 서울");
    expect(keywords("住址 [user]", ["- 我从北京搬到了上海"])).toBe("上海, was 北京");
    expect(keywords("飲み物 [user]", ["- コーヒーではなく紅茶"])).toBe("紅茶, was コーヒー");
  });

  it("part a long clause before its subject", () => {
    expect(keywords("Hours [user]", ["Correction: since the parental leave ended I work 7 to 15 CET."])).toBe(
      "I work 7 to 15 CET, since parental leave ended",
    );
  });

  it("call only what changed an old value", () => {
    expect(
      keywords(
        "자기소개 [user]",
        ["지난주에 대전 유성구로 이사했습니다."],
        ["서른네 살 이지은, 부산에 살고 있습니다."],
      ),
    ).toBe("지난주에 대전 유성구로 이사했습니다, was 부산에 살고 있습니다, 서른네 살 이지은");
    expect(
      keywords("プロフィール [user]", ["６月から大阪に引っ越しました。"], ["田中美穂です。京都に住んでいます。"]),
    ).toBe("６月から大阪に引っ越しました, was 京都に住んでいます, 田中美穂です");
    expect(keywords("家 [user]", ["- 訂正：大阪に移った。東京の家は売った"], ["- 東京"])).toBe(
      "大阪に移った, was 東京, 東京の家は売った",
    );
    expect(keywords("Me [user]", ["- switched to Helix"], ["- Anna Keller, nurse in Basel"])).not.toContain("was");
  });

  it("add what is no correction, and say nothing twice", () => {
    expect(keywords("Likes [user]", ["- likes chess"], ["- likes tea"], ["- likes tea"])).toBe(
      "likes chess, likes tea",
    );
    expect(keywords("Home [user]", ["- lives in Porto"], ["- lives in Porto with two cats"])).toContain("Porto");
  });

  it("have no commas, no cut words, no comments and no code, and at most twelve", () => {
    const line = `- ${Array.from({ length: 30 }, (_, n) => `remark number ${n} on the greenhouse`).join(", ")}`;
    const words = preservedKeywords([preserved("Notes [user]", "2026-03-10", line)]);
    expect(words).toHaveLength(12);
    const long =
      "- thinks with a fountain pen in a dot grid notebook first while everybody else is still asleep, owes 1,200 EUR";
    const told = preservedKeywords([
      preserved("P [user]", "2026-03-10", "<!-- hw id=1 -->", long, "```", "x = 1", "```"),
    ]);
    expect(told.join(" ")).not.toMatch(/[,`<]|x = 1/u);
    for (const word of told) expect(Array.from(word).length).toBeLessThanOrEqual(42);
    for (const word of told.join(" ").split(" "))
      expect(` ${long.replace("1,200", "1 200").replaceAll(",", "")} `).toContain(` ${word} `);
  });

  it("state facts in Korean, Japanese and Chinese", () => {
    expect(keywords("알레르기 [user]", ["- 복숭아와 새우를 못 먹는다, 약은 파란 가방에 있다"])).toBe(
      "복숭아와 새우를 못 먹는다, 약은 파란 가방에 있다",
    );
    expect(keywords("生活時間 [user]", ["- 朝型。五時に起きる"])).toBe("朝型, 五時に起きる");
    expect(keywords("饮食 [user]", ["- 素食，不吃花生"])).toBe("素食, 不吃花生");
  });
});

describe("the keywords of a feedback topic", () => {
  it("are the rule, how to apply it, then why", () => {
    expect(
      keywords("Short answers [feedback]", [
        "- why: reads on a phone",
        "- **How to apply:** chat replies",
        "- rule: answer in three sentences",
      ]),
    ).toBe("answer in three sentences, chat replies, reads on a phone");
  });

  it("show the rule that a newer one replaced", () => {
    expect(
      keywords("Notes [feedback]", ["- rule: write notes in Portuguese"], ["- rule: write notes in English"]),
    ).toBe("write notes in Portuguese, was write notes in English");
    expect(keywords("Size [feedback]", ["- rule: at most 250 lines"], ["- rule: at most 400 lines"])).toBe(
      "at most 250 lines, was at most 400 lines",
    );
  });

  it("say a rule that was only said again once", () => {
    expect(
      keywords(
        "Push [feedback]",
        ["- rule: do not force-push to shared branches"],
        ["- rule: never force-push to shared branches"],
      ),
    ).toBe("do not force-push to shared branches");
  });
});

it("no keywords come of a topic without an entry of its own", () => {
  expect(preservedKeywords([])).toEqual([]);
});
