import type { LocalCall } from "../host.ts";
import { jsonText } from "../print.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { completionModel, type CompletionModel } from "./model.ts";
import { zshScript } from "./zsh.ts";

const SCRIPTS: Readonly<Record<string, (model: CompletionModel) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** `heartwood completion SHELL`: prints the script; the table decides what it completes. */
export async function runCompletion({ input, common, terminal, commands }: LocalCall): Promise<void> {
  const shell = String(input["shell"]);
  const script = SCRIPTS[shell]?.(completionModel(commands)) ?? "";
  terminal.stdout.write(common.output === "json" ? jsonText({ shell, script }, terminal.stdout.look()) : script);
}
