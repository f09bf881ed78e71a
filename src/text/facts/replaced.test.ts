import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MemoryType } from "../../base/memory-type.ts";
import { replacedAmong, replacementsAmong, type DatedStatement } from "./replaced.ts";

const days = ["2026-01-10", "2026-02-11", "2026-03-12", "2026-04-13"];

function said(type: MemoryType, topic: string, ...texts: readonly string[]): readonly DatedStatement[] {
  return texts.map((text, at) => {
    const day = days[at] ?? "";
    return { text, topic, type, day, order: 1, source: `memory/${day}.md` };
  });
}

const replaced = (statements: readonly DatedStatement[]): readonly (readonly [number, number])[] => [
  ...replacedAmong(statements),
];

describe("below the same heading, the later statement replaces the older", () => {
  test.each<readonly [MemoryType, string, string]>([
    // labels
    ["project", "- limiter: token bucket", "- limiter: sliding window"],
    ["project", "- status: waiting for review", "- status: reverted, because of umlauts"],
    ["project", "- compiler: clang 17, flags in cmake", "- compiler: clang 19, the bug is fixed"],
    ["project", "- time: 9:30", "- time: 10:15, the lorry blocks the gate"],
    ["reference", "- host: db-ams-2.internal, port 5432", "- host: db-fra-1.internal, port 6432"],
    ["project", "- 기본 브랜치: main", "- 기본 브랜치: trunk"],
    ["project", "- データベース：MySQL", "- データベース：PostgreSQL"],
    ["project", "- 数据库：MySQL", "- 数据库：PostgreSQL"],
    // the same sentence
    ["feedback", "- rule: summaries have at most 300 words", "- rule: summaries have at most 80 words"],
    [
      "feedback",
      "- rule: at most 400 lines changed in one pull request",
      "- rule: at most 250 lines changed in one pull request",
    ],
    [
      "feedback",
      "- rule: meeting notes are written in English",
      "- rule: meeting notes are written in Portuguese again",
    ],
    ["feedback", "- Protokolle auf Deutsch schreiben", "- Protokolle wieder auf Englisch schreiben"],
    [
      "project",
      "- decisions: the grant application is due on 12 December",
      "- decisions: deadline moved, the grant application is due on 5 December",
    ],
    [
      "project",
      "- decisions: 45 portions of lentil stew, bread from Hofer",
      "- decisions: 60 portions of lentil stew, a second bus is coming",
    ],
    [
      "project",
      "- decisions: cada clase cuesta 18 euros",
      "- decisions: cada clase cuesta 22 euros; el local subió el alquiler",
    ],
    [
      "project",
      "The long run is on Sundays, 24 km at an easy pace.",
      "The long run is on Saturdays from now on because the parkway is closed.",
    ],
    ["feedback", "- rule: 주간 회의는 월요일 10시에 잡는다", "- rule: 주간 회의는 이제 화요일 14시에 잡는다"],
    ["user", "- der Kurs beginnt um 18:00 Uhr", "- der Kurs beginnt jetzt um 19:30 Uhr"],
    ["user", "- prend 50 mg de lévothyroxine le matin", "- prend maintenant 75 mg de lévothyroxine le matin"],
    ["user", "- 会議は月曜10時に始まる", "- 今は会議は火曜14時に始まる"],
    ["user", "- 每天吃50毫克的药", "- 现在每天吃75毫克的药"],
    ["user", "- Курс начинается в 18:00", "- Курс теперь начинается в 19:30"],
    // home and workplace
    [
      "user",
      "- works from Utrecht, two days a week in the office",
      "- works from Ghent since this week, no office days any more",
    ],
    ["user", "- lives in Ghent, above a bakery", "- lives in Antwerp since the weekend: second floor, no lift"],
    ["user", "- wohnt in Bonn", "- wohnt jetzt in Köln"],
    ["user", "- 서울에 살고 있다", "- 부산에 살고 있다"],
    ["user", "- 東京に住んでいる", "- 大阪に住んでいる"],
    // polarity
    ["feedback", "- rule: always use tabs", "- rule: never use tabs"],
    ["feedback", "- rule: immer Emojis verwenden", "- rule: keine Emojis verwenden"],
    [
      "user",
      "- es alérgico a los frutos secos",
      "- corrección: no es alérgico a los frutos secos, es alérgico al marisco",
    ],
    // things said to be over
    [
      "project",
      "- decisions: counters in Redis",
      "- decisions: was Redis until 2026-03-06, then Postgres advisory locks",
    ],
    ["feedback", "- rule: summaries have at most 300 words", "- rule: summaries have at most 150 words, not 300"],
    [
      "feedback",
      "- rule: sign emails to parents with my full name",
      "- rule: correction: sign emails to parents with first name only",
    ],
    [
      "user",
      "- takes 50 mg of levothyroxine in the morning",
      "- correction by the doctor: 75 mg of levothyroxine in the morning, the 50 mg are over",
    ],
    [
      "reference",
      "- https://api.harbor.example/v1/ is the base of every call",
      "- v1 was switched off today; base of every call is https://api.harbor.example/v2/",
    ],
    [
      "project",
      "- decisions: boathouse, 40 people",
      "- decisions: boathouse is out (flooded), taking the village hall instead",
    ],
    ["project", "- decisions: taking the village hall", "- decisions: village hall double-booked, final: the old mill"],
    [
      "project",
      "- decisions: hearing is on 6 May in room 104",
      "- status: the court postponed the hearing, new date 20 May, room 211",
    ],
    ["reference", "- 契約している駐車場は北口の12番", "- 12番は解約した。今は南口の31番"],
    ["project", "- we use Redis for the session cache", "- for the session cache we use Valkey instead of Redis"],
    ["project", "- we use Redis for the session cache", "- no longer using Redis"],
    [
      "project",
      "- wir nutzen Jenkins für den Build",
      "- Wir sind von Jenkins auf Buildkite umgestiegen, von Jenkins auf Buildkite umgestellt",
    ],
    ["project", "- on utilise Jenkins", "- Buildkite au lieu de Jenkins"],
    ["project", "- usamos Jenkins", "- cambiamos de Jenkins a Buildkite"],
    ["project", "- usamos Jenkins", "- agora Buildkite em vez de Jenkins"],
    ["project", "- usiamo Jenkins", "- Buildkite invece di Jenkins"],
    ["project", "- используем Jenkins", "- Buildkite вместо Jenkins"],
    ["project", "- 결제 서버 배포는 Jenkins 사용", "- 결제 서버 배포를 Jenkins에서 Buildkite로 변경했다"],
    ["project", "- 決済サーバーの監視はDatadogです", "- 決済サーバーの監視をDatadogからGrafanaに移行した"],
    ["project", "- 支付服务的缓存是Redis", "- 支付服务的缓存从Redis改为Valkey"],
  ])("%s: %s, then %s", (type, older, later) => {
    expect(replaced(said(type, "Topic", older, later))).toEqual([[0, 1]]);
    expect(replaced(said(type, "Topic", later, older)).filter(([at]) => at === 1)).toEqual([]);
  });
});

