/** Another program on this machine, run by argument list, never through a shell. */
export interface Commands {
  readonly id: string;
  /** The absolute path of the program when it is on PATH. */
  find(program: string): Promise<string | undefined>;
  /** Runs it in the project folder; `timeoutMs` ends it. The output is returned cut to 4,000 characters. */
  run(program: string, args: readonly string[], options: { readonly timeoutMs: number }): Promise<CommandResult>;
}

export interface CommandResult {
  readonly status: number | "timeout" | "not_started";
  readonly output: string;
}
