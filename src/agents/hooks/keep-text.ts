/** What the summary of a conversation is to keep, for clients that take it: what nothing else remembers. */
export const keepText = [
  "The conversation so far is being captured in the project's memory (memory/), and an overview of that memory is given again after this.",
  "So keep in the summary above all: what is being worked on and the next step; decisions with their reasons; corrections and wishes of the user, in their words;",
  "paths, names and numbers that are needed to go on; what was tried and failed. Leave out what can be read again in files.",
].join("\n");
