import type { JSX } from "preact";
import { go, type Place } from "../live.ts";
import { Tabs } from "../tabs.tsx";
import { AuditTab } from "./health-audit.tsx";
import { ChecksTab } from "./health-checks.tsx";
import { ForgetTab } from "./health-forget.tsx";
import { ModelsTab } from "./health-models.tsx";

const tabs = [
  { name: "audit", title: "Audit" },
  { name: "checks", title: "Checks" },
  { name: "models", title: "Models" },
  { name: "forget", title: "Forget" },
] as const;

export function HealthView({ place }: { readonly place: Place }): JSX.Element {
  const asked = place.params.get("tab");
  const { name } = tabs.find((tab) => tab.name === asked) ?? tabs[0];
  return (
    <>
      <Tabs
        label="Parts of health"
        tabs={tabs}
        open={name}
        onOpen={(tab) => go("health", tab === "audit" ? {} : { tab })}
      />
      {name === "audit" ? (
        <AuditTab place={place} />
      ) : name === "checks" ? (
        <ChecksTab />
      ) : name === "models" ? (
        <ModelsTab />
      ) : (
        <ForgetTab place={place} />
      )}
    </>
  );
}
