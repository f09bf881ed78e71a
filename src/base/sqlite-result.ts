/** The primary result code of a failed SQLite call (the details are in its higher bits); `undefined` for another error. */
export function sqliteResultOf(error: unknown): number | undefined {
  const code = extendedResultOf(error);
  return code === undefined ? undefined : code & 0xff;
}

/** The extended result code of a failed SQLite call; `undefined` for another error. */
export function extendedResultOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode : undefined;
}
