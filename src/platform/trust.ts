/** Whether the user lets agents use one memory folder. It is recorded outside the folder, so that nothing in a repository can claim it. */
export interface Trust {
  readonly id: string;
  /** Looked up each time: the user may change it while a server runs. */
  state(): "trusted" | "untrusted";
  /** Records the user's consent. Errors: `damaged_store`, `newer_store`, `changed_by_other`, `io`, `disk_full`. */
  grant(by: TrustGiver): Promise<void>;
}

/** The command through which the user consented. */
export type TrustGiver = "init" | "install" | "trust";
