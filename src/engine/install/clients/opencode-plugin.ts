const line = 'const script = "heartwood";';

/** The shipped plugin, with the script that it calls. */
export function pluginText(shipped: string, script: string): string {
  return shipped.replace(line, () => `const script = ${JSON.stringify(script)};`);
}
