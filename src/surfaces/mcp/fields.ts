import type { Field, Operation } from "../../engine/operation.ts";
import { operations } from "../../engine/operations.ts";

/** The operation of that name in the table. */
export function operationOf(name: string): Operation {
  const found = (operations as readonly Operation[]).find((operation) => operation.name === name);
  if (found === undefined) throw new Error(`no operation is called ${name}`);
  return found;
}

/** Some fields of an operation, in this order, as the table has them. */
export function fieldsOf(operation: string, ...names: readonly string[]): readonly Field[] {
  return names.map((name) => {
    const found = operationOf(operation).fields.find((field) => field.name === name);
    if (found === undefined) throw new Error(`${operation} has no field ${name}`);
    return found;
  });
}

/** What rewrites files does so only when it is told `dry_run: false`. */
export const dryRunByDefault: Field = {
  name: "dry_run",
  kind: { kind: "flag", given: "off" },
  summary: "true (the default): tell what would be done and write nothing; false: do it",
};
