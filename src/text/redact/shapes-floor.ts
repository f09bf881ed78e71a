import type { TokenShape } from "./shape.ts";

/**
 * Beginnings that no other text has. Behind them the exact length does not matter: a token cut short or of a newer make
 * is a secret still. They come after the exact forms, which need no further test.
 */
export const floorShapes: readonly TokenShape[] = [
  floor("anthropic-key", ["sk-ant-"], "(?:[a-z]{2,8}\\d{2}-)?[A-Za-z0-9_-]{16,400}"),
  floor("openai-key", ["sk-proj-", "sk-svcacct-", "sk-admin-"], "[A-Za-z0-9_-]{16,400}"),
  floor("github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "[A-Za-z0-9]{16,400}(?!_)"),
  floor("github-token", ["github_pat_"], "[A-Za-z0-9_]{16,400}"),
  floor("gitlab-token", ["glpat-"], "[A-Za-z0-9_-]{16,400}"),
  floor("slack-token", ["xoxa-", "xoxb-", "xoxp-", "xoxr-"], "[A-Za-z0-9-]{16,400}(?![#*])"),
  floor("npm-token", ["npm_"], "[A-Za-z0-9]{16,400}(?!_)"),
  floor("huggingface-token", ["hf_"], "[A-Za-z0-9]{16,400}(?!_)"),
  floor("aws-access-token", ["AKIA", "ASIA"], "(?=[A-Z]{0,40}\\d)[A-Z0-9]{16,40}(?<!EXAMPLE)"),
  floor("gcp-api-key", ["AIza"], "[A-Za-z0-9_-]{20,100}"),
  floor("stripe-key", ["sk_live_", "rk_live_"], "[A-Za-z0-9]{16,400}"),
  // The first 22 characters are the name of the key; alone they open nothing.
  floor("sendgrid-key", ["SG."], "(?:[A-Za-z0-9_-]{16,24}\\.[A-Za-z0-9_-]{8,200}|[A-Za-z0-9_-]{28,200})"),
  floor("digitalocean-token", ["dop_v1_"], "[A-Za-z0-9]{16,400}"),
  floor("pypi-token", ["pypi-AgE"], "[A-Za-z0-9_-]{16,2000}"),
];

function floor(kind: string, starts: readonly string[], tail: string): TokenShape {
  return { kind, starts, tail, must: "payload" };
}