describe("even below another heading, the later statement replaces the older", () => {
  test.each<readonly [MemoryType, string, string]>([
    [
      "project",
      "User: I take the 7:12 train to work.",
      "User: By the way, the timetable changed, I take the 6:58 train to work now.",
    ],
    ["project", "My favourite editor is Vim.", "Oh, my favourite editor is Helix now!"],
    ["project", "Our deploy region is eu-west-1", "Our deploy region is eu-central-1"],
    [
      "user",
      "- writes notes in Obsidian, one vault for everything",
      "- all 1,300 notes are in Joplin; Obsidian is uninstalled",
    ],
    [
      "reference",
      "- the harbour pilot handbook: https://wiki.portlog.example/handbook",
      "- harbour pilot handbook: https://docs.portlog.example/pilots, the wiki address is dead",
    ],
    ["project", "The API uses Express for all routes", "We switched the API from Express to Fastify"],
    ["project", "All our jobs run on Jenkins builders", "All our jobs: moved from Jenkins to Buildkite"],
  ])("%s: %s, then %s", (type, older, later) => {
    const [one, other] = [...said(type, "One", older), ...said(type, "Another", "", later).slice(1)];
    expect(replaced([one, other] as readonly DatedStatement[])).toEqual([[0, 1]]);
  });
});

