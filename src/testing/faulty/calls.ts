import type { NodeFs } from "../../platform/node-files/disk.ts";
import { flag, type Calls, type CallState, type Setting } from "./call-frame.ts";
import { plantFile } from "./disk-tree.ts";
import type { FsCall } from "./options.ts";
import { fileCalls } from "./file-calls.ts";
import { folderCalls } from "./folder-calls.ts";

/** What is made of one setting: the calls themselves, their count, and a way to save a file from outside. */
export interface FaultyCalls {
  readonly fs: NodeFs;
  readonly state: CallState;
  plant(path: string, bytes: string | Uint8Array): void;
}

/** The calls of `NodeFs` on a disk model. */
export function createFaultyCalls(setting: Setting): FaultyCalls {
  const state: CallState = { operations: 0, counters: zeroCounters() };
  const on: Calls = { ...setting, state, open: new Map() };
  return {
    state,
    fs: { constants: flag, ...fileCalls(on), ...folderCalls(on) },
    plant: (path, bytes) => plantFile(setting, path, bytes),
  };
}

function zeroCounters(): Record<FsCall, number> {
  return {
    openSync: 0,
    writeSync: 0,
    readSync: 0,
    fsyncSync: 0,
    fstatSync: 0,
    fchmodSync: 0,
    lstatSync: 0,
    closeSync: 0,
    renameSync: 0,
    unlinkSync: 0,
    mkdirSync: 0,
    rmdirSync: 0,
    readdirSync: 0,
    realpathSync: 0,
  };
}
