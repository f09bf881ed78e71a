import type { Memory as Ports } from "../engine/memory.ts";
import { operations } from "../engine/operations.ts";
import type { Operation } from "../engine/operation.ts";
import type { Run } from "./bind.ts";
import type { CallOptions } from "./call.ts";
import { fromWire, toWire, type Camel } from "./wire.ts";

/** Runs operations of the table on an opened folder. */
export function runOn(ports: Ports): Run {
  return async <Result>(name: string, { signal, onProgress, ...input }: CallOptions) => {
    const operation = operations.find((one) => one.name === name) as unknown as Operation;
    const result = await operation.run(ports, toWire(input), {
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { progress: onProgress }),
    });
    return fromWire(name, result) as Camel<Result>;
  };
}
