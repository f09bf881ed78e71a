/** Encodes a text for a column: no database returns NUL and lone surrogates unchanged. */
export function columnOf(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function textOf(column: string): string {
  return column.includes("\\") ? (JSON.parse(`"${column}"`) as string) : column;
}
