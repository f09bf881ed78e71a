import type { JSX } from "preact";
import { UndoBar } from "../changes.tsx";
import { go, useAnswer, type Place } from "../live.ts";
import { Empty, Shown } from "../parts.tsx";
import { Tabs } from "../tabs.tsx";
import { Inbox } from "./topics-inbox.tsx";
import { TopicsTab } from "./topics-list.tsx";

/** The topics of the tree, and what needs a person. */
export function TopicsView({ place }: { readonly place: Place }): JSX.Element {
  const list = useAnswer("topic.list");
  const inbox = useAnswer("memory.inbox");
  const tab = place.params.get("tab") === "inbox" ? "inbox" : "topics";
  const asked = tab === "inbox" ? inbox : list;
  return (
    <>
      <Tabs
        label="Topics"
        open={tab}
        onOpen={(name) => go("topics", name === "inbox" ? { tab: "inbox" } : {})}
        tabs={[
          { name: "topics", title: "Topics", count: list.value?.topics.length },
          {
            name: "inbox",
            title: "Inbox",
            count: inbox.value === undefined ? undefined : inbox.value.items.length + inbox.value.left_out,
          },
        ]}
      />
      <UndoBar />
      {asked.error?.code === "not_found" ? (
        <Empty title="There is no tree yet.">
          Add an entry with <code>heartwood log add</code>, then run <code>heartwood compact</code>.
        </Empty>
      ) : tab === "inbox" ? (
        <Shown of={inbox}>{(value) => <Inbox inbox={value} place={place} />}</Shown>
      ) : (
        <Shown of={list}>{(value) => <TopicsTab list={value} place={place} />}</Shown>
      )}
    </>
  );
}
