// The projects of the developer of the planted year. A line is `topic | five things it is about | a decision of its own`.
// The first three things are the words it must be found by.

function projects(text) {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [topic, things, own] = line.split(" | ");
      return { topic, things: things.split("; "), own };
    });
}

/** Still active in December. */
export const activeProjects = projects(`
Harbor ledger export | SEPA batch file; mandate references; rounding differences; remittance lines; creditor accounts | one file per creditor, because the bank rejects mixed batches
Tidepool search ranking | click model; synonym table; zero-result queries; field weights; reranker latency | the synonym table is edited by support, not by us, and reviewed weekly
Lantern offline mode | sync conflicts; photo uploads; background fetch; battery drain; local SQLite store | the last writer wins on notes, the driver decides on addresses
Gatehouse login | passkeys; device codes; lockout policy; recovery phrases; session cookies | a lost phone is answered with a code at the front desk, not by e-mail
Quarry index migration | shard splits; snapshot restore; alias swap; mapping types; disk watermark | two clusters side by side until the counts agree for three days
Kettle build cache | hermetic toolchains; cache hits; artefact signing; container layers; cold start | the toolchain hash goes into the key, the branch name does not
Signalbox alert routing | noise budget; burn rates; silence windows; escalation tree; pager rotation | an alert without a runbook link is refused by the linter
Orchard feature flags | percentage rollouts; stale flags; kill switch; targeting rules; audit trail | evaluation stays in process, the service only pushes changes
Windmill report scheduler | cron overlap; PDF rendering; mail digests; retry ladder; holiday calendars | a report that takes longer than its interval skips a turn
Pebble design tokens | contrast ratios; dark palette; spacing scale; icon sprites; Figma plugin | names describe the use, colours are resolved in the theme
Ferry data pipeline | late events; Parquet compaction; schema registry; backfill windows; watermark lag | late rows go into a correction partition instead of a rewrite
Compass onboarding tour | empty states; checklist widget; activation rate; tooltips; sample workspace | the tour can be left at any step and never comes back by itself
Anvil load tests | arrival rate; traffic replay; percentile charts; connection reuse; warm-up phase | open workload with a fixed arrival rate, closed loops hid the queueing
Thimble CSV importer | delimiter sniffing; column mapping; bad rows report; date formats; preview grid | bad rows are collected into a file, the good ones go in
`);

