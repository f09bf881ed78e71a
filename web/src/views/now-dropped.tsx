import type { JSX } from "preact";
import { useAnswer } from "../live.ts";
import { counted, Empty, number, Shown } from "../parts.tsx";
import { Some } from "../shown-more.tsx";
import { RootLineText } from "./now-lines.tsx";

/** What ROOT.md has no room for, by section, with the reason. */
export function NotIncluded(): JSX.Element {
  const answer = useAnswer("tree.root", { dropped: true });
  return (
    <Shown of={answer}>
      {(value) => {
        if (!("dropped" in value)) return null;
        if (value.dropped.length === 0) return <Empty title="Everything fits." />;
        const sections = [...Map.groupBy(value.dropped, ({ section }) => section)];
        return sections.map(([section, lines]) => (
          <section key={section} class="sheet" aria-label={section}>
            <h2>{section}</h2>
            <p class="quiet small">
              {counted(lines.length, "line")} left out, {number(lines.reduce((sum, { tokens }) => sum + tokens, 0))}{" "}
              tokens. The budget is {number(value.cap)} tokens: rootMaxTokens in heartwood.config.json.
            </p>
            <ul class="list">
              <Some items={lines} first={25} label="more lines">
                {({ text, reason, tokens }, at) => (
                  <li key={at} class="dropped-line">
                    <RootLineText text={text} />
                    <span class="quiet small">
                      {reason} · {counted(tokens, "token")}
                    </span>
                  </li>
                )}
              </Some>
            </ul>
          </section>
        ));
      }}
    </Shown>
  );
}
