// The planted year's five facts, each stated once in a raw log, its open items, and its recurring lessons.

/** `entry`: the 1-based number of the topic's entry that contains it. */
export const yearFacts = [
  {
    topic: "Sailing licence",
    question: "What does the number of the developer's sailing licence end in?",
    clues: ["skipper", "sailing", "dinghy"],
    word: "4471",
    entry: 1,
    line: "- the number ends in 4471 and it runs out in May 2027",
  },
  {
    topic: "Reversible migrations",
    question: "How long was a table locked before the rule about migrations was made?",
    clues: ["migration", "reversible"],
    word: "41 minutes",
    entry: 1,
    line: "- why: the orders table was locked for 41 minutes while a column was put back by hand",
  },
  {
    topic: "Harbor ledger export",
    question: "Until what time does the bank take files of the ledger export on the same day?",
    clues: ["ledger", "SEPA", "bank"],
    word: "16:47",
    entry: 3,
    line: "- decisions: files leave before 16:47, what comes later is booked on the next day",
  },
  {
    topic: "Broker upgrade",
    question: "From which protocol version on did the broker upgrade work without the fencing fault?",
    clues: ["broker", "protocol version"],
    word: "3.8.14",
    entry: 2,
    line: "- lesson: protocol version 3.8.14 is the first one without the fencing fault",
  },
  {
    topic: "Cost report",
    question: "In which drawer of the archive do the raw sheets of the cost report lie?",
    clues: ["cost", "cloud bill"],
    word: "drawer 9183",
    entry: 1,
    line: "- the raw sheets lie in drawer 9183 of the archive",
  },
];

/** Still open in the last entry of the topic. `[topic, text]` */
export const openItems = [
  ["Harbor ledger export", "the bank has not answered whether instant transfers may be in the same file"],
  ["Lantern offline mode", "drivers with two phones get every photo twice"],
  ["Quarry index migration", "nobody has tried the snapshot restore in the second region"],
  ["Signalbox alert routing", "the Christmas rotation has a hole on the second of January"],
  ["Windmill report scheduler", "Madeira needs its own holiday calendar before spring"],
  ["Ferry data pipeline", "the registry refuses the new customs schema without saying why"],
];

/** Each is stated verbatim on three or more days. */
export const recurringLessons = [
  "measure before tuning, the slow part was somewhere else",
  "feature branches older than a week cost more than they save",
  "write the rollback before the rollout",
  "a queue without a dead letter loses messages silently",
  "ask support first, they knew the cause already",
];
