import { describe, expect, test } from "vitest";
import { contradictionsAmong, mayContradict } from "./contradictions.ts";
import type { Remembered } from "./remembered.ts";
import { processorTime } from "../../../test/fixtures/processor-time.ts";

let line = 0;
const on = (day: string, text: string, heading = ""): Remembered => {
  line += 1;
  return { source: `memory/${day}.md`, lines: [line, line], day, type: "project", origin: "", heading, text };
};

/** `was → now` of each, oldest place first. */
function found(...passages: readonly Remembered[]): readonly string[] {
  return contradictionsAmong(passages).map(({ was, now }) => `${was} → ${now}`);
}

describe("a newer passage says otherwise", () => {
  test.each([
    ["- limiter: token bucket", "- limiter: sliding window", "token bucket → sliding window"],
    ["- port = 8080", "- port = 9090", "8080 → 9090"],
    ["- 기본 브랜치: main", "- 기본 브랜치: trunk", "main → trunk"],
    ["- データベース：MySQL", "- データベース：PostgreSQL", "MySQL → PostgreSQL"],
    ["- 数据库：MySQL", "- 数据库：PostgreSQL", "MySQL → PostgreSQL"],
  ])("below the same heading: %s, then %s", (older, newer, said) => {
    expect(found(on("2026-01-10", older, "Payments"), on("2026-03-02", newer, "Payments"))).toEqual([said]);
    expect(found(on("2026-03-02", newer, "Payments"), on("2026-01-10", older, "Payments"))).toEqual([said]);
  });

  test.each([
    ["My favourite editor is Vim.", "Oh, my favourite editor is Helix now!", "Vim → Helix now"],
    ["Our deploy region is eu-west-1", "Our deploy region is eu-central-1", "eu-west-1 → eu-central-1"],
    ["The rate limit is 100 requests per second", "The rate limit is 250 requests per second", "100 → 250"],
    ["We have 12 paying customers in Norway", "We have 15 paying customers in Norway", "12 → 15"],
    ["The API uses Express for all routes", "We switched the API from Express to Fastify", "Express → Fastify"],
    ["All our jobs run on Jenkins builders", "All our jobs: moved from Jenkins to Buildkite", "Jenkins → Buildkite"],
    ["We use Redis for the session cache", "For the session cache we use Valkey instead of Redis", "Redis → Valkey"],
    ["We use Redis for the session cache", "The session cache does no longer use Redis", "Redis → "],
    ["결제 서버 배포는 Jenkins 사용", "결제 서버 배포를 Jenkins에서 Buildkite로 변경했다", "Jenkins → Buildkite"],
    ["決済サーバーの監視はDatadogです", "決済サーバーの監視をDatadogからGrafanaに移行した", "Datadog → Grafana"],
    ["支付服务的缓存是Redis", "支付服务的缓存从Redis改为Valkey", "Redis → Valkey"],
  ])("%s, then %s", (older, newer, said) => {
    expect(found(on("2026-01-10", older), on("2026-03-02", newer))).toEqual([said]);
  });
});

