import * as known from "./command.ts";
import type { CommandSpec, Invocation } from "./command.ts";

/**
 * Parses a plain command line without commander, whose loading costs more than most commands do. Returns `undefined`
 * for everything that is not certain (help, a slip, short options in a bunch): commander then decides and explains.
 * What it accepts it understands exactly as commander does; a test holds the two against each other.
 */
export function parsePlain(argv: readonly string[], specs: readonly CommandSpec[]): Invocation | undefined {
  const collected: Record<string, string | true> = {};
  const start = takeOptions({ argv, from: 0, options: COMMON, collected, free: undefined });
  if (start === undefined) return undefined;
  const spec = longestOf(specs.filter(({ command }) => command.every((word, index) => argv[start + index] === word)));
  if (spec === undefined) return undefined;
  const free: string[] = [];
  const from = start + spec.command.length;
  const end = takeOptions({ argv, from, options: optionsOf(spec), collected, free });
  return end === undefined ? undefined : invocationOf(spec, free, collected);
}

/** `audit` is a command, and `audit undo` another one. */
function longestOf(specs: readonly CommandSpec[]): CommandSpec | undefined {
  return specs.toSorted((a, b) => b.command.length - a.command.length)[0];
}

interface KnownOption {
  readonly key: string;
  readonly takes: "value" | "nothing";
}

interface Taking {
  readonly argv: readonly string[];
  readonly from: number;
  readonly options: ReadonlyMap<string, KnownOption>;
  readonly collected: Record<string, string | true>;
  /** Where words that are no options go; without it they end the taking. */
  readonly free: string[] | undefined;
}

/** Returns the index of the word at which it ended; `undefined` when a word is not certain. */
function takeOptions({ argv, from, options, collected, free }: Taking): number | undefined {
  for (let index = from; index < argv.length; index++) {
    const word = argv[index] as string;
    if (!looksLikeOption(word)) {
      if (free === undefined) return index;
      free.push(word);
      continue;
    }
    const taken = takeOption(word, argv[index + 1], options);
    if (taken === undefined || (taken.value !== true && collected[taken.key] !== undefined)) return undefined;
    collected[taken.key] = taken.value;
    if (taken.used === "next_word") index++;
  }
  return argv.length;
}

/** Keys of fields carry a prefix, so that a field named like a common option could not hide it. */
const FIELD = "field:";

const COMMON: ReadonlyMap<string, KnownOption> = new Map(known.COMMON_OPTIONS.flatMap(namesOf));

function namesOf(option: known.CommonOption): readonly (readonly [string, KnownOption])[] {
  const { key, long, short, placeholder } = option;
  const takes = placeholder === undefined ? "nothing" : "value";
  return [long, ...(short === undefined ? [] : [short])].map((name) => [name, { key, takes }] as const);
}

function optionsOf(spec: CommandSpec): ReadonlyMap<string, KnownOption> {
  const options = new Map([...COMMON, ...known.ownOptionsOf(spec).flatMap(namesOf)]);
  for (const field of spec.fields) {
    if (known.isArgument(field)) continue;
    options.set(known.optionOf(field), {
      key: FIELD + field.name,
      takes: field.kind.kind === "flag" ? "nothing" : "value",
    });
  }
  return options;
}

interface Taken {
  readonly key: string;
  readonly value: string | true;
  readonly used: "one_word" | "next_word";
}

function takeOption(
  word: string,
  next: string | undefined,
  options: ReadonlyMap<string, KnownOption>,
): Taken | undefined {
  const equals = word.startsWith("--") ? word.indexOf("=") : -1;
  const option = options.get(equals < 0 ? word : word.slice(0, equals));
  if (option === undefined) return undefined;
  if (option.takes === "nothing") return equals < 0 ? { key: option.key, value: true, used: "one_word" } : undefined;
  if (equals >= 0) return { key: option.key, value: word.slice(equals + 1), used: "one_word" };
  return next === undefined || looksLikeOption(next) ? undefined : { key: option.key, value: next, used: "next_word" };
}

/** A value that does may be an option whose value was forgotten. A list item (`- text`) does not, nor does `-` for standard input. */
function looksLikeOption(word: string): boolean {
  return word.startsWith("-") && word !== "-" && !word.startsWith("- ");
}

function invocationOf(
  spec: CommandSpec,
  free: readonly string[],
  collected: Readonly<Record<string, string | true>>,
): Invocation | undefined {
  const words = [...free];
  const given: Record<string, string | true> = {};
  for (const field of spec.fields) {
    const value = known.isArgument(field) ? known.takeWords(field, words) : collected[FIELD + field.name];
    if (value !== undefined) given[field.name] = value;
    else if (field.presence === "required") return undefined;
  }
  // Which of the two folders is meant commander's side asks.
  if (words.length > 0 || (collected["workspace"] !== undefined && collected["dir"] !== undefined)) return undefined;
  return { spec, given, common: known.commonOf(collected) };
}
