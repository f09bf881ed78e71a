import { opencode } from "./drivers/opencode.ts";
import { describeClient } from "./sequence.ts";

describeClient(opencode);
