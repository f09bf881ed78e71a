export { createNodeFiles } from "./create.ts";
export type { NodeFilesOptions } from "./create.ts";
export type { NodeFs, NodeStat } from "./node-fs.ts";
export { isTemporaryName } from "../../base/known-paths.ts";
