// The texts used to develop the grounding rules. In a statement, `{n 60}` marks a number, `{d 15 March}` a date, `{w Maria}` a name, `{p src/a.ts}` a path.
export const texts = [
  {
    language: "en",
    source: `# 2026-02-10
## Queue worker [project]
- request: the worker stalls after about 4,000 jobs; Priya saw it twice on staging, at 03:10 and at 14:45
- facts: heap grows from 180 MB to 1.9 GB, the culprit is packages/queue/src/retry-buffer.ts, which keeps every failed job
- decisions: bounded buffer of 512 entries, oldest dropped; metrics in packages/queue/src/metrics/index.ts
- outcome: after the change 25 thousand jobs ran in 11 minutes, memory flat at 210 MB
- Tomasz wants a dashboard in Grafana before 20 February
- open: upgrade ioredis from 5.3.2 to 5.4.1, ticket OPS-482
- error seen: ECONNRESET from redis-cache.internal.example.com, 3 times an hour`,
    statements: [
      "Queue worker: stalled after roughly {n 4000} jobs on staging, seen two times by {w Priya}",
      "Queue worker: memory rose to {n 1.9} GB because {p queue/src/retry-buffer.ts} kept each failed job",
      "Queue worker: buffer limited to {n 512} entries, the oldest go first",
      "Worker: metrics live in {p src/metrics/index.ts} now",
      "Queue worker: {n 25,000} jobs in 11 min with flat memory",
      "{w Tomasz} asked for a Grafana dashboard by {d Feb 20}",
      "ioredis goes to {n 5.4.1} (OPS-482)",
      "ECONNRESET from the cache host about {n 3}x per hour, noted on {d 10 February 2026}",
    ],
  },
  {
    language: "en",
    source: `Meeting notes, 3 June 2025, 10:00-11:15
Present: Helena Brandt, Oskar, Mei-Ling, Dr. Novak (remote)
1. Budget for the exhibition is EUR 48,500; printing takes 12,300 of it.
2. Opening moves from September 12th to September 26th because the hall in Lyon is being renovated.
3. Mei-Ling ordered 340 catalogues from Drukhaus, delivery in six weeks.
4. Oskar: floor plan is on the shared drive, plans/hall-b/floor-v3.pdf
5. Insurance with Allianz, premium 2.75 % of the value, Helena signs by Friday.
6. Next meeting: 17 June, same room. Twenty-two visitors replied to the survey, 15 liked the audio guide.`,
    statements: [
      "Exhibition: budget of {n 48 500} euros, about a quarter of it ({n 12,300}) for printing",
      "Opening postponed to {d 26 Sept} due to works at the hall in {w Lyon}",
      "Catalogues: {n 340} ordered by Mei-Ling at {w Drukhaus}",
      "Floor plan: {p hall-b/floor-v3.pdf}",
      "Insurance: {w Allianz} for {n 2.75}%, to be signed by {w Helena}",
      "Next meeting on {d June 17}",
      "Survey: {n 22} answers, {n 15} in favour of the audio guide",
      "Notes of {d 2025-06-03}: {w Novak} took part remotely",
    ],
  },
  {
    language: "en",
    source: `User: I started running again, 5k three times a week, my knee hurts after about 20 minutes. My physio Dana Whitfield says to use the foam roller.
User: I bought a Garmin Forerunner on May 2nd for $249.99 at Decathlon, and my sister Ruth gave me the strap.
Assistant: Good choice. A plan for ten weeks could end with the half marathon in Utrecht on 19 October.
User: My resting pulse went from 71 to 64. I sleep 7.5 hours. I'm allergic to walnuts, by the way.
User: the training notes are in ~/notes/running/plan-2025.md, please remember it. My birthday is November 8.`,
    statements: [
      "Running: {n 5} km three times weekly; the knee aches after {n 20} min",
      "Physiotherapist {w Dana} recommends a foam roller",
      "Bought a Garmin watch on {d 2 May} for {n 249.99} dollars at {w Decathlon}",
      "The strap was a gift of the sister, {w Ruth}",
      "Half marathon: {w Utrecht}, {d October 19}",
      "Resting pulse fell from {n 71} to {n 64}",
      "Training plan kept in {p notes/running/plan-2025.md}",
      "Birthday on {d 8 November}; sleeps {n 7.5} h",
    ],
  },
  {
    language: "code",
    source: `fix(auth): refresh tokens are rotated in src/auth/session/rotate.ts, see commit 8f31c0de92
The bug: \`verifyRefresh()\` in src/auth/verify.ts compared created_at instead of expires_at. Found by Lucas in MAX_SESSION_AGE test.
- bump jsonwebtoken 8.5.1 -> 9.0.2; Node 22 required; flag --legacy-tokens removed
- 14 tests added in test/auth/rotate.test.ts; coverage 81.4 % -> 88.0 %
- env SESSION_TTL_SECONDS default 900 (15 min), was 3600
- docs at https://docs.acme.dev/auth/rotation?tab=api#ttl
- rollout 2025-11-04 eu-west, 2025-11-06 us-east; rollback script scripts/rollback-auth.sh
- p95 latency 42 ms before, 39 ms after; 0.02 % of logins fail with ERR_TOKEN_REUSED`,
    statements: [
      "Refresh tokens rotate in {p auth/session/rotate.ts} (8f31c0d)",
      "`verifyRefresh` read created_at where expires_at was meant; {w Lucas} found it",
      "jsonwebtoken upgraded to {n 9.0.2}, needs Node {n 22}",
      "{n 14} new tests in {p rotate.test.ts}; coverage up to {n 88} %",
      "SESSION_TTL_SECONDS is {n 900} by default, i.e. {n 15} minutes",
      "Documentation: docs.acme.dev/auth/rotation",
      "Rollout: EU on {d 4 November}, US on {d Nov 6, 2025}; undo with {p scripts/rollback-auth.sh}",
      "Latency at p95: {n 42} to {n 39} ms; {n 0.02}% of logins end in ERR_TOKEN_REUSED",
    ],
  },
  {
    language: "ko",
    source: `# 2026-01-21
## 결제 모듈 [project]
- 김서연 팀장: 결제 실패율이 2.4%에서 0.7%로 줄었다. 원인은 src/payment/retry.ts 의 타임아웃 3초
- 결정: 타임아웃을 8초로 늘리고 재시도는 두 번만 한다. 배포는 1월 27일 오후 3시
- 토스페이 연동은 박준호 씨가 맡는다. 문서는 docs/payment/toss.md
- 주문 12,500건을 다시 계산했고 그중 37건이 틀렸다
- Redis 대신 PostgreSQL 큐를 쓰기로 함, 이유는 운영 비용 월 45만원`,
    statements: [
      "결제 모듈: 실패율이 {n 0.7}%까지 감소",
      "결제: {p payment/retry.ts} 타임아웃을 {n 8}초로 변경, 재시도 {n 2}회",
      "배포 일정: {d 1월 27일} 15시",
      "토스페이 연동 담당은 박준호 씨, 문서는 {p docs/payment/toss.md}",
      "주문 {n 12500}건 재계산, 오류 {n 37}건",
      "{w PostgreSQL} 큐로 전환, 비용은 월 {n 45}만 원",
    ],
  },
  {
    language: "ja",
    source: `# 2026-02-18
## 在庫システム [project]
- 佐藤さんから: 倉庫の在庫が 128 件ずれている。原因は src/stock/sync-job.ts の夜間処理
- 決定: 夜間処理を午前2時から午前4時に移す。リリースは3月5日
- ザッハトルテの在庫は四十二個、発注先はカワムラ商店
- Elasticsearch をやめて Meilisearch 1.6.2 にする。費用は月 3万円
- 次回の打ち合わせは2月25日（水）`,
    statements: [
      "在庫システム: 在庫の差は{n 128}件、原因は {p stock/sync-job.ts}",
      "夜間処理は{n 4}時に移動、リリースは{d 3月5日}",
      "{w カワムラ}商店にザッハトルテを発注",
      "検索は {w Meilisearch} {n 1.6.2} に変更、月{n 30,000}円",
      "打ち合わせ: {d 2026年2月25日}",
    ],
  },
  {
    language: "zh",
    source: `# 2026-03-03
## 物流接口 [project]
- 陈志远说: 接口每天超时 260 次, 问题在 service/logistics/client.go 的连接池
- 决定: 连接池从 10 增加到 64, 重试三次, 3月9日上线
- 用 Kafka 代替 RabbitMQ, 预算 18000 元
- 李女士负责验收, 文档在 docs/logistics/accept.md
- 本周共处理 5 万条订单`,
    statements: [
      "物流接口：每天 {n 260} 次超时，原因在 {p logistics/client.go}",
      "连接池增至 {n 64}，重试 {n 3} 次，{d 3月9日} 上线",
      "消息队列改用 {w Kafka}，预算 {n 1.8} 万元",
      "验收文档：{p docs/logistics/accept.md}",
      "处理订单 {n 50,000} 条",
    ],
  },
];

export const names = {
  latin: [
    "Bertrand",
    "Xochitl",
    "Kowalczyk",
    "Zendesk",
    "Monika",
    "Ivanka",
    "Datadog",
    "Thessaloniki",
    "Fatima",
    "Gustavo",
    "Siobhan",
    "Snowflake",
  ],
  ko: ["Cassandra", "Elastic", "Sentry", "Terraform"],
  ja: ["ヤマザキ", "ヴァルター", "Datadog", "Terraform"],
  zh: ["Sentry", "Cassandra", "Terraform", "Datadog"],
};

export const segments = [
  "ledger",
  "pipeline",
  "beacon",
  "harvest",
  "quorum",
  "lattice",
  "gizmo",
  "parcel",
  "walrus",
  "tundra",
];
