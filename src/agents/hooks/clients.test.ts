import { describe, expect, it } from "vitest";
import { hookClients, noticeFrom, printAnswer } from "./clients.ts";

const notice = "The memory is gone.";
const text = "- Rate limiting: token bucket";

describe("a notice for the user", () => {
  it.each(["claude-code", "codex", "gemini"])("is a systemMessage next to the context in %s", (name) => {
    expect(JSON.parse(printed(name, "session-start", { text, notice }))).toEqual({
      systemMessage: `heartwood: ${notice}`,
      hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: text },
    });
    expect(JSON.parse(printed(name, "turn-end", { text: "", notice }))).toEqual({
      systemMessage: `heartwood: ${notice}`,
    });
  });

  it.each([
    ["copilot", "additionalContext"],
    ["cursor", "additional_context"],
  ])("is the first line of the context in %s, which has no message field for the user", (name, key) => {
    expect(JSON.parse(printed(name, "session-start", { text, notice }))).toEqual({
      [key]: `Tell the user: heartwood: ${notice}\n\n${text}`,
    });
  });

  it.each(["opencode", "openclaw"])("is the first line of the text in %s", (name) => {
    expect(printed(name, "prompt", { text: "", notice })).toBe(`Tell the user: heartwood: ${notice}\n`);
  });

  it("has no line breaks, no secrets and no characters that a terminal acts on", async () => {
    const shown = await noticeFrom(`a\n\u001b[2Jb\u202ec ghp_${"a1B2".repeat(9)}`);
    expect(shown).not.toMatch(/[\n\u001b\u202e]|ghp_/u);
  });

  it("prints nothing without a notice and a text, whatever the client and event", () => {
    for (const client of hookClients)
      for (const event of client.events) expect(printAnswer(client, event, { text: "", notice: "" })).toBe("");
  });
});

function printed(name: string, is: string, answer: { readonly text: string; readonly notice: string }): string {
  const client = hookClients.find((one) => one.name === name);
  const event = client?.events.find((one) => one.is === is);
  if (client === undefined || event === undefined) throw new Error(`${name} has no ${is}`);
  return printAnswer(client, event, answer);
}