/** Completed during the year. */
export const completedProjects = projects(`
Invoice numbering | gapless sequence; fiscal years; credit notes; locked ranges; tax office | the number is drawn in the same transaction as the posting
Courier app icons | adaptive icon; launcher badge; vector assets; density buckets; store listing | the monochrome variant is derived, not drawn
Broker upgrade | rolling restart; protocol version; controller quorum; consumer lag; ACL export | brokers go one rack at a time with a pause of ten minutes
Address autocomplete | postcode lookup; fuzzy prefix; keyboard navigation; geocoder quota; parcel lockers | the geocoder is asked after three letters and a pause of 180 ms
Refund flow | partial refunds; chargebacks; reason codes; goodwill vouchers; settlement delay | a refund is its own document and never edits the sale
Webhooks for partners | signature header; replay protection; delivery log; exponential backoff; secret rollover | two secrets are valid during a rollover of seven days
Log retention | cold storage; legal hold; field redaction; index lifecycle; query cost | thirty days hot, eleven months cold, then gone
Driver chat | typing indicator; read receipts; canned replies; push payload; translation button | messages are stored by tour, so that leaving a tour hides them
Warehouse scanner | barcode checksum; wedge mode; haptic feedback; glove-friendly buttons; offline queue | the checksum is verified on the device before the queue
Monolith split of pricing | anti-corruption layer; strangler routes; shadow reads; tariff engine; shared tables | shadow reads compare for two weeks before a route moves
Kubernetes cost cut | spot nodes; bin packing; idle namespaces; request sizing; vertical autoscaler | requests follow the ninetieth percentile of a fortnight
Password reset mails | bounce handling; DMARC alignment; link expiry; template locale; spam score | links live twenty minutes and work once
Delivery time slots | capacity grid; overbooking factor; cut-off rules; slot pricing; depot closures | overbooking is four per cent and switched off in December
Map tiles cache | vector tiles; zoom levels; stale-while-revalidate; glyph ranges; bandwidth bill | zoom twelve to sixteen is warmed every Monday
Python service retirement | endpoint parity; traffic shadowing; import paths; Celery tasks; pickle payloads | the last tasks are drained by hand, nothing is converted
Team handbook | code of conduct; holiday rules; incident roles; first week; glossary entries | one page per question, with the date of its last review
Tracing rollout | span attributes; sampling rules; baggage headers; collector memory; exemplar links | errors are kept always, the rest at two per cent
Barcode label printer | ZPL templates; print darkness; label stock; roll sensor; margin drift | templates are rendered on the server as bitmaps for old firmware
GraphQL gateway removal | persisted queries; resolver fan-out; typed client; REST parity; field usage | fields unused for sixty days are cut without asking
Tour optimiser | time windows; savings heuristic; vehicle capacity; driver breaks; tabu list | thirty seconds of search, then the dispatcher sees the best so far
Secrets rotation | short-lived credentials; lease renewal; break-glass account; vault policies; rotation calendar | leases are an hour for people and a day for machines
Print shop integration | JDF tickets; bleed marks; proof approval; paper grammage; carrier pickup | a proof not answered within two days is cancelled
Image uploads | EXIF stripping; thumbnail ladder; content hash; virus scan; presigned posts | the original is kept for a year, thumbnails are made anew
Customer merge tool | duplicate detection; survivor record; phone normalisation; undo merge; consent flags | a merge keeps both rows and a pointer, so that it can be taken back
Release train | cut day; cherry picks; release captain; smoke checks; changelog draft | the train leaves on Wednesday, with or without a feature
Voice greeting | text to speech; hold music; opening hours; SIP trunk; call deflection | the greeting is recorded by a person, only the hours are spoken by the machine
Stock reservation | optimistic locking; reservation timeout; oversell guard; basket merge; backorders | a reservation lives eleven minutes and is renewed by the basket
Browser support | polyfill budget; module scripts; Safari quirks; usage share; transpile target | what is below half a per cent of sessions gets the plain page
Customs papers | tariff codes; proforma; EORI numbers; country rules; weight units | codes are suggested, a person confirms them
Survey widget | question branching; consent banner; response rate; sampling frame; free text | nobody is asked twice within ninety days
Cookie banner | consent string; vendor list; tag blocking; rejection path; proof log | rejecting takes as many clicks as accepting
Database failover drill | replica promotion; connection pooler; split brain; read-only window; fencing token | the drill is announced to support and to nobody else
Locale fallback | plural rules; message keys; missing strings; right to left; translator context | a missing string falls back by language, never by country
Seat licences | concurrent seats; grace period; licence key; usage meter; true-up invoice | seats are counted at midnight of the customer's zone
Dispatcher shortcuts | command palette; key chords; focus order; screen reader; undo stack | single letters only work while no field has the focus
`);

/** Started, then never mentioned again. */
export const abandonedProjects = projects(`
Robot dog demo | gait controller; lidar mount; trade fair; battery swap; voice commands | the demo walks a fixed path, no mapping on the day
Internal podcast | episode outline; lapel microphones; show notes; guest list; intro jingle | twelve minutes per episode and no music under speech
Rust rewrite of the matcher | borrow checker; SIMD paths; FFI boundary; allocator; fuzz corpus | the boundary passes flat buffers and no strings
Blockchain proof of delivery | notary chain; signed hashes; gas fees; validator nodes; wallet handling | only the hash goes on the chain, never a name
Smart mirror for the lobby | e-paper panel; visitor greeting; weather tile; motion sensor; frame mount | it shows departures and the weather, nothing personal
Sentiment of reviews | aspect labels; annotator agreement; sarcasm set; star ratings; model card | labels follow aspects, a review can praise and blame
Drone inventory count | flight corridor; RFID tags; warehouse racks; collision radius; insurance clause | flights only between two and four at night
Desktop client | Electron shell; auto update; tray menu; crash reports; code signing | the shell loads the web build and adds the tray
Parcel lockers pilot | locker doors; pickup codes; solar panel; courier handover; vandalism reports | a code is valid for three days, then the parcel goes back
Chat bot for support | intent list; handover rule; knowledge snippets; refusal wording; escalation button | it hands over after two answers that did not help
Carbon report | emission factors; empty mileage; scope three; electric vans; offset claims | empty mileage counts for the leg before it
Gamified dispatch | badge artwork; weekly league; opt-out; works council; streak counter | no ranking of people, only of depots
`);
