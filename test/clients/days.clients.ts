import { describeCorrecting } from "./correct.ts";
import { describeDays } from "./days.ts";
import { describeSubagent } from "./subagent.ts";
import { claudeCode } from "./drivers/claude-code.ts";
import { codex } from "./drivers/codex.ts";
import { copilot } from "./drivers/copilot.ts";
import { gemini } from "./drivers/gemini.ts";
import { openclaw } from "./drivers/openclaw.ts";
import { opencode } from "./drivers/opencode.ts";

for (const driver of [claudeCode, codex, copilot, gemini, openclaw, opencode]) {
  describeDays(driver);
  describeCorrecting(driver);
  describeSubagent(driver);
}
