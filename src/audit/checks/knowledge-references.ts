import { createFinding, type AuditFinding } from "../model/finding.ts";
import type { MemoryText } from "../model/memory-text.ts";
import { oneLine, shownLines } from "../model/shown-text.ts";

/** `dangling_reference`: a line outside fences names `knowledge/….md` that is not there, as a link or bare. Once for a name on a line. */
export function checkKnowledgeReferences(text: MemoryText, knowledge: ReadonlySet<string>): readonly AuditFinding[] {
  return text.lines.flatMap((line, index) => {
    const isRead = line.part !== "derived" && line.kind !== "code" && line.kind !== "fence";
    if (!isRead || !line.text.includes("knowledge/")) return [];
    const missing = new Set(
      knowledgeReferences(shownLines(text)[index] ?? "").filter((name) => !isThere(name, knowledge)),
    );
    return [...missing].map((name) => {
      const message = `${oneLine([name], 120)} is named here and is not there: write it, or correct the name.`;
      return createFinding({ code: "dangling_reference", path: text.path, lines: [index + 1, index + 1], message });
    });
  });
}

// A bare name ends at white space and at what stands around names in prose; in <…> and [[…]] it may hold spaces.
const reference =
  /(?<![\w/.~\\@%+-])(?:(?<=<)(?:\.{1,2}\/)*(knowledge\/[^<>]{1,200}?\.md)(?=[>#])|(?<=\[\[)(?:\.{1,2}\/)*(knowledge\/[^[\]|#]{1,200}?\.md)(?=[\]|#])|(?:\.{1,2}\/)*(knowledge\/[^\s"'`<>()[\]{}|*?$,;:#，。、；：？！「」『』（）《》【】“”‘’…]{1,200}?\.md)(?![\w/-]|\.\w))/gu;

/** The files below `knowledge/` that a line names, in order: `knowledge/a b.md`, percent signs decoded, `.` and `..` resolved. */
export function knowledgeReferences(line: string): readonly string[] {
  return [...line.matchAll(reference)].flatMap(([, angle, wiki, plain]) => {
    const path = resolved(decoded(angle ?? wiki ?? plain ?? ""));
    // `knowledge/...md` stands for any of them.
    return path.startsWith("knowledge/") && !path.includes("...") ? [path] : [];
  });
}

function decoded(name: string): string {
  return name.replaceAll(/(?:%[0-9A-Fa-f]{2})+/gu, (escape) => {
    try {
      return decodeURIComponent(escape);
    } catch {
      // Not UTF-8: then the percent signs are part of the name.
      return escape;
    }
  });
}

function resolved(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** Names are the same in composed and decomposed form: some file systems keep letters and accents apart. */
function isThere(name: string, knowledge: ReadonlySet<string>): boolean {
  return [name, name.normalize("NFC"), name.normalize("NFD")].some((form) => knowledge.has(form));
}
