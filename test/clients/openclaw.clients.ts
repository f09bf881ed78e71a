import { openclaw } from "./drivers/openclaw.ts";
import { describeClient } from "./sequence.ts";

describeClient(openclaw);
