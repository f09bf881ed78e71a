// LoCoMo (Maharana et al., 2024): ten conversations of two people. Folder: see bench/recall-conversation-cases.mjs.
import { categories, conversationCases } from "../recall-conversation-cases.mjs";

export { categories as loCoMoKinds, conversationCases as loCoMoCases };

/** The conversations with their turns, without captions, for the ranking of turns. */
export function loCoMoTurns(folder) {
  return conversationCases(folder, { captions: false }).map(({ conversation, turns, questions }) => {
    const ids = new Map([...turns].map(([id, turn]) => [turn, id]));
    return {
      conversation,
      turns: [...turns].map(([id, { file, said, speaker }]) => ({ id, file, said, speaker })),
      questions: questions.map(({ id, text, category, evidence }) => ({
        id,
        text,
        kind: categories[category],
        gold: evidence.map((turn) => ids.get(turn)),
      })),
    };
  });
}
