// A held-back set, written after the rules had been corrected with grounding-second.mjs, and measured once. Same marks as in grounding-dev.mjs.
export const texts = [
  {
    language: "en",
    source: `# 2026-05-19
## Billing export [project]
- request: Nadia needs the export for the auditors (Weller & Finch) by 29 May
- facts: 7,412 invoices lack a VAT id; services/billing/src/export/vat-check.go skipped them without a word
- facts: the job took 53 minutes for 1.6 million rows on db-replica-2
- decisions: skipped rows go to billing_export_rejects; the job fails when more than 0.5 % are rejected
- decisions: run it at 02:30, not at noon; Hamish asked for that
- outcome: index on invoice(customer_id, issued_on) brings it to 8 minutes, PR #2290 merged on May 21
- open: convert the CSV to Parquet with DuckDB 1.2.2; estimate three days
- open: auditors want logs of the last 18 months, stored in s3://acme-audit/billing/2024/`,
    statements: [
      "Billing export: due for auditors Weller & Finch on {d May 29}, requested by {w Nadia}",
      "{n 7412} invoices without a VAT id were silently skipped in {p export/vat-check.go}",
      "The export of {n 1,600,000} rows ran {n 53} min on db-replica-2",
      "Export fails once over {n 0.5} percent of rows are rejected; these end in `billing_export_rejects`",
      "Job moved to 2:30 am at the wish of {w Hamish}",
      "An index cut the run time to {n 8} min (PR #2290, {d 21 May 2026})",
      "Next: Parquet instead of CSV through {w DuckDB} {n 1.2.2}, about {n 3} days of work",
      "Auditors asked for {n 18} months of logs, kept in {p billing/2024}",
    ],
  },
  {
    language: "en",
    source: `User: Quick note about Saturday: the choir sings at St. Hedwig on 13 December, doors at 6:30 pm, 24 singers, and Leontyne takes the solo.
User: The dress code is black. I owe Marguerite 65 euros for the sheet music (Oxford University Press, 38 copies).
Assistant: Shall I remind you of the payment?
User: Yes, on December 5th. And my throat: Dr. Vasquez prescribed 250 mg twice a day for seven days. No dairy until the concert.
User: The scores are in choir/winter/program-final.musicxml. We rehearse 90 minutes each Wednesday. Piece number four is too fast at 132 bpm, we take 116.`,
    statements: [
      "Choir concert at St. {w Hedwig} on {d Dec 13} at 18:30 with {n 24} singers",
      "Solo: sung by {w Leontyne}",
      "Still has to pay {n 65} EUR to {w Marguerite} for {n 38} copies of the music",
      "Wants a reminder on {d 5 December}",
      "Medication from Dr. {w Vasquez}: {n 250} mg, {n 2} times daily for {n 7} days; avoids dairy",
      "Scores: {p winter/program-final.musicxml}",
      "Rehearsals last {n 90} min on Wednesdays",
      "The 4th piece is slowed down from {n 132} to {n 116} bpm",
    ],
  },
  {
    language: "code",
    source: `perf(search): trigram index replaces LIKE, crates/search/src/index/trigram.rs, by Yevgenia
- \`build_postings()\` allocates once; 3.1x faster on the 640 MB corpus (bench/search/corpus.toml)
- memory: 512 MiB -> 190 MiB; query median 27 ms -> 4.5 ms; worst case 310 ms
- panicked at 'index out of bounds' in decodeVarint, fixed in b7e23ec29af2
- MSRV is 1.81; feature flag --no-simd for ARMv6; env SEARCH_MAX_TERMS=64
- reviewers: Caspian, Odalys; merged 2026-01-30; backport to 3.9.x planned for 4 February
- fuzz run: 12 hours, 2 crashes, both in tests/fuzz/varint_roundtrip.rs`,
    statements: [
      "Search uses a trigram index now ({p index/trigram.rs}), written by {w Yevgenia}",
      "`build_postings` is {n 3.1} times faster on a corpus of {n 640} MB",
      "Memory down from {n 512} to {n 190} MiB, median query {n 4.5} ms",
      "Crash in decode_varint fixed by commit b7e23ec",
      "Requires Rust {n 1.81}; --no-simd exists for ARMv6; SEARCH_MAX_TERMS is {n 64}",
      "Reviewed by Caspian and {w Odalys}, merged on {d 30 January}",
      "Backport to 3.9 on {d Feb 4}",
      "Fuzzing for {n 12} h gave {n 2} crashes in {p fuzz/varint_roundtrip.rs}",
    ],
  },
  {
    language: "ko",
    source: `# 2026-04-14
## 알림 서비스 [project]
- 정민재 과장: 푸시 알림이 하루 3,800건 누락된다. 원인은 notify/sender/fcm-client.py 의 재시도 로직
- 결정: 재시도 간격을 30초에서 90초로, 최대 네 번. 4월 22일 배포
- 메시지 큐는 NATS 2.10.7 사용, 비용은 월 18만원
- 윤소라 님이 테스트 시나리오 26개를 작성했다 (tests/notify/scenario.md)
- 장애 대응 회의는 4월 17일 오후 2시`,
    statements: [
      "알림: 매일 {n 3800}건의 푸시 누락, {p sender/fcm-client.py} 재시도 문제",
      "재시도 간격 {n 90}초, 최대 {n 4}회로 조정하고 {d 4/22}에 배포",
      "큐로 {w NATS} {n 2.10.7} 도입, 월 {n 180,000}원",
      "윤소라 님이 시나리오 {n 26}개 작성, 위치는 {p notify/scenario.md}",
      "장애 회의: {d 4월 17일} 14시, 정민재 과장 참석",
    ],
  },
  {
    language: "ja",
    source: `# 2026-01-15
## 配送アプリ [project]
- 小林さん: 追跡番号の照会が 1 日 5,200 回失敗する。backend/tracking/carrier-api.rb を調べた
- 決定: タイムアウトを 5 秒から 12 秒にする。適用は1月23日
- 地図は Mapbox をやめて MapTiler に移す。費用は年 14 万円
- クロネコ便の対応は三月まで延期
- 山口様から十五件の要望`,
    statements: [
      "配送アプリ: 照会の失敗が1日{n 5200}回、{p tracking/carrier-api.rb}を調査",
      "タイムアウトは{n 12}秒へ変更（{d 1/23}から）",
      "地図サービスを {w MapTiler} に変更、年{n 140,000}円",
      "クロネコ便は3月まで延期",
      "山口様の要望は{n 15}件",
    ],
  },
  {
    language: "zh",
    source: `# 2026-06-08
## 客服机器人 [project]
- 何雨桐负责语料清洗, 共 8600 条对话, 准确率 91.3%
- 决定: 阈值从 0.6 提到 0.75, 6月15日上线, 由 Dify 改为 FastGPT
- 向量库文件 data/vector/index_v3.faiss 占用 2.7 GB
- 每月成本 9200 元, 比上月少两成
- 周老师要求 6月20日 前交报告`,
    statements: [
      "客服机器人：清洗 {n 8,600} 条对话，准确率 {n 91.3}%",
      "阈值调到 {n 0.75}，{d 6/15} 上线，平台换成 {w FastGPT}",
      "索引文件 {p vector/index_v3.faiss} 大小 {n 2.7} GB",
      "月成本 {n 9,200} 元；报告截止 {d 6月20日}",
      "何雨桐负责语料，成本 {n 0.92} 万元",
    ],
  },
  {
    language: "de",
    source: `# 2026-03-26
## Werkstatt [project]
- Frau Dietz meldet: die Fräse läuft 14 Stunden am Stück, Kühlmittel 63 °C
- Ersatzteil von Hainbuch bestellt, 1.275 €, Lieferung am 9. April
- Protokoll unter werkstatt/protokolle/fraese_maerz.ods
- 17 Teile sind Ausschuss, das sind 4,2 %`,
    statements: [
      "Fräse: {n 14} Stunden Dauerbetrieb bei {n 63} Grad Kühlmittel",
      "Ersatzteil für {n 1275} Euro kommt am {d 9.4.}",
      "Protokoll: {p protokolle/fraese_maerz.ods}",
      "Ausschuss: {n 17} Teile ({n 4,2} Prozent)",
    ],
  },
];

export const names = {
  latin: [
    "Thaddeus",
    "Imogen",
    "Castellano",
    "PagerDuty",
    "Marrakesh",
    "Ludmila",
    "Chidi",
    "Airtable",
    "Rosalind",
    "Birmingham",
    "Hiroshi",
    "Vercel",
    "Eszter",
  ],
  ko: ["Pulsar", "Sendbird", "OneSignal"],
  ja: ["Zendesk", "HubSpot", "Twilio"],
  zh: ["LangChain", "Zapier", "OpenSearch"],
};

export const segments = [
  "juniper",
  "hammock",
  "thimble",
  "cascade",
  "wicket",
  "bramble",
  "zephyr",
  "mosaic",
  "turbine",
  "quill",
];
