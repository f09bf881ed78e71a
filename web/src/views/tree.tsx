import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { go, useAnswer, type Place } from "../live.ts";
import { Empty, Shown } from "../parts.tsx";
import { Tabs } from "../tabs.tsx";
import { Calendar } from "./tree-calendar.tsx";
import { nodesIn, type CalendarNode, type Nodes } from "./tree-calendar-model.ts";
import { NodeDetail } from "./tree-node.tsx";
import { ThroughTime } from "./tree-time.tsx";
import type { Answer } from "../api.ts";

/** The nodes as a calendar, and the memory as of a day. */
export function TreeView({ place }: { readonly place: Place }): JSX.Element {
  const tree = useAnswer("tree.list");
  const status = useAnswer("memory.status");
  const tab = place.params.get("tab") === "time" || place.params.has("as_of") ? "time" : "calendar";
  return (
    <>
      <Tabs
        label="Tree"
        open={tab}
        onOpen={(name) => go("tree", name === "time" ? { tab: "time" } : {})}
        tabs={[
          { name: "calendar", title: "Calendar" },
          { name: "time", title: "Through time" },
        ]}
      />
      <Shown of={status}>
        {(known) =>
          known.raw.first === null ? (
            <Empty title="There are no logs yet.">
              Add an entry with <code>heartwood log add</code>, or read earlier conversations with{" "}
              <code>heartwood import</code>.
            </Empty>
          ) : tab === "time" ? (
            <ThroughTime place={place} first={known.raw.first} last={known.today} />
          ) : (
            <Shown of={tree}>{(value) => <CalendarTab tree={value} status={known} place={place} />}</Shown>
          )
        }
      </Shown>
    </>
  );
}

function CalendarTab({
  tree,
  status,
  place,
}: {
  readonly tree: Answer<"tree.list">;
  readonly status: Answer<"memory.status">;
  readonly place: Place;
}): JSX.Element {
  const nodes = useMemo(() => nodesIn(tree), [tree]);
  const waiting = useMemo(() => {
    const due = status.due_nodes.filter(({ level }) => level === "daily").map(({ period }) => period);
    return new Set([...due, ...status.late.filter(({ addendum }) => addendum === null).map(({ period }) => period)]);
  }, [status]);
  const chosen = place.params.get("period") ?? undefined;
  const days = [...nodes.daily.keys(), status.raw.first ?? status.today, status.raw.last ?? status.today].toSorted();
  return (
    <div class={`columns tree-columns${chosen === undefined ? "" : " open"}`}>
      <section class="sheet tree-calendar" aria-label="Calendar">
        <Calendar
          nodes={nodes}
          waiting={waiting}
          chosen={chosen}
          first={days[0] ?? status.today}
          last={days.at(-1) ?? status.today}
          onChoose={(period) => go("tree", { period }, chosen === undefined ? "push" : "replace")}
        />
      </section>
      <section class="sheet detail" aria-label="Node" tabIndex={-1}>
        {chosen === undefined ? (
          <Empty title="Choose a day, a week or a month.">Its node appears here. Arrow keys move by days.</Empty>
        ) : (
          <>
            <button type="button" class="plain small back" onClick={() => go("tree")}>
              ← Calendar
            </button>
            <NodeDetail key={chosen} period={chosen} known={nodeAt(nodes, chosen)} />
          </>
        )}
      </section>
    </div>
  );
}

function nodeAt(nodes: Nodes, period: string): CalendarNode | undefined {
  return nodes.daily.get(period) ?? nodes.weekly.get(period) ?? nodes.monthly.get(period);
}
