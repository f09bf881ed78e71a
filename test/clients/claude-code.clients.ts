import { claudeCode } from "./drivers/claude-code.ts";
import { describeClient } from "./sequence.ts";

describeClient(claudeCode);
