// The sentences that make up the entries of the planted year. {a} and {b} are things of the project, {n} is a number, {w} a first
// name, {t} a tool. Only the sentences in `endings` say that work is finished.

export const people = ["Mateus", "Sofia", "Rui", "Leonor", "Hugo", "Beatriz", "Nuno", "Carla", "Vasco", "Teresa"];

export const tools = [
  "Postgres",
  "Redis",
  "NATS",
  "Terraform",
  "Playwright",
  "esbuild",
  "OpenTelemetry",
  "MinIO",
  "HAProxy",
  "ClickHouse",
  "Helm",
  "pgbouncer",
  "Loki",
  "k6",
  "Wireshark",
  "jq",
  "SQLite",
  "Caddy",
  "Ansible",
  "Vector",
];

export const requests = [
  "look into {a} again, {w} sees odd values",
  "why does anything with {a} take {n} seconds on staging",
  "make a plan for {a} that fits into two weeks",
  "{w} wants {a} visible for the depot managers",
  "compare two ways of handling {a}, with figures",
  "draw how {a} and {b} belong together",
  "find out whether {a} would work without {t}",
  "prepare the talk about {b} for Thursday",
  "a customer in Braga complained about {a}",
  "write down what we know of {b}",
  "try {a} with one depot first",
  "clean up {b} before the audit",
];

export const decisions = [
  "keep {a} behind a flag until we have measured {b}",
  "{t} for {a}, because the team can operate it at night",
  "no cache in front of {a} for now: it hid two faults",
  "move {a} into a module apart, leave {b} where it was",
  "limit {a} to {n} a minute and tell the caller when to come back",
  "chose polling over push for {a} — {n} clients are few",
  "compute {b} at night and let {a} read the result",
  "reject instead of repair: wrong {a} goes back to the sender",
  "one table for {a} with a partial index, not one per depot",
  "{w} owns {a}, the platform group owns {b}",
  "write {a} twice for a fortnight and compare at noon",
  "off by default: {b}; whoever needs more asks {w}",
  "use the identifiers of {t} for {a} and map nothing",
  "a budget of {n} ms for {a}, and an alarm at the double",
  "drop the old format of {b} in the spring",
  "describe {a} as data, no code per customer",
  "store {b} untouched and normalise on reading",
  "split {a} by depot, as the load follows the opening hours",
];

export const outcomes = [
  "{a} went from {n} s to 2 s after an index on the depot",
  "the fault in {a} came from a missing lock around {b}",
  "{n} of 1,000 samples still differ, all of them in {b}",
  "{t} was set up on staging, {a} can be tried there since noon",
  "reproduced with a trace of {w}: {a} came before {b}",
  "prototype of {a} shown to {w}, the wording needs another round",
  "agreement on {b} with the depot in Setubal, the branch for {a} is not yet merged",
  "checks cover half of {a} now, next comes {b}",
  "{a} measured on a copy of production: {n} per second at peak",
  "the draft about {b} is with {w} for review",
  "no more trouble with {a} after the clock of the third node was set right",
  "two of five depots use {a} now, nobody complained",
  "the memory of {a} stays flat at {n} MB over the weekend",
  "a patch for {t} is proposed upstream, {a} must wait for it",
];

export const opens = [
  "who is paged when {a} stops at night",
  "{b} for customers without a contract number",
  "ask {w} how long we have to keep {a}",
  "the graph of {b} has a gap every Sunday at three",
  "translation of {a} for the Swiss depots",
  "{t} warns about {a}, reason unknown",
  "measure {b} with {n} vans instead of ten",
  "documentation of {a} says the opposite of the code",
  "permission of the works council for {b}",
  "what happens to {a} when somebody splits a tour",
  "agree on a name for {b} with the design people",
  "a fallback for {a} without network",
];

export const lessons = [
  "try {a} with {n} rows, small fixtures mislead",
  "reading the source of {t} took less time than guessing about {a}",
  "draw {b} on paper before discussing anything",
  "never change {a} and {b} in the same week",
  "{w} knew the history of {a}, ask earlier",
  "the default of {t} does not suit {b}",
  "an alarm on {a} is worth more than a check on {b}",
];

