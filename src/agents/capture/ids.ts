import { printUuid8, sha256 } from "../../base/digest.ts";
import type { Client } from "../transcripts/transcripts.ts";
import { isThreadId } from "../../threads/model/frame.ts";

/** The thread of a session. */
export function threadIdOf(client: Client, session: string): string {
  const plain = `${client}-${session.toLowerCase()}`;
  return isThreadId(plain) ? plain : `${client}-${sha256(session).slice(0, 32)}`;
}

/** The frame of a message. An empty `message` is that of the thread's first frame. */
export function frameIdOf(client: Client, session: string, message: string): string {
  return printUuid8(digestOf(client, session, message));
}

/** The entry of the turn that a message of the person begins. */
export function turnEntryIdOf(client: Client, session: string, message: string): string {
  return `capture-${digestOf(client, session, message).slice(0, 26)}`;
}

function digestOf(client: Client, session: string, message: string): string {
  return sha256(`${client}\0${session}\0${message}`);
}
