import type { Call } from "../../base/operation.ts";
import { visibleLine } from "../../text/visible.ts";
import type { Terminal } from "./terminal.ts";

export interface ProgressLine {
  readonly listener: NonNullable<Call["progress"]>;
  /** Wipes the line, so that nothing of it stays on the screen. */
  clear(): void;
}

const QUIET_START_MS = 1_000;
const BETWEEN_MS = 100;
const WIPE = "\r\u001B[2K";

/**
 * One line on stderr that tells how far a run is, once it has taken over a second; never in a pipe, where nobody waits.
 * Whether stderr is a pipe is asked only then: the answer costs three milliseconds.
 */
export function createProgressLine(terminal: Terminal): ProgressLine {
  const started = terminal.elapsedMs();
  let shownAt = started + QUIET_START_MS - BETWEEN_MS;
  let state: "shown" | "clear" = "clear";
  return {
    listener: ({ phase, done, total }) => {
      const now = terminal.elapsedMs();
      if (now - shownAt < BETWEEN_MS) return;
      shownAt = now;
      if (terminal.stderr.look().kind === "pipe") return;
      state = "shown";
      const seconds = Math.floor((now - started) / 1_000);
      const share = total === 0 ? `${done}` : `${done}/${total}`;
      terminal.stderr.write(`${WIPE}${visibleLine(phase)} ${share}, ${seconds} s`);
    },
    clear: () => {
      if (state === "shown") terminal.stderr.write(WIPE);
      state = "clear";
    },
  };
}
