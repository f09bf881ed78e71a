import type { StoreCopied } from "../../../postgres/copy.ts";
import type { ServerStatus, StoreMigrated, StoreStatus } from "../../../postgres/manage.ts";
import { aligned, counted, type Screen } from "./layout.ts";

export function renderStoreStatus({ parts, server }: StoreStatus, screen: Screen): string {
  const rows = parts.map(({ part, kind, name }) => [
    part,
    kind === "embedded" ? "files of this folder" : `PostgreSQL, as ${name}`,
  ]);
  return [...aligned(rows), "", server === null ? "Your settings name no server." : serverLine(server, screen)].join(
    "\n",
  );
}

function serverLine({ address, state, version, message }: ServerStatus, { paint }: Screen): string {
  const where = `PostgreSQL${address === null ? "" : ` at ${address}`}`;
  if (state === "ready") return `${where}: ${paint.good("ready")}, schema version ${version}`;
  if (state === "failed") return `${paint.bad("cannot be used")}: ${message}`;
  return `${where}: ${paint.warn(version === 0 ? "no schema" : `schema version ${version}`)}. ${message}`;
}

export function renderStoreMigrate({ address, from, to, role }: StoreMigrated): string {
  const schema =
    from === to
      ? `is at version ${to}`
      : from === 0
        ? `was created, version ${to}`
        : `went from version ${from} to ${to}`;
  return `The schema heartwood in ${address} ${schema}. Its application role is ${role}.`;
}

export function renderStoreCopy(
  { to, threads, frames, artifacts, differing, damaged }: StoreCopied,
  { paint }: Screen,
): string {
  const where = to === "postgres" ? "PostgreSQL" : "the files of this folder";
  const same = threads - differing.length;
  return [
    `Copied ${counted(frames, "frame")} and ${counted(artifacts, "artifact")} to ${where}. ${same === 1 ? "1 thread is" : `${same} threads are`} the same on both sides.`,
    ...differing.map(({ thread_id, message }) => paint.bad(`${thread_id} is not the same: ${message}`)),
    ...damaged.map((id) => paint.bad(`Artifact ${id} is damaged.`)),
  ].join("\n");
}
