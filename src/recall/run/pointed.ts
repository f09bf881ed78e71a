/** Lines of a raw log to which a line of ROOT.md or of a node leads. */
export interface Pointed {
  /** `chosen`: by a model, in the step `manifest`. */
  readonly step: "root" | "manifest" | "chosen";
  /** `memory/2026-03-15.md`. */
  readonly source: string;
  readonly lines: readonly [number, number];
  /** 0 to 1: how much of the message's weight the line that leads here bears. */
  readonly strength: number;
}
