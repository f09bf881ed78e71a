/** A message of a generated conversation. */
export interface ConversationMessage {
  readonly seq: number;
  readonly role: string;
  readonly text: string;
}

export function conversation(options?: {
  readonly seed?: number;
  readonly count?: number;
  readonly every?: number;
  readonly bytes?: number;
}): Generator<ConversationMessage>;
