import { codex } from "./drivers/codex.ts";
import { describeClient } from "./sequence.ts";

describeClient(codex);
