/** Who of several processes that are about to do the same is the first. */
export interface Once {
  readonly id: string;

  /**
   * `first` for one caller of a name, `taken` for all others; `untold` when it cannot be told, as on a disk that takes no more. A name is
   * `[a-z0-9-]{1,200}`; another one is `untold`. Never fails.
   */
  claim(name: string): Promise<"first" | "taken" | "untold">;

  /** Whether somebody claimed the name; `false` also when that cannot be told. Never fails. */
  isClaimed(name: string): Promise<boolean>;

  /** Forgets names that were claimed more than a day ago. Never fails. */
  forgetOld(): Promise<void>;
}