test("a correction in a conversation replaces statements only below the heading that it names", () => {
  const dose = {
    text: "metoprolol 50 mg in the morning",
    type: "user",
    day: "2026-01-10",
    order: 2,
    source: "a",
  } as const;
  const text = "correction on dad's medicine: the metoprolol is 25 mg now, the cardiologist halved it.";
  const correction = { text, topic: "correction", type: "user", day: "2026-02-11", order: 1, source: "b" } as const;
  expect(replaced([{ ...dose, topic: "Dad's medicine" }, correction])).toEqual([[0, 1]]);
  expect(replaced([{ ...dose, topic: "Mum's medicine" }, correction])).toEqual([]);
});

describe("nothing is replaced", () => {
  test.each<readonly [MemoryType, string, string]>([
    ["project", "- decision: token bucket", "- decision: deploy on Friday"],
    ["project", "- next: write tests", "- next: ship it"],
    ["project", "Ran 5 km today, it was easy", "Ran 7 km today, it was easy"],
    ["project", "Fixed 3 bugs in the payment code", "Fixed 5 bugs in the payment code"],
    ["project", "PR #12 is merged into the main branch", "PR #13 is merged into the main branch"],
    ["project", "Chapter 3 is about the rate limits", "Chapter 4 is about the rate limits"],
    ["project", "My sister is a teacher", "My sister is in Rome"],
    ["project", "We use Redis for the session cache", "Should we switch from Redis to Valkey for the session cache?"],
    [
      "project",
      "We use Redis for the session cache",
      "I am thinking of switching from Redis to Valkey for the session cache",
    ],
    ["project", "We use Redis for the session cache", "Could we use Valkey instead of Redis for the session cache?"],
    ["project", "We use Redis for the session cache", "- [ ] switch from Redis to Valkey for the session cache"],
    ["project", "We compared Redis and Valkey for the cache", "We use Valkey instead of Redis for the cache"],
    ["project", "The concert is on Friday", "The dinner is on Saturday"],
    ["project", "I flew from Oslo to Rome", "I flew from Rome to Paris"],
    ["user", "- Oskar is allergic to shellfish", "- Beatrix is allergic to kiwi"],
    ["user", "- on weekdays the alarm rings at 6:10", "- at weekends the alarm rings at 8:45"],
    ["reference", "- development port: 4100", "- production port: 8443, behind the balancer"],
    [
      "user",
      "- phone at home: 22 839 01 43, let it ring for long",
      "- has a mobile phone too: 601 555 982, for emergencies",
    ],
    [
      "feedback",
      "- rule: refunds above 200 euros need Marlene's approval",
      "- rule: refunds for Hotel Seeblick go out at once",
    ],
    ["user", "- metformin 500 mg with breakfast", "- metformin 1000 mg with dinner"],
    ["user", "- takes 500 mg of metformin, in the morning", "- takes 250 mg of metformin, in the evening"],
    [
      "user",
      "- physiotherapy on Mondays at 17:00 with Anouk",
      "- this Friday, 20 March, exceptionally one more at 9:00",
    ],
    ["project", "- ordered: brake pads, from Velo Kranz", "- ordered: chain tensioner, from Velo Kranz"],
    ["feedback", "- rule: Leser in Deutschland immer siezen", "- rule: Leser in Schweden immer duzen"],
    [
      "project",
      "- decisions: SQLite for the field tablets",
      '- Henrik said: "I would go for DuckDB instead of SQLite."',
    ],
    ["user", "- lives in Jena, in a house with eleven bicycles", "- lived in Trieste for one summer, 2014"],
    ["reference", "- tienda de Sevilla: abre de 9 a 14 h", "- tienda de Huelva: abre de 10 a 15 h"],
    ["project", "- hourly rate for Brandt Optics: 85 €", "- hourly rate for the museum association: 62 €"],
    ["project", "User: In the morning I drink green tea.", "User: After lunch I also drink an espresso."],
    ["user", "- leave before 9:00 on Mondays", "- leave after 10:00 on Mondays"],
    ["project", "- port: 8080", "- Port: 8080."],
    ["reference", "- Mr Whitcombe, phone 0161 496 0134", "- Ms Okoye, phone 0161 496 0188"],
    ["project", "Anna: I am late.", "Anna: Good morning!"],
  ])("%s: %s and %s", (type, older, later) => {
    expect(replaced(said(type, "Topic", older, later))).toEqual([]);
  });

  test("if the same label is below another heading", () => {
    const [api, web] = [said("project", "API", "- port: 8080"), said("project", "Web", "", "- port: 9090").slice(1)];
    expect(replaced([...api, ...web])).toEqual([]);
  });
});

