import { sha256 } from "../../base/digest.ts";
import { isCount } from "../../base/lists.ts";
import { mostChosen, type ChoiceFault } from "./prompt.ts";

/** What a model chose, see docs/formats/recall.md. */
export interface ChoiceRecord {
  /** Of what was asked: 64 digits. */
  readonly digest: string;
  readonly prompt_rule: string;
  readonly model: string;
  /** Local time with offset. */
  readonly at: string;
  /** Topics that there were to choose from. */
  readonly of: number;
  readonly state: "accepted" | "refused";
  /** Ascending; none of a refused one. */
  readonly numbers: readonly number[];
  /** Of a refused one. */
  readonly code?: ChoiceFault;
}

const schema = "heartwood.choice.v1";
const faults: readonly ChoiceFault[] = ["not_numbers", "out_of_range", "too_many", "cut_off"];

/** The file of a record: JSON with its own checksum at the end. */
export function printChoice(record: ChoiceRecord): string {
  const value = valueOf(record);
  return `${JSON.stringify({ schema, ...value, sha256: checksumOf(value) }, null, 2)}\n`;
}

/** The record, or `undefined`: no JSON, not of this form, or another checksum than its text gives. */
export function parseChoice(text: string): ChoiceRecord | undefined {
  const value = parseObject(text);
  if (value === undefined || value["schema"] !== schema || !isRecord(value)) return undefined;
  const record = valueOf(value);
  return value["sha256"] === checksumOf(record) ? record : undefined;
}

/** The keys in the order of the format. */
function valueOf({ digest, prompt_rule, model, at, of, state, numbers, code }: ChoiceRecord): ChoiceRecord {
  const common = { digest, prompt_rule, model, at, of, state, numbers };
  return code === undefined ? common : { ...common, code };
}

function checksumOf(value: ChoiceRecord): string {
  return sha256(JSON.stringify({ schema, ...value }));
}

function isRecord(value: Readonly<Record<string, unknown>>): value is ChoiceRecord & Readonly<Record<string, unknown>> {
  const { digest, of, state, numbers, code } = value;
  const isFault = faults.some((known) => known === code);
  return (
    typeof digest === "string" &&
    /^[0-9a-f]{64}$/u.test(digest) &&
    ["prompt_rule", "model", "at"].every((key) => typeof value[key] === "string") &&
    isCount(of) &&
    Array.isArray(numbers) &&
    numbers.length <= (state === "accepted" ? mostChosen : 0) &&
    numbers.every((number) => isCount(number) && Number(number) >= 1 && Number(number) <= Number(of)) &&
    (state === "accepted" ? code === undefined : state === "refused" && isFault)
  );
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