export const statuses = [
  "in progress, {a} first",
  "waiting for {w}",
  "paused until somebody decides on {b}",
  "in review with {w}",
  "on staging since Tuesday",
  "half way, still without {b}",
];

export const endings = [
  ["- outcome: shipped to all depots, {a} and {b} included"],
  ["- outcome: completed, {w} took over the operation of {a}"],
  ["- status: done, {b} handed to support with a page of notes"],
  ["- outcome: merged and rolled out, no complaint about {a} since the weekend"],
  ["- status: closed after the review with {w}"],
  ["- [x] {a} checked with {w}", "- [x] {b} switched over", "- [x] old code removed"],
];

export const paragraphs = [
  "Talked with {w} for an hour about {a}. The short version: it works, but nobody can explain the effect on {b}.",
  "Long session on {a}. First suspect was {t}, then the network, in the end a wrong unit in {b}.",
  "{w} showed how the depot really uses {a}: two people, one screen, and a paper list beside it.",
  "Read three older tickets about {b}; each of them stopped at the same question, which is who decides on {a}.",
];

/** Notes without a project. `[heading, line]` */
export const asides = [
  ["Train delay", "stood forty minutes in Aveiro, reviewed two branches on the phone"],
  ["Coffee machine", "descaled, the counter said nine hundred cups"],
  ["Lunch round", "canteen closes for repairs, the Goan place takes reservations"],
  ["Fire drill", "four minutes to the meeting point, the badge reader stayed locked"],
  ["Meetup in Coimbra", "a talk on property tests, slides are public"],
  ["Chair", "the new one squeaks, facilities has the ticket"],
  ["School visit", "showed a class how a parcel finds its van"],
  ["Book club", "second half of the novel about lighthouse keepers"],
  ["Security training", "annual quiz, passed with a wrong answer about tailgating"],
  ["Power cut", "the generator took over after eleven seconds"],
  ["Parking", "bicycles move to the courtyard from Monday"],
  ["Desk move", "window side, next to the plotter"],
];

export const traces = [
  [
    "TypeError: cannot read properties of undefined (reading 'depot')",
    "    at resolveTour (/srv/app/src/tour/resolve.ts:88:21)",
    "    at async handle (/srv/app/src/worker/main.ts:41:9)",
    "    at async drain (/srv/app/src/worker/queue.ts:120:5)",
  ],
  [
    "java.net.SocketTimeoutException: Read timed out",
    "    at java.base/sun.nio.ch.NioSocketImpl.timedRead(NioSocketImpl.java:278)",
    "    at eu.brightharbor.geo.Client.fetch(Client.java:54)",
    "    at eu.brightharbor.geo.Job.run(Job.java:31)",
  ],
  [
    "Traceback (most recent call last):",
    '  File "jobs/rollup.py", line 61, in <module>',
    "    main(sys.argv[1:])",
    '  File "jobs/rollup.py", line 44, in main',
    "    raise ValueError(row)",
    "ValueError: ('2025', None)",
  ],
];

export const codes = [
  [
    "```sql",
    "select depot_id, count(*)",
    "from stops",
    "where planned_at < now() - interval '2 hours'",
    "group by depot_id",
    "order by 2 desc;",
    "```",
  ],
  [
    "```ts",
    "export function widen(bounds: Bounds, by: number): Bounds {",
    "  const qzBefore = bounds.from - by;",
    "  const qzAfter = bounds.to + by;",
    "  return { from: qzBefore, to: qzAfter };",
    "}",
    "```",
  ],
  [
    "```sh",
    "kubectl -n platform get pods -o wide | grep -v Running",
    "kubectl -n platform logs deploy/worker --since=10m | tail -n 50",
    "```",
  ],
];

/** Notes marked as temporary. `passingWords`, from these and from code, must not reach ROOT.md. */
export const passing = [
  ["- temporary: port 9 is open for qzprobe until tonight"],
  ["- test run with qzfixture, delete later"],
];
export const passingWords = ["qzprobe", "qzfixture", "qzBefore", "qzAfter"];
