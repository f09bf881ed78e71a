/** The one clock of the program: an instant and the zone in which its calendar day is told. */
export interface Clock {
  readonly id: string;
  /** IANA name of the zone. */
  readonly zone: string;
  /** A sentence when a setting for the zone was passed over because it names none; it says which zone is used. */
  readonly zoneNote?: string | undefined;
  /** The local calendar day of `now()`, as YYYY-MM-DD. */
  today(): string;
  /** Milliseconds since the epoch. With `--today` it lies on that local day, at the present time of day. */
  now(): number;
}

/** Unpredictable bytes, for entry ids and temporary names. */
export interface Random {
  bytes(count: number): Uint8Array;
}

/** Makes ids: UUIDs of version 7 (RFC 9562), later ones greater than earlier ones of the same process. */
export interface Ids {
  readonly id: string;
  next(): string;
}
