import { expect, test } from "vitest";
import { changesIn } from "./change-words.ts";

const found = (text: string): readonly string[] => changesIn(text).map(({ from, to }) => `${from} → ${to}`);

test.each([
  ["Team decision about our logging stack - Fluentd → Vector", "Fluentd → Vector"],
  ["Updated the base image of our runners - Debian 11 -> Debian 12", "Debian 11 → Debian 12"],
  ["We take the night train every single time now use Bahncard instead of Flixbus", "Flixbus → Bahncard"],
  ["We migrated from one two three four five six over to Vector", "one two three four five six → Vector"],
  ["We stopped have A B C don't need the café any more", "the café → "],
  ["The very old long named queue of ours was replaced by Kafka", "old long named queue of ours → Kafka"],
])("of a long sentence the words that stand nearest are the thing: %s", (text, change) => {
  expect(found(text)).toEqual([change]);
});

test("a thing has six words at most, and what follows them is none of it", () => {
  expect(found("We moved from Redis to a b c d e f g h")).toEqual(["Redis → a b c d e f"]);
  expect(found("We replaced a b c d e f g with Valkey")).toEqual([]);
  expect(found("We no longer use a b c d e f g h")).toEqual(["a b c d e f → "]);
});

test("what is asked, wished or not decided has not happened", () => {
  for (const text of [
    "Should we move from Jenkins to Buildkite",
    "We moved from Jenkins to Buildkite?",
    "I want to switch from Vim to Helix",
  ])
    expect(found(text)).toEqual([]);
  expect(found("We moved from Jenkins to Buildkite")).toEqual(["Jenkins → Buildkite"]);
});
