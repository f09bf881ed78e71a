/** The figures of docs/formats/audit.md. Bytes unless the name says otherwise; a value is over when it is greater. */
export const thresholds = {
  /** Tokens (estimate) of one section of MEMORY.md. */
  sectionTokens: 500,
  /** Tokens that a note's section and MEMORY.md must share at least one more than. */
  sharedTokens: 5,
  /** Jaccard similarity. */
  similarity: 0.5,
  highSimilarity: 0.7,
  /** Characters of a line that is looked for twice. */
  duplicateCharacters: 10,
  noteBloat: 8 * 1024,
  noteRotation: 30 * 1024,
  /** Lines of the Adaptive section that are not blank. */
  adaptiveLines: 50,
  /** What loaders read of MEMORY.md (Claude Code: 200 lines, 25,000 bytes). */
  loaderLines: 200,
  loaderBytes: 25_000,
  /** Over this many bytes of MEMORY.md `status` says that an audit is due. */
  trigger: 15 * 1024,
  /** Files over this many bytes are measured and not read. */
  largestRead: 64 * 1024 * 1024,
} as const;