test("repeating the first value replaces both earlier statements", () => {
  const statements = said("project", "Stand-up", "- time: 9:30", "- time: 10:15", "- time: 9:30 as at the start");
  expect(replacementsAmong(statements)).toEqual([
    { older: 0, first: 1, newest: 2, isOfSeries: false },
    { older: 1, first: 2, newest: 2, isOfSeries: false },
  ]);
});

test("a return to the first choice replaces it and the statement that turned away from it", () => {
  const said3 = said(
    "project",
    "Database",
    "- decisions: we take PostgreSQL",
    "- decisions: switched to SQLite, one user",
    "- decisions: back to PostgreSQL",
  );
  expect(replaced(said3)).toEqual([
    [0, 2],
    [1, 2],
  ]);
});

test("two values in one entry are a list; in two entries of a day, the later one replaces the other", () => {
  const day = { topic: "Catering", type: "project", day: "2026-03-11", source: "memory/2026-03-11.md" } as const;
  const [one, other] = [
    { ...day, text: "- port: 8080", order: 2, entry: 1 },
    { ...day, text: "- port: 9090", order: 3, entry: 1 },
  ];
  expect(replaced([one, other])).toEqual([]);
  expect(replaced([one, { ...other, entry: 2 }])).toEqual([[0, 1]]);
  expect(replaced([one, { ...other, source: "thread:T", entry: 2 }])).toEqual([]);
  expect(replaced([one, { ...other, day: "" }])).toEqual([]);
});

test("an imported statement does not replace a person's own", () => {
  const [older, later] = said("user", "Home", "- lives in Ghent", "- lives in Antwerp") as [
    DatedStatement,
    DatedStatement,
  ];
  expect(replaced([older, { ...later, origin: "import" }])).toEqual([]);
  expect(replaced([{ ...older, origin: "import" }, later])).toEqual([[0, 1]]);
  expect(replaced([older, { ...later, origin: "agent" }])).toEqual([[0, 1]]);
});

describe("laws", () => {
  const texts = [
    "- port: 8080",
    "- port: 9090",
    "- takes 50 mg of iron in the morning",
    "- takes 75 mg of iron in the morning",
    "- takes 75 mg of iron in the evening",
    "- we use Redis for the cache",
    "- Valkey instead of Redis for the cache",
    "- never use tabs",
    "- always use tabs",
    "- lives in Ghent",
    "- lives in Antwerp",
  ];
  const statement = fc.record({
    text: fc.constantFrom(...texts),
    topic: fc.constantFrom("One", "Two", ""),
    type: fc.constantFrom<MemoryType>("project", "user", "feedback"),
    day: fc.constantFrom(...days, ""),
    order: fc.nat(9),
    source: fc.constantFrom("a", "b"),
  });
  const several = fc.uniqueArray(statement, { maxLength: 12, selector: (one) => JSON.stringify({ ...one, text: "" }) });

  test("a replacement is later and differs, and the newest one is not replaced itself", () => {
    fc.assert(
      fc.property(several, (all) => {
        const found = replacedAmong(all);
        for (const { older, first, newest } of replacementsAmong(all)) {
          const [was, then, now] = [all[older], all[first], all[newest]];
          expect(
            was?.day !== "" && (was?.day ?? "") <= (then?.day ?? "") && (then?.day ?? "") <= (now?.day ?? ""),
          ).toBe(true);
          expect(was?.text).not.toBe(then?.text);
          expect(older).not.toBe(newest);
          expect(found.has(newest)).toBe(false);
        }
      }),
    );
  });

  test("input order does not matter", () => {
    fc.assert(
      fc.property(several, (all) => {
        const pairs = (list: readonly DatedStatement[]): readonly string[] =>
          [...replacedAmong(list)].map(([a, b]) => JSON.stringify([list[a], list[b]])).toSorted();
        expect(pairs(all.toReversed())).toEqual(pairs(all));
      }),
    );
  });

  test("statements that differ in two values never replace each other", () => {
    fc.assert(
      fc.property(fc.nat(9999), fc.nat(9999), (a, b) => {
        expect(
          replaced(
            said(
              "user",
              "Pump",
              `- takes ${a} mg of iron and ${b} mg of zinc`,
              `- takes ${a + 1} mg of iron and ${b + 1} mg of zinc`,
            ),
          ),
        ).toEqual([]);
      }),
    );
  });
});

