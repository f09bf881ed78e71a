import { parseArgs } from "node:util";
import { shown } from "../../text/shown.ts";

/** Which tools are listed besides those that always are. */
const toolGroups = ["memory", "threads", "all"] as const;
export type ToolGroup = (typeof toolGroups)[number];

interface Arguments {
  readonly dir?: string;
  readonly today?: string;
  readonly timeZone?: string;
  readonly tools: readonly ToolGroup[];
  /** `given`: whoever started the server consents to the folder it works in. */
  readonly trust: "given" | "recorded";
}

/** Reads the words after `heartwood`, `mcp` among them; a fault is one sentence. */
export function parseArguments(words: readonly string[]): Arguments | { readonly fault: string } {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        dir: { type: "string", short: "C" },
        today: { type: "string" },
        "time-zone": { type: "string" },
        tools: { type: "string" },
        trust: { type: "boolean" },
        quiet: { type: "boolean" },
      },
    });
    const [, more] = positionals;
    if (more !== undefined) return { fault: `Unexpected word "${shown(more, 40)}"; ${taken}.` };
    const named = (values.tools ?? "memory").split(",").map((name) => name.trim());
    const unknown = named.find((name) => !isGroup(name));
    if (unknown !== undefined)
      return { fault: `--tools has "${shown(unknown, 40)}"; give some of ${toolGroups.join(", ")}, with commas.` };
    return {
      tools: named.filter(isGroup),
      trust: values.trust === true ? "given" : "recorded",
      ...(values.dir === undefined ? {} : { dir: values.dir }),
      ...(values.today === undefined ? {} : { today: values.today }),
      ...(values["time-zone"] === undefined ? {} : { timeZone: values["time-zone"] }),
    };
  } catch (error) {
    const said = error instanceof Error ? (error.message.split(". ")[0] ?? "") : String(error);
    return { fault: `${said}; ${taken}.` };
  }
}

const taken = "heartwood mcp takes --dir (-C), --tools, --trust, --today, --time-zone and --quiet";

function isGroup(name: string): name is ToolGroup {
  return (toolGroups as readonly string[]).includes(name);
}
