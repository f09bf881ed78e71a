import { COMMON_OPTIONS, commonOf, isArgument, optionOf, type CommandSpec, type Invocation } from "./command.ts";

/**
 * Parses a plain command line without commander, whose loading costs more than most commands do. Returns `undefined`
 * for everything that is not certain (help, a slip, short options in a bunch): commander then decides and explains.
 * What it accepts it understands exactly as commander does; a test holds the two against each other.
 */
export function parsePlain(argv: readonly string[], specs: readonly CommandSpec[]): Invocation | undefined {
  const words = argv.filter((word) => !word.startsWith("-"));
  const spec = specs.find(({ command }) => command.every((word, index) => words[index] === word));
  if (spec === undefined) return undefined;
  const options = optionsOf(spec);
  const collected: Record<string, string | true> = {};
  const free: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] as string;
    if (!word.startsWith("-")) {
      free.push(word);
      continue;
    }
    const taken = takeOption(word, argv[index + 1], options);
    if (taken === undefined) return undefined;
    collected[taken.key] = taken.value;
    if (taken.used === "next_word") index++;
  }
  return invocationOf(spec, free, collected);
}

interface KnownOption {
  readonly key: string;
  readonly takes: "value" | "nothing";
}

/** Keys of fields carry a prefix, so that a field named like a common option could not hide it. */
const FIELD = "field:";

function optionsOf(spec: CommandSpec): ReadonlyMap<string, KnownOption> {
  const options = new Map<string, KnownOption>();
  for (const { key, long, short, placeholder } of COMMON_OPTIONS) {
    const option: KnownOption = { key, takes: placeholder === undefined ? "nothing" : "value" };
    options.set(long, option);
    if (short !== undefined) options.set(short, option);
  }
  for (const field of spec.fields) {
    if (isArgument(field)) continue;
    options.set(optionOf(field), { key: FIELD + field.name, takes: field.kind.kind === "flag" ? "nothing" : "value" });
  }
  return options;
}

interface Taken {
  readonly key: string;
  readonly value: string | true;
  readonly used: "one_word" | "next_word";
}

function takeOption(word: string, next: string | undefined, options: ReadonlyMap<string, KnownOption>): Taken | undefined {
  const equals = word.startsWith("--") ? word.indexOf("=") : -1;
  const option = options.get(equals < 0 ? word : word.slice(0, equals));
  if (option === undefined) return undefined;
  if (option.takes === "nothing") return equals < 0 ? { key: option.key, value: true, used: "one_word" } : undefined;
  if (equals >= 0) return { key: option.key, value: word.slice(equals + 1), used: "one_word" };
  return next === undefined ? undefined : { key: option.key, value: next, used: "next_word" };
}

function invocationOf(
  spec: CommandSpec,
  free: readonly string[],
  collected: Readonly<Record<string, string | true>>,
): Invocation | undefined {
  if (!spec.command.every((word, index) => free[index] === word)) return undefined;
  const values = free.slice(spec.command.length);
  const given: Record<string, string | true> = {};
  for (const field of spec.fields) {
    const value = isArgument(field) ? values.shift() : collected[FIELD + field.name];
    if (value !== undefined) given[field.name] = value;
    else if (field.presence === "required") return undefined;
  }
  return values.length > 0 ? undefined : { spec, given, common: commonOf(collected) };
}
