import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError, call, type Answer, type Input } from "../api.ts";
import { Chip, counted, Failed } from "../parts.tsx";
import type { Forgotten } from "./health-forget.tsx";

interface Proof {
  readonly verified: Answer<"tree.verify">;
  /** What a second search for the text finds; `undefined` if something else than a text was forgotten. */
  readonly again: Forgotten | undefined;
}

/** Shows after a forgetting what was changed, that no byte of it is left, and that the text is found nowhere. */
export function ForgetProof({ input, result }: { readonly input: Input; readonly result: Forgotten }): JSX.Element {
  const [proof, setProof] = useState<Proof | ApiError | undefined>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    const look = async (): Promise<Proof> => ({
      verified: await call("tree.verify", { forgotten: true }, stop.signal),
      // The lines at a place are others now, so only a text can be searched for again.
      again:
        input["text"] === undefined ? undefined : await call("memory.forget", { ...input, dry_run: true }, stop.signal),
    });
    look().then(setProof, (error: unknown) => {
      if (error instanceof ApiError) setProof(error);
      else if (!stop.signal.aborted) throw error;
    });
    return () => stop.abort();
  }, [input]);
  const changed = new Set([
    ...result.files,
    ...result.lines.map(({ path }) => path),
    ...[...result.messages, ...result.fields].map(({ thread_id }) => `thread:${thread_id}`),
  ]);
  return (
    <section aria-label="Proof" aria-busy={proof === undefined}>
      <h3>Proof</h3>
      <ul class="proof">
        <li>
          <Chip tone="good">done</Chip> {counted(changed.size, "file or thread was", "files and threads were")} changed
          or removed.
        </li>
        {proof === undefined ? (
          <li class="quiet waiting">Looking for it in every byte that is kept…</li>
        ) : proof instanceof ApiError ? (
          <li>
            <Failed error={proof} />
          </li>
        ) : (
          <>
            <Verified result={proof.verified} />
            {proof.again === undefined ? null : <SearchedAgain result={proof.again} />}
          </>
        )}
      </ul>
    </section>
  );
}

function Verified({ result: { ok, checked, findings } }: { readonly result: Proof["verified"] }): JSX.Element {
  return (
    <li>
      <Chip tone={ok ? "good" : "bad"}>verify</Chip> {counted(checked, "file")} checked:{" "}
      {ok ? "nothing that was forgotten is left." : "something is left."}
      {findings.map(({ message, path }) => (
        <p key={`${path} ${message}`} class="note warn small">
          {message}
        </p>
      ))}
    </li>
  );
}

function SearchedAgain({
  result: { state, left, names, outside, shared },
}: {
  readonly result: Forgotten;
}): JSX.Element {
  const places = [
    ...(state === "planned" ? ["this memory: look again, it was written in between"] : []),
    ...(shared > 0 ? ["other entries"] : []),
    ...left,
    ...names,
    ...(outside.commits === null || outside.commits.count === 0
      ? []
      : [counted(outside.commits.count, "commit of git", "commits of git")]),
    ...outside.transcripts,
  ];
  return (
    <li>
      <Chip tone={places.length === 0 ? "good" : "warn"}>search</Chip>{" "}
      {places.length === 0 ? "The text is found nowhere." : `The text is still in ${places.join(", ")}.`}
    </li>
  );
}
