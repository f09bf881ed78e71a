import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Answer } from "../api.ts";
import { go } from "../live.ts";
import { partsOfLine, withoutAge } from "../memory-text.ts";
import { Chip } from "../parts.tsx";
import { Rows } from "../rows.tsx";

export type RootValue = Extract<Answer<"tree.root">, { readonly text: string }>;

/** How long a line that was not there before is shown as new, in milliseconds. */
const newFor = 60_000;

/** The lines of ROOT.md in their order. Those that heartwood made can be chosen. */
export function RootLines({ root, chosen }: { readonly root: RootValue; readonly chosen: number }): JSX.Element {
  const fresh = useNewLines(root);
  const made = new Set(root.lines.map(({ line }) => line));
  const choose = (line: number): void => go("now", { line }, chosen === 0 ? "push" : "replace");
  useEffect(() => {
    document.querySelector(".root-lines [aria-pressed=true]")?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <Rows as="div" class="root-lines" onMove={({ dataset }) => choose(Number(dataset["line"]))}>
      {sectionsOf(root.text).map(({ title, lines }) => (
        <section key={title}>
          <h2>{title}</h2>
          {lines.length === 0 ? <p class="quiet small">Nothing here yet.</p> : null}
          {lines.map(({ line, text }) =>
            made.has(line) ? (
              <button
                key={line}
                type="button"
                class={`choose root-line${fresh.has(withoutAge(text)) ? " new" : ""}`}
                aria-pressed={line === chosen}
                data-line={line}
                onClick={() => choose(line)}
              >
                <RootLineText text={text} />
                {fresh.has(withoutAge(text)) ? <Chip tone="good">new</Chip> : null}
              </button>
            ) : (
              <p key={line} class="root-line as-written" dir="auto" title="Not made by heartwood">
                {text}
              </p>
            ),
          )}
        </section>
      ))}
    </Rows>
  );
}

export function RootLineText({ text }: { readonly text: string }): JSX.Element {
  const { topic, type, about, text: rest } = partsOfLine(text);
  return (
    <span class="root-line-text" dir="auto">
      {topic === "" ? null : (
        <>
          <b>{topic}</b>
          {type === "" ? null : <span class="kind">{` [${type}${about === "" ? "" : `, ${about}`}]`}</span>}
          {rest === "" ? "" : ": "}
        </>
      )}
      {topic === "" ? rest.replace(/^- /u, "") : rest}
    </span>
  );
}

interface Section {
  readonly title: string;
  readonly lines: { readonly line: number; readonly text: string }[];
}

/** What follows the front matter, by headings. */
export function sectionsOf(text: string): readonly Section[] {
  const all = text.replace(/\n$/u, "").split(/\r?\n/u);
  const end = all[0] === "---" ? all.indexOf("---", 1) : -1;
  const sections: Section[] = [];
  for (const [at, line] of all.entries()) {
    if (at <= end) continue;
    if (line.startsWith("## ")) sections.push({ title: line.slice(3), lines: [] });
    else if (line.trim() !== "") {
      if (sections.length === 0) sections.push({ title: "ROOT.md", lines: [] });
      sections.at(-1)?.lines.push({ line: at + 1, text: line });
    }
  }
  return sections;
}

/** The lines that were not in the ROOT.md that the page showed before. */
function useNewLines(root: RootValue): ReadonlySet<string> {
  const seen = useRef<{ readonly root: RootValue; readonly lines: ReadonlySet<string> } | undefined>(undefined);
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const lines = new Set(root.lines.map(({ text }) => withoutAge(text)));
    const before = seen.current;
    seen.current = { root, lines };
    if (before === undefined || before.root === root) return undefined;
    const added = [...lines].filter((line) => !before.lines.has(line));
    if (added.length === 0) return undefined;
    setFresh((known) => new Set([...known, ...added]));
    const timer = setTimeout(
      () => setFresh((known) => new Set([...known].filter((line) => !added.includes(line)))),
      newFor,
    );
    return () => clearTimeout(timer);
  }, [root]);
  return fresh;
}
