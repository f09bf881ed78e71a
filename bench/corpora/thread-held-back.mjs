import { conversation } from "./thread.mjs";
export const heldBack = conversation;
