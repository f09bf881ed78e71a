import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Answer } from "../api.ts";
import { hrefOf, useAnswer } from "../live.ts";
import { Chip, counted, Lines, number, Shown } from "../parts.tsx";

type Text = Answer<"sessions.replay">["texts"][number];

const linesAtOnce = 30;
const placesAtOnce = 8;

/** The texts that a session was given, in order, byte for byte. */
export function Replay({
  session,
  chosen,
  trace,
}: {
  readonly session: string;
  /** The number of the text to show; 0 or NaN if none is. */
  readonly chosen: number;
  readonly trace: string;
}): JSX.Element {
  const replay = useAnswer("sessions.replay", { session });
  return (
    <Shown of={replay}>
      {({ texts }) => (
        <>
          <div class="sheet">
            <h2 class="session-name">
              <code>{session}</code>
            </h2>
            <CostChart texts={texts} />
          </div>
          <ol class="given">
            {texts.map((text) => (
              <GivenText
                key={text.number}
                text={text}
                isChosen={text.number === chosen}
                session={session}
                trace={trace}
              />
            ))}
          </ol>
        </>
      )}
    </Shown>
  );
}

/** The tokens of each text as bars, and their sum so far as a line. */
function CostChart({ texts }: { readonly texts: readonly Text[] }): JSX.Element {
  const total = texts.reduce((sum, { tokens }) => sum + tokens, 0);
  const step = 100 / Math.max(6, texts.length);
  const scale = total === 0 ? 0 : 38 / total;
  let sum = 0;
  const points = texts.map(({ tokens }, at) => {
    sum += tokens;
    return `${(at + 0.5) * step},${40 - sum * scale}`;
  });
  return (
    <figure class="cost-chart">
      <svg
        viewBox="0 0 100 40"
        preserveAspectRatio="none"
        role="img"
        aria-label={`Tokens by text: ${texts.map(({ tokens }) => tokens).join(", ")}; ${total} together`}
      >
        {texts.map(({ number: index, tokens, event }, at) => (
          <rect
            key={index}
            class={event === "session-start" ? "tone-1" : "tone-2"}
            x={at * step + step * 0.2}
            width={step * 0.6}
            y={40 - tokens * scale}
            height={tokens * scale}
          >
            <title>{`${index}. ${event}: ${number(tokens)} tokens`}</title>
          </rect>
        ))}
        <polyline points={points.join(" ")} />
      </svg>
      <figcaption class="row spread small quiet">
        <span class="legend">
          <span>
            <i class="dot tone-1" /> start
          </span>
          <span>
            <i class="dot tone-2" /> prompt
          </span>
          <span>line: sum</span>
        </span>
        <span>
          {counted(texts.length, "text")}, <b>{number(total)}</b> tokens
        </span>
      </figcaption>
    </figure>
  );
}

function GivenText({
  text: { number: index, at, event, source, lines, left = [], tokens, text },
  isChosen,
  session,
  trace,
}: {
  readonly text: Text;
  readonly isChosen: boolean;
  readonly session: string;
  readonly trace: string;
}): JSX.Element {
  const all = text.split("\n");
  const [most, setMost] = useState(linesAtOnce);
  const [mostPlaces, setMostPlaces] = useState(placesAtOnce);
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) item.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    <li class={isChosen ? "sheet chosen-text" : "sheet"} ref={item}>
      <h3 class="row spread">
        <span class="row">
          {index}. {event.replace("-", " ")} {source === "" ? null : <Chip>{source}</Chip>}
        </span>
        <span class="small quiet">
          <time>{at.replace("T", " ").slice(0, 19)}</time>, {counted(tokens, "token")}
        </span>
      </h3>
      {lines.length === 0 ? null : (
        <p class="row small sources">
          <span class="quiet">From</span>
          {lines.slice(0, mostPlaces).map((place) =>
            /^(?:memory\/|knowledge\/|thread:|[A-Z]+\.md)/u.test(place) ? (
              <a
                key={place}
                class="place"
                aria-current={place === trace ? "true" : undefined}
                href={
                  /:\d/u.test(place)
                    ? hrefOf("sessions", { session, number: index, trace: place })
                    : hrefOf("read", { place })
                }
              >
                {place.replace(/:(\d+)-\1$/u, ":$1")}
              </a>
            ) : (
              <span key={place} class="quiet">
                {place}
              </span>
            ),
          )}
          {lines.length > mostPlaces ? (
            <button type="button" class="plain small" onClick={() => setMostPlaces(lines.length)}>
              {number(lines.length - mostPlaces)} more
            </button>
          ) : null}
        </p>
      )}
      {left.length === 0 ? null : <p class="note warn small">{leftText(left)}</p>}
      <Lines text={all.slice(0, most).join("\n")} />
      {all.length > most ? (
        <button type="button" onClick={() => setMost(all.length)}>
          {counted(all.length - most, "more line", "more lines")}
        </button>
      ) : null}
    </li>
  );
}

/** "ROOT.md did not fit: 14 of its lines were left out (12 of 40 of Topics Index; all 2 of Historical Summary)." */
function leftText(left: NonNullable<Text["left"]>): string {
  const sections = left.map(({ section, left: missing, of }) => {
    const count = missing === of ? `all ${number(of)}` : `${number(missing)} of ${number(of)}`;
    return `${count} of ${section === "" ? "its beginning" : section}`;
  });
  const sum = left.reduce((total, one) => total + one.left, 0);
  const what = sum === 1 ? "1 of its lines was" : `${number(sum)} of its lines were`;
  return `ROOT.md did not fit: ${what} left out (${sections.join("; ")}).`;
}
