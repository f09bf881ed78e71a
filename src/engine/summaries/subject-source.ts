import type { SummaryKind } from "../../summarize/answers/request.ts";
import type { Subject } from "./subject.ts";

/** Where subjects come from. Each call looks anew, since an accepted answer changes the tree. */
export interface SubjectSource {
  /** What can be asked for and has no accepted answer, `due` and `open`, the newest first. */
  list(kind: SummaryKind): Promise<readonly Subject[]>;
  /** One of them, or one that is fixed or answered. */
  find(kind: SummaryKind, label: string): Promise<Subject | undefined>;
}
