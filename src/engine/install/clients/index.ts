import type { ClientName } from "../client-names.ts";
import type { ClientPlaces } from "../places.ts";
import type { Client, Trace } from "../wanted.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { openclaw, openclawFarewell, openclawTraces } from "./openclaw.ts";
import { opencode, opencodeChoices } from "./opencode.ts";
import { windsurf } from "./windsurf.ts";

interface Installable {
  readonly plan: Client;
  /** Files of which the client takes one or another; `firstThere` knows which are there. */
  choices(places: ClientPlaces): readonly string[];
  /** What the client wrote of us when the person told it to. */
  traces?(places: ClientPlaces): readonly Trace[];
  /** What the person has to take back themselves, when it was installed. */
  readonly farewell?: string;
}

const none = (): readonly string[] => [];

export const clients: Readonly<Record<ClientName, Installable>> = {
  "claude-code": { plan: claudeCode, choices: none },
  codex: { plan: codex, choices: none },
  opencode: { plan: opencode, choices: opencodeChoices },
  openclaw: { plan: openclaw, choices: none, traces: openclawTraces, farewell: openclawFarewell },
  gemini: { plan: gemini, choices: none },
  copilot: { plan: copilot, choices: none },
  cursor: { plan: cursor, choices: none },
  windsurf: { plan: windsurf, choices: none },
};
