import { gemini } from "./drivers/gemini.ts";
import { describeClient } from "./sequence.ts";

describeClient(gemini);
