// A second set, used to correct the grounding rules after the first measurement. Same marks as in grounding-dev.mjs.
export const texts = [
  {
    language: "en",
    source: `# 2025-09-16
## Map tiles [project]
- request: Ingrid complains that tiles at zoom 14 take 2.3 seconds; the Lisbon office sees it too
- facts: tile cache misses 38 % of the time; services/tiles/src/cache/lru-store.rs evicts after 60 s
- decisions: eviction after ten minutes; keep 20,000 tiles; config key tile_cache.max_age
- outcome: p99 down from 2,300 ms to 640 ms, misses at 6.5 %
- Bartholomew from MapBox support answered on 12 September, case 00418833
- open: move raster layers to Cloudflare R2, estimate $310 a month, decision on 1 October
- open: delete services/tiles/legacy/renderer.py after 2025-09-30`,
    statements: [
      "Map tiles: {w Ingrid} reports {n 2.3} s for tiles at zoom level {n 14}",
      "Tiles were slow in {w Lisbon} as well",
      "Cache misses were at {n 38} percent since {p cache/lru-store.rs} evicted entries after a minute",
      "Map tiles: now evicted after {n 10} minutes, {n 20k} tiles kept",
      "p99 improved to {n 640} ms, misses dropped to {n 6.5}%",
      "MapBox support ({w Bartholomew}) replied on {d Sept 12}",
      "Raster layers may move to {w Cloudflare} for {n 310} USD per month, to be decided on {d October 1st}",
      "Cleanup: remove {p tiles/legacy/renderer.py} after {d 30 September}",
      "Changed key: `tile_cache.max_age`; old default was {n 60} seconds",
    ],
  },
  {
    language: "en",
    source: `Weekly sync of the greenhouse project (Tuesday, 8 April 2025)
Attending: Farid, Constance Okafor, Juniper, Prof. Lindqvist
- Sensors: 64 of 72 deliver data. The eight dead ones stand in row D; Farid replaces them on Thursday.
- Water use fell by 18.4 % against March, that is 2,150 litres.
- Constance got an offer of Netafim for drip lines: 7,900 EUR, valid until April 30.
- Seedlings: tomatoes on 22 April, peppers on 6 May. Juniper writes the labels (sheets/labels/spring_2025.xlsx).
- Lindqvist asks for raw data at ftp.greenlab.example/exports/2025-q1.csv
- Nutrient solution: EC 1.8, pH between 5.6 and 6.1. Nobody touches valve V7!
- Electricity went over the limit of 11 kW three times.`,
    statements: [
      "Greenhouse: {n 64} of the {n 72} sensors work; row D is being fixed by {w Farid}",
      "{n 8} dead sensors get replaced on Thursday",
      "Water consumption down {n 18.4} percent ({n 2150} l) compared to March",
      "Offer for drip lines from {w Netafim}: {n 7,900} euros, until {d 30 April}",
      "Tomato seedlings: {d 22.4.}, peppers: {d May 6}",
      "Labels by {w Juniper} in {p labels/spring_2025.xlsx}",
      "Prof. {w Lindqvist} wants the raw data export ({p exports/2025-q1.csv})",
      "Nutrients: EC {n 1.8}, pH {n 5.6}–{n 6.1}; valve V7 stays untouched",
      "Power exceeded {n 11} kW on {n 3} occasions",
      "Sync of {d 2025-04-08} with Constance {w Okafor}",
    ],
  },
  {
    language: "en",
    source: `User: We're moving to Porto on the 14th of July, the flat is 83 square metres and costs 1,150 euros a month.
Assistant: Congratulations! Did you find a school for Emil?
User: Yes, Escola Fontinha, he starts on September 9th. He is six and loves dinosaurs. My husband Rajesh works remotely for Siemens.
User: I need to cancel our gym (FitInn, contract number K-20931) before June 15, notice period four weeks.
User: The movers, Gebrüder Hassler, want 3,480 for 41 boxes. I keep the list at ~/Documents/move/boxes.ods
User: I drink my coffee black and I get up at 5:45. Our cat Pixel needs a rabies shot, appointment 2 July at 4:30 pm with Dr. Amaral.`,
    statements: [
      "Moves to {w Porto} on {d 14 July}; flat of {n 83} m²",
      "Rent: {n 1150} EUR monthly",
      "Emil starts at Escola {w Fontinha} on {d 9 September}",
      "Husband {w Rajesh} is employed by Siemens and works from home",
      "Gym contract K-20931 must be cancelled by {d 15 June} ({n 4} weeks' notice)",
      "Movers: {w Hassler}, {n 3,480} euros for {n 41} boxes",
      "Box list: {p move/boxes.ods}",
      "Gets up at 5:45, coffee black",
      "Cat {w Pixel}: rabies vaccination on {d July 2nd} at 16:30 with Dr. {w Amaral}",
    ],
  },
  {
    language: "code",
    source: `chore(ci): split the matrix, see .github/workflows/build-matrix.yml and PR #1184 by Annika
Cause: runner image ubuntu-22.04 ships OpenSSL 3.0.13, our addon native/crypto/binding.cc links 1.1.1w.
- \`resolveTarget()\` moved from tools/release/targets.mjs to tools/release/lib/resolve-target.mjs
- BUILD_CACHE_KEY now has the lockfile digest; cache hits 92 %, was 55 %
- whole pipeline 17 min 40 s -> 6 min 5 s over 128 runs
- flaky: test/e2e/upload.spec.ts, 9 failures in 400 runs, error ETIMEDOUT in uploadChunk
- merged 2026-04-02 as d41d8cd98f00; release 4.12.0 on April 7, 2026
- TypeScript 5.8 needed, yarn 1.22 dropped for pnpm 10
- Wojciech measured the image: 1.34 GB -> 870 MB`,
    statements: [
      "CI matrix split in {p workflows/build-matrix.yml} (PR #1184, {w Annika})",
      "The addon in {p crypto/binding.cc} links OpenSSL 1.1.1w while the runner has {n 3.0.13}",
      "resolveTarget lives in {p lib/resolve-target.mjs}",
      "Cache hit rate went from {n 55} to {n 92} percent thanks to the lockfile digest in BUILD_CACHE_KEY",
      "Pipeline takes {n 6} min instead of {n 17}; {n 128} runs measured",
      "Flaky test {p e2e/upload.spec.ts}: {n 9} of {n 400} runs failed with ETIMEDOUT",
      "Merged on {d 2 April} (d41d8cd), released as {n 4.12.0} on {d 7 Apr 2026}",
      "Switched from yarn to pnpm {n 10}; TypeScript {n 5.8} is required",
      "Image shrank to {n 870} MB according to {w Wojciech}",
    ],
  },
  {
    language: "de",
    source: `# 2025-10-20
## Vereinsheim [project]
- Frau Petersen hat drei Angebote für das Dach: Zimmerei Vogt 21.400 €, Holzbau Kessler 19.850 €
- Baubeginn am 3. November, Dauer etwa 5 Wochen
- Der Plan liegt unter plaene/dach/statik_v2.pdf
- 46 Mitglieder haben abgestimmt, 39 waren dafür
- Heizung: Vorlauf 52 Grad, Verbrauch 1,8 Liter pro Stunde`,
    statements: [
      "Dach: Angebot der Zimmerei Vogt über {n 21400} Euro",
      "Günstigstes Angebot: {n 19.850} € von Kessler",
      "Die Arbeiten starten am {d 3.11.} und dauern {n 5} Wochen",
      "Statik: {p dach/statik_v2.pdf}",
      "{n 39} von {n 46} Mitgliedern stimmten zu",
      "Heizung mit {n 52} °C Vorlauf und {n 1,8} l/h",
    ],
  },
  {
    language: "ko",
    source: `# 2025-12-09
## 물류 앱 [project]
- 이하늘 대리: 지도 로딩이 6.2초 걸린다. app/map/tile-loader.kt 에서 캐시가 꺼져 있었다
- 결정: 캐시를 켜고 최대 800개까지 보관, 테스트는 12월 16일
- 카카오맵 API 요금은 월 32만원, 호출은 하루 9,400번
- 최유진 씨가 Flutter 3.24.1 로 올린다. 문서 위치 docs/map/guide.md
- 회의는 다음 주 화요일 오전 10시, 참석자 일곱 명`,
    statements: [
      "물류 앱: 지도 로딩에 {n 6.2}초, 원인은 {p map/tile-loader.kt}의 캐시",
      "캐시는 최대 {n 800}개 보관하며 {d 12/16}에 테스트",
      "카카오맵 호출 하루 {n 9400}회, 요금 월 {n 320,000}원",
      "{w Flutter} {n 3.24.1} 업그레이드는 최유진 담당",
      "지도 문서: {p docs/map/guide.md}",
      "회의 참석자는 {n 7}명, 화요일 10시",
      "{d 2025년 12월 9일}: 이하늘 대리가 지도 문제를 보고",
    ],
  },
  {
    language: "ja",
    source: `# 2025-11-12
## 予約サイト [project]
- 中村さん: 予約画面が開くまで 4.8 秒かかる。web/booking/calendar-view.tsx が原因
- 決定: 祝日データを 24 時間キャッシュする。公開は11月19日
- 決済は Stripe から Square に変更、手数料は 3.25 %
- マツダイラ旅館から 56 室の登録があった
- 田村様の要望: メールを午後6時までに送る
- 予算は二十万円`,
    statements: [
      "予約サイト: 表示に{n 4.8}秒、{p booking/calendar-view.tsx}を調査",
      "祝日のキャッシュは{n 24}時間、公開予定は{d 2025-11-19}",
      "決済を {w Square} へ移行（手数料{n 3.25}%）",
      "{w マツダイラ}旅館が{n 56}室を登録",
      "メール送信は18時まで（田村様）",
      "予算: {n 200,000}円",
      "{d 11/12}に中村さんが遅延を報告",
    ],
  },
  {
    language: "zh",
    source: `# 2025-08-26
## 推荐系统 [project]
- 赵明负责特征管线, 延迟从 90 毫秒降到 35 毫秒
- 模型文件在 models/ranker/xgb_v5.bin, 大小 410 MB
- 决定: 9月2日灰度 5%, 9月10日全量
- 日志改用 ClickHouse, 每天写入 1.2 亿条
- 孙老师建议增加 48 个特征, 成本约 6500 元
- 配置见 conf/ranker/online.yaml`,
    statements: [
      "推荐系统：延迟降至 {n 35} 毫秒，由赵明负责",
      "模型 {p ranker/xgb_v5.bin} 共 {n 410} MB",
      "{d 9月2日} 灰度 {n 5}%，{d 9月10日} 全量发布",
      "日志存入 {w ClickHouse}，日写入 {n 1.2} 亿条",
      "新增 {n 48} 个特征，成本 {n 6,500} 元",
      "线上配置：{p conf/ranker/online.yaml}",
    ],
  },
];

export const names = {
  latin: [
    "Anneliese",
    "Okonkwo",
    "Kubernetes",
    "Valparaiso",
    "Dmitri",
    "Guadalupe",
    "Netlify",
    "Yusuf",
    "Philippa",
    "Bjarne",
    "Wellington",
    "Asana",
    "Zhang",
  ],
  ko: ["Cordova", "Firebase", "Xamarin"],
  ja: ["アリムラ", "ホソカワ", "Adyen", "Klarna"],
  zh: ["Cassandra", "Snowflake", "MongoDB"],
};

export const segments = [
  "orchid",
  "saddle",
  "magnet",
  "ferry",
  "compass",
  "velvet",
  "anchor",
  "pylon",
  "cobalt",
  "meadow",
];
