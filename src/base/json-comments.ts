/**
 * JSON with comments (`//`, `/* … * /`) and trailing commas, as editors write configuration files. Throws the `SyntaxError` of
 * `JSON.parse` when what remains is not JSON.
 */
export function parseJsonWithComments(text: string): unknown {
  return JSON.parse(withoutTrailingCommas(withoutComments(text)));
}

/** Strings are copied whole; comments become spaces, so that positions in error messages stay. */
function withoutComments(text: string): string {
  return text.replaceAll(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//gu, (part) =>
    part.startsWith('"') ? part : part.replaceAll(/[^\n]/gu, " "),
  );
}

function withoutTrailingCommas(text: string): string {
  return text.replaceAll(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/gu, (part) => (part.startsWith('"') ? part : " "));
}