describe("cases from real logs", () => {
  test("successive reports of a person are not values of one attribute", () => {
    expect(
      replaced(said("project", "Standup", "- Hannah: certificate alert", "- Hannah: on call, then the report")),
    ).toEqual([]);
    expect(replaced(said("project", "Prices", "- Berth: 120 EUR a month", "- Berth: 140 EUR a month"))).toEqual([
      [0, 1],
    ]);
  });

  test("a month or weekday that is over is not over below other headings", () => {
    const [june, mail] = ["Ola told them the end of June", "The mail came with the numbers of May instead of June."];
    expect(
      replaced([...said("project", "Harbour map", june), ...said("project", "Monthly mail", "", mail).slice(1)]),
    ).toEqual([]);
    const [hanging, moved] = ["- hanging: Wednesday 22 April, 10:00", "- physio moved from Wednesday to Thursday"];
    expect(
      replaced([...said("project", "Gallery", hanging), ...said("project", "Physio", "", moved).slice(1)]),
    ).toEqual([]);
  });

  test("many values of one key are a series", () => {
    const series = replacementsAmong(
      said("project", "Tickets", "- oldest: printer", "- oldest: laptop", "- oldest: door", "- oldest: switch"),
    );
    expect(series.map(({ isOfSeries }) => isOfSeries)).toEqual([true, true, true]);
    const once = replacementsAmong(said("project", "Limits", "- limiter: bucket", "- limiter: window"));
    expect(once.map(({ isOfSeries }) => isOfSeries)).toEqual([false]);
    const measured = replacementsAmong(
      said("project", "Hull", "- moisture: 15 %", "- moisture: 16 %", "- moisture: 15 %", "- moisture: 14 %"),
    );
    expect(new Set(measured.map(({ isOfSeries }) => isOfSeries))).toEqual(new Set([true]));
  });

  test("another thing on the same day is not replaced, nor is a past event", () => {
    const [board, exam] = [
      "The board meets Tue 26 May, papers a week before",
      "Oral exam moved: Tue 2 June instead of 26 May",
    ];
    expect(replaced([...said("project", "Renewal", board), ...said("project", "Class", "", exam).slice(1)])).toEqual(
      [],
    );
    const [went, now] = ["First merge on Friday went fine", "- merges on Thursdays instead of Friday"];
    expect(replaced(said("project", "Audio branch", went, now))).toEqual([]);
  });

  test("a figure that is new replaces none where either statement has several of its kind", () => {
    const gap = "A time that does not exist becomes the first valid moment after the gap (02:30 becomes 03:00)";
    const test =
      "Both changes are in the test now, with times from the gap at 02:30; in Lisbon it is from 01:00 to 02:00";
    expect(replaced(said("project", "Time zones", gap, test))).toEqual([]);
    const [early, late] = ["The gap in the test starts at 02:30", "The gap in the test starts at 01:00 now"];
    expect(replaced(said("project", "Time zones", early, late))).toEqual([[0, 1]]);
  });

  test("a person who is off ends nothing, and `for now` does not mean new", () => {
    expect(
      replaced(said("project", "Rota", "- Inês: Wed–Sun, off Mon and Tue", "- Larissa works, Inês is off")),
    ).toEqual([]);
    expect(
      replaced(
        said("user", "Celeste", "Her MRI is on 2 September in Évora.", "MRI: no operation for now, Monday at 16:30"),
      ),
    ).toEqual([]);
  });

  test("ticked boxes, lines with a time and sentences about today are never replaced", () => {
    const over = "the tape is gone";
    for (const was of ["- [x] the tape is bought", "- 14:35 the tape came off", "no inking today, because of the tape"])
      expect(replaced(said("user", "Wrist", was, over))).toEqual([]);
    expect(replaced(said("user", "Wrist", "the tape itches", over))).toEqual([[0, 1]]);
  });
});
