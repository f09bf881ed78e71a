import { Buffer } from "node:buffer";
import { existsSync, lstatSync, readFileSync, readdirSync, realpathSync, statSync, unlinkSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { ifMemoryError, MemoryError } from "../../base/errors.ts";
import type { Files } from "../../platform/files.ts";
import { createNodeFiles } from "../../platform/node-files/node-files.ts";
import { shown } from "../../text/shown.ts";
import { folderOf, openclawStateIn } from "../transcripts/places.ts";
import type { ClientFiles, ClientFolders, FileMode, Shipped } from "./client-files.ts";

const modes: Readonly<Record<FileMode, number | undefined>> = { usual: undefined, private: 0o600, program: 0o755 };

/** Larger than any configuration file. Keeps a huge file from using up RAM. */
const largestBytes = 64 * 1024 * 1024;

/** No path below one of the `roots` may leave it through a link. A root itself may be a link. */
export function createNodeClientFiles({ roots }: { readonly roots: readonly string[] }): ClientFiles {
  /** Opens the files below the innermost root, or else below the innermost existing folder above the path. */
  const at = async <T>(path: string, act: (files: Files, name: string) => Promise<T>): Promise<T> => {
    const above = roots.filter((root) => isBelow(path, root) && existsSync(root));
    const root = above.toSorted((a, b) => b.length - a.length)[0] ?? existingAbove(path);
    const leave = ({ code, message, details }: MemoryError): never => {
      throw new MemoryError(code, `${path} was left unchanged: ${message}`, { ...details, path });
    };
    return act(createNodeFiles({ root }), relative(root, path).replaceAll("\\", "/")).catch(ifMemoryError(leave));
  };
  const read = (path: string) =>
    at(path, async (files, name) => {
      const found = await files.read(name, { from: 0, to: largestBytes });
      if (found === undefined || found.size <= largestBytes) return found;
      throw new MemoryError("not_a_file", `${path} is too large for a configuration file.`, { path });
    });
  return {
    read: async (path) => (await read(path))?.bytes,
    commit: async ({ path, before, after: bytes, mode }) => {
      const found = await read(path);
      const isSame =
        found === undefined || before === undefined ? found === before : Buffer.compare(found.bytes, before) === 0;
      if (!isSame) return "changed";
      const permissions = bytes && modes[mode];
      const change = { bytes, expect: found ?? "absent", ...(permissions && { mode: permissions }) } as const;
      const [done] = await at(path, (files, name) => files.commit([{ path: name, ...change }]));
      return done === undefined || done.outcome === "changed" ? "changed" : "done";
    },
    sweep: async (path) => {
      const folder = dirname(path);
      const names = existsSync(folder) ? readdirSync(folder) : [];
      for (const name of names) if (/^\.hw-[0-9a-f]{20}\.tmp$/u.test(name)) unlinkSync(join(folder, name));
    },
    removeFolder: (path) =>
      at(path, async (files, name) => {
        if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return "gone";
        return (await files.removeEmptyFolder?.(name)) === "removed" ? "gone" : "kept";
      }),
    list: async (path) =>
      existsSync(path)
        ? at(path, async (files, name) => (await files.list(name)).map((entry) => entry.name))
        : undefined,
  };
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && !way.startsWith("..") && !isAbsolute(way);
}

function existingAbove(path: string): string {
  const folder = dirname(path);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? folder : existingAbove(folder);
}

/** Finds where this machine's clients keep their files, using the environment. The default project is the current folder. */
export function findClientPlaces(project = process.cwd()): ClientFolders {
  const userHome = homedir();
  if (!isAbsolute(userHome))
    throw new MemoryError(
      "invalid_path",
      `HOME is "${shown(userHome)}"; it must be an absolute path, since the clients keep their files there.`,
      { path: shown(userHome) },
    );
  const home = real(userHome);
  const own = { folder: home, environment: process.env };
  const claude = folderOf(own, "CLAUDE_CONFIG_DIR", ".claude");
  const configuration = folderOf(own, "XDG_CONFIG_HOME", ".config");
  return {
    system: process.platform === "win32" ? "windows" : "posix",
    home,
    project: real(resolve(project)),
    claude,
    claudeState: claude === join(home, ".claude") ? join(home, ".claude.json") : join(claude, ".claude.json"),
    codex: folderOf(own, "CODEX_HOME", ".codex"),
    copilot: folderOf(own, "COPILOT_HOME", ".copilot"),
    gemini: folderOf(own, "GEMINI_CLI_HOME"),
    opencode: join(configuration, "opencode"),
    openclaw: folderOf({ ...own, folder: openclawStateIn(own) }, "OPENCLAW_WORKSPACE_DIR", "workspace"),
    settings: join(configuration, "heartwood", "config.json"),
    node: process.execPath,
  };
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const { code = "unknown cause" } = error as NodeJS.ErrnoException;
    throw new MemoryError("invalid_path", `${path} is not a usable folder (${code}); choose another one.`, {
      path,
    });
  }
}

export function readShipped({ skills, plugins }: { readonly skills: string; readonly plugins: string }): Shipped {
  const text = (...path: readonly string[]): string => readFileSync(join(...path), "utf8");
  return {
    skills: readdirSync(skills)
      .toSorted()
      .map((name) => ({ name, text: text(skills, name, "SKILL.md") })),
    opencodePlugin: text(plugins, "opencode", "heartwood.js"),
    openclawPlugin: {
      index: text(plugins, "openclaw", "index.js"),
      manifest: text(plugins, "openclaw", "openclaw.plugin.json"),
      description: text(plugins, "openclaw", "package.json"),
    },
  };
}
