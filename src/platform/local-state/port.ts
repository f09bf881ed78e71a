/** Whether `.heartwood/` of a memory was made in this folder, by this user, on this machine. */
export interface LocalState {
  /** Writes nothing. */
  look(): Standing;

  /**
   * Called before anything in `.heartwood/` is written: makes the folder with its proof, adopts an older one, and restores our `.gitignore` and the mode. Never fails: what
   * cannot be written is in the result.
   */
  prepare(): Standing;

  /**
   * Makes the folder ours: writes a new proof and discards what can be made again; threads stay. Errors: `foreign_state` while git tracks it, `io` where the proof cannot be
   * written.
   */
  adopt(): void;
}

export type Standing =
  | { readonly is: "absent" }
  | { readonly is: "ours" }
  /** Without a proof, as versions before 0.2 left it, and in a repository without threads. `problem`: why it could not be adopted. */
  | { readonly is: "older"; readonly problem?: string }
  /** Came from elsewhere. `message` says how that was seen and what to do. */
  | { readonly is: "foreign"; readonly message: string };
