import { copilot } from "./drivers/copilot.ts";
import { describeClient } from "./sequence.ts";

describeClient(copilot);