describe("false friends", () => {
  test.each([
    ["- decision: token bucket", "- decision: deploy on Friday"],
    ["- next: write tests", "- next: ship it"],
    ["Ran 5 km today, it was easy", "Ran 7 km today, it was easy"],
    ["Fixed 3 bugs in the payment code", "Fixed 5 bugs in the payment code"],
    ["PR #12 is merged into the main branch", "PR #13 is merged into the main branch"],
    ["Chapter 3 is about the rate limits", "Chapter 4 is about the rate limits"],
    ["My sister is a teacher", "My sister is in Rome"],
    ["My mom is sick", "My mom is 60"],
    ["Should we switch from Redis to Valkey for the session cache?", "We use Redis for the session cache"],
    ["We use Redis for the session cache", "I am thinking of switching from Redis to Valkey for the session cache"],
    ["We use Redis for the session cache", "Could we use Valkey instead of Redis for the session cache?"],
    ["We compared Redis and Valkey for the cache", "We use Valkey instead of Redis for the cache"],
    ["The concert is on Friday", "The dinner is on Saturday"],
    ["I flew from Oslo to Rome", "I flew from Rome to Paris"],
    ["User: my name is secret", "Assistant: hello"],
  ])("%s beside %s", (older, newer) => {
    expect(found(on("2026-01-10", older, "Notes"), on("2026-03-02", newer, "Notes"))).toEqual([]);
  });

  test("the same key below another heading is another thing", () => {
    const [api, web] = [on("2026-01-10", "- port: 8080", "API"), on("2026-03-02", "- port: 9090", "Web")];
    expect(found(api, web)).toEqual([]);
    expect(found(on("2026-01-10", "- port: 8080"), on("2026-03-02", "- port: 9090"))).toEqual([]);
  });

  test("two values of the same day, and a list of values, say nothing", () => {
    const days = [on("2026-03-02", "- port: 8080", "API"), on("2026-03-02", "- port: 9090", "API")];
    expect(found(...days)).toEqual([]);
    const list = on("2026-03-02", "- port: 9090\n- port: 9091", "API");
    expect(found(on("2026-01-10", "- port: 8080", "API"), list)).toEqual([]);
  });

  test("the same value in other words is none", () => {
    expect(
      found(on("2026-01-10", "- limiter: token buckets", "P"), on("2026-03-02", "- Limiter: Token bucket.", "P")),
    ).toEqual([]);
  });

  test("passages without a day are not compared", () => {
    expect(found(on("", "- port: 8080", "API"), on("2026-03-02", "- port: 9090", "API"))).toEqual([]);
  });
});

test("of three values the newest supersedes both others", () => {
  const passages = [
    on("2026-01-10", "- port: 1", "API"),
    on("2026-03-02", "- port: 3", "API"),
    on("2026-02-02", "- port: 2", "API"),
  ];
  expect(contradictionsAmong(passages).map(({ older, newer }) => [older, newer])).toEqual([
    [0, 1],
    [2, 1],
  ]);
});

test("a long text takes no long time", () => {
  const long = Array.from({ length: 60 }, (_, at) =>
    on(
      `2026-01-${String((at % 28) + 1).padStart(2, "0")}`,
      `${"so we moved the thing from one to ".repeat(40)}x → `.repeat(3),
    ),
  );
  expect(processorTime(1500, () => contradictionsAmong(long))).toBeLessThan(1500);
});

describe("of one day", () => {
  const [uses, changed] = ["We use Redis for the session cache", "The session cache does no longer use Redis"];
  const in2 = (section: number, one: Remembered): Remembered => ({ ...one, section });

  test("the later lines of a source are the newer", () => {
    expect(found(on("2026-03-02", uses), on("2026-03-02", changed))).toEqual(["Redis → "]);
    expect(found(on("2026-03-02", changed), on("2026-03-02", uses))).toEqual([]);
    expect(
      found(on("2026-03-02", "My favourite editor is Vim."), on("2026-03-02", "My favourite editor is Helix.")),
    ).toEqual(["Vim → Helix"]);
  });

  test("two sources are not compared", () => {
    const elsewhere = { ...on("2026-03-02", changed), source: "thread:T" };
    expect(found(on("2026-03-02", uses), elsewhere)).toEqual([]);
    expect(found(elsewhere, on("2026-03-02", uses))).toEqual([]);
  });

  test("a key has another value in a later entry, but one entry may list two", () => {
    const [first, second] = [on("2026-03-02", "- port: 8080", "API"), on("2026-03-02", "- port: 9090", "API")];
    expect(found(in2(1, first), in2(2, second))).toEqual(["8080 → 9090"]);
    expect(found(in2(1, first), in2(1, second))).toEqual([]);
  });
});

test("what is quickly looked over loses none that contradicts", () => {
  const pairs = [
    ["- limiter: token bucket", "- limiter: sliding window"],
    ["My favourite editor is Vim.", "Oh, my favourite editor is Helix now!"],
    ["The rate limit is 100 requests per second", "The rate limit is 250 requests per second"],
    ["We use Redis for the session cache", "The session cache does no longer use Redis"],
    ["- 기본 브랜치: main", "- 기본 브랜치: trunk"],
    ["- データベース：MySQL", "- データベース：PostgreSQL"],
    ["支付服务的缓存是Redis", "支付服务的缓存从Redis改为Valkey"],
  ] as const;
  for (const [older, newer] of pairs) {
    const may = mayContradict([on("2026-01-10", older, "P")]);
    expect([may(newer), may("Nothing of the kind was said.")]).toEqual([true, false]);
  }
});
