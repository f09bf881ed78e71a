/** What is said in two days of work, and the model's answers. Each sentence occurs in one message only. */

/** A user's rules, in the user's own words. */
export const RULES = [
  "Use pnpm for every install, never npm.",
  "Keep functions below forty lines.",
  "Ask Mira before you touch the billing tables.",
  "Write commit messages in the imperative.",
  "Never deploy on Fridays after noon.",
  "Answer me in short sentences without emoji.",
  "Store money in cents, never as a float.",
  "Run the linter before each commit.",
  "Put every new screen behind a feature flag.",
  "Name a test file after the module it tests.",
  "Do not write customers' email addresses to a log.",
  "Quote the ticket number in each branch name.",
] as const;

/** A fact, said with the first rules. */
export const FACT = "The gasket of boiler nine came from the firm Rotkehlchen in March.";

/** Asks for the fact; the only content word of both is "boiler". */
export const PARAPHRASE = "Who supplied the seal for the boiler?";

export const THANKS = "Thanks, nothing else for the moment.";

/** A prompt and the model's answer. */
export interface Turn {
  readonly prompt: string;
  readonly answer: string;
  /** What is in the day's log afterwards. Thanks are not. */
  readonly kept: readonly string[];
}

const answers = [
  "Understood. The inspector comes again in autumn, and his last report lies in the blue folder of the archive.",
  "Noted. The pump in hall four was oiled on Monday, and the spare valve is still at the workshop of the harbour.",
  "Agreed. The crane needs a new rope before winter, and the quotation for it was written by the yard in Emden.",
  "All right. The meter in the cellar shows eleven bar, although the drawing of the plant allows only ten.",
  "I will. The roof above the forge was painted green, and the scaffold stays until the gutters are mended.",
  "Yes. The lorry with the pipes is late because the ferry does not sail, so the trench remains open until Tuesday.",
] as const;

const turns: readonly Turn[] = answers.map((answer, at) => {
  const said = [...RULES.slice(2 * at, 2 * at + 2), ...(at === 0 ? [FACT] : [])];
  return { prompt: said.join(" "), answer, kept: [...said, answer] };
});

/** The first day's sessions. */
export const SESSION_A = turns.slice(0, 3);
export const SESSION_B = turns.slice(3);

const INVOICES = "Good morning, let us begin with the invoices.";

/** The second day's session. heartwood has a later day than the client here, so that it takes the session for one that ended long ago, and may log a prompt before its answer. */
export const SESSION_C: readonly Turn[] = [
  { prompt: INVOICES, answer: "They are in the second drawer.", kept: [INVOICES] },
  { prompt: PARAPHRASE, answer: "I would have to guess.", kept: [PARAPHRASE] },
  { prompt: PARAPHRASE, answer: "I still would have to.", kept: [PARAPHRASE] },
  { prompt: THANKS, answer: "You are welcome.", kept: [] },
];

/** Every sentence of a rule or an answer on the first day. */
export const SENTENCES: readonly string[] = [...SESSION_A, ...SESSION_B].flatMap(({ prompt, answer }) =>
  `${prompt} ${answer}`.split(/(?<=\.) /u).filter((sentence) => sentence.split(" ").length > 3),
);
