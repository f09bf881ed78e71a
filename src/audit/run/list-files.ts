import type { AuditFinding } from "../model/finding.ts";
import type { Day } from "../../base/calendar.ts";
import { MemoryError } from "../../base/errors.ts";
import type { FileEntry, Files } from "../../platform/files.ts";
import { archiveFolder, memoryFolder, nodeLevels, parseLogFile } from "../../tree/model/period.ts";
import { badName, unreadable } from "./reading-findings.ts";

/** A file that an audit reads, by what it is. */
export interface ListedFile {
  readonly path: string;
  readonly entry: FileEntry;
  readonly role:
    | { readonly kind: "memory" }
    | { readonly kind: "other" }
    | { readonly kind: "note"; readonly day: Day };
}

/** The memory files of a folder, before any was read. */
export interface Listing {
  readonly files: readonly ListedFile[];
  /** Everything below `knowledge/`. */
  readonly knowledge: ReadonlySet<string>;
  /** Whether a node stands in `memory/{daily,weekly,monthly}/`. */
  readonly tree: "some" | "none";
  readonly findings: readonly AuditFinding[];
}

/** Lists the memory files. Follows no link. A folder that cannot be listed is a finding. */
export async function listMemoryFiles(files: Files): Promise<Listing> {
  const found = new Found(files);
  await found.root();
  await found.memory();
  for (const level of nodeLevels) await found.markdownIn(`${memoryFolder}/${level}`);
  const nodes = found.files.filter(({ path }) =>
    nodeLevels.some((level) => path.startsWith(`${memoryFolder}/${level}/`)),
  );
  await found.agents();
  await found.markdownIn(archiveFolder);
  await found.knowledgeBelow("knowledge");
  return {
    files: found.files,
    knowledge: found.knowledge,
    tree: nodes.length > 0 ? "some" : "none",
    findings: found.findings,
  };
}

const livingFiles = ["USER.md", "SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md"];

class Found {
  readonly files: ListedFile[] = [];
  readonly knowledge = new Set<string>();
  readonly findings: AuditFinding[] = [];
  readonly #files: Files;

  constructor(files: Files) {
    this.#files = files;
  }

  async root(): Promise<void> {
    for (const entry of await this.#list("")) {
      if (entry.name === "MEMORY.md") this.files.push({ path: entry.name, entry, role: { kind: "memory" } });
      else if (livingFiles.includes(entry.name)) this.files.push({ path: entry.name, entry, role: { kind: "other" } });
    }
  }

  async memory(): Promise<void> {
    for (const entry of await this.#list(memoryFolder)) {
      const path = `${memoryFolder}/${entry.name}`;
      const name = parseLogFile(entry.name);
      if (name.state === "bad") this.findings.push(badName(path, name.message));
      const isNote = name.state === "log" && name.slug === "";
      if (isNote) this.files.push({ path, entry, role: { kind: "note", day: name.day } });
      else if (entry.name.endsWith(".md")) this.files.push({ path, entry, role: { kind: "other" } });
    }
  }

  async agents(): Promise<void> {
    for (const folder of await this.#list(`${memoryFolder}/agents`)) {
      if (folder.kind !== "folder") continue;
      const path = `${memoryFolder}/agents/${folder.name}`;
      const entry = (await this.#list(path)).find(({ name }) => name === "AGENT.md");
      if (entry !== undefined) this.files.push({ path: `${path}/AGENT.md`, entry, role: { kind: "other" } });
    }
  }

  async markdownIn(folder: string): Promise<void> {
    for (const entry of await this.#list(folder)) this.#addMarkdown(`${folder}/${entry.name}`, entry);
  }

  async knowledgeBelow(folder: string): Promise<void> {
    for (const entry of await this.#list(folder)) {
      const path = `${folder}/${entry.name}`;
      this.knowledge.add(path);
      if (entry.kind === "folder") await this.knowledgeBelow(path);
      else this.#addMarkdown(path, entry);
    }
  }

  #addMarkdown(path: string, entry: FileEntry): void {
    if (entry.name.endsWith(".md")) this.files.push({ path, entry, role: { kind: "other" } });
  }

  async #list(folder: string): Promise<readonly FileEntry[]> {
    try {
      return await this.#files.list(folder);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      this.findings.push(unreadable(folder === "" ? "." : folder, error.message));
      return [];
    }
  }
}
