/** A token that can be known by its own form: a fixed beginning and a tail of a known alphabet and length. */
export interface TokenShape {
  readonly kind: string;
  /** Literal beginnings, case-sensitive. */
  readonly starts: readonly string[];
  /** Source of what must stand before the beginning and belongs to the token. Without it a word boundary must. */
  readonly lead?: string;
  /** Source of the pattern that must follow the beginning. Every quantifier in it is bounded. */
  readonly tail: string;
  /** What the whole token must be besides: see `value.ts`. Default `unmasked`. */
  readonly must?: TokenTest;
}

/**
 * `any`: the form is enough. `unmasked`: no long run of one filler character. `digit`: unmasked, and a digit in the
 * tail. `random`: unmasked, well spread characters, no alphabet written out. `payload`: for tails of any length from a
 * floor on; two kinds of characters that change often, neither words nor a stand-in.
 */
export type TokenTest = "any" | "unmasked" | "digit" | "random" | "payload";

/** Clouds, infrastructure, secret stores, networks. */
export const cloudShapes: readonly TokenShape[] = [
  {
    kind: "aws-access-token",
    starts: ["AKIA", "ASIA", "ABIA", "ACCA"],
    tail: "(?![A-Z0-9]{9}EXAMPLE)[A-Z2-7][A-Z0-9]{15}",
  },
  { kind: "aws-bedrock-key", starts: ["ABSK"], tail: "[A-Za-z0-9+/]{100,300}={0,2}" },
  {
    kind: "aws-bedrock-key",
    starts: ["bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t"],
    tail: "[A-Za-z0-9+/=_-]{0,4000}",
    must: "any",
  },
  { kind: "gcp-api-key", starts: ["AIza"], tail: "[A-Za-z0-9_-]{35}", must: "random" },
  { kind: "google-oauth-secret", starts: ["GOCSPX-"], tail: "[A-Za-z0-9_-]{28}" },
  { kind: "google-oauth-token", starts: ["ya29."], tail: "[A-Za-z0-9_-]{20,2000}" },
  { kind: "google-oauth-token", starts: ["1//0"], tail: "[A-Za-z0-9_-]{30,200}" },
  {
    kind: "azure-client-secret",
    starts: ["Q~"],
    lead: "(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}\\d",
    tail: "[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])",
  },
  { kind: "azure-sas-signature", starts: ["sig="], tail: "[A-Za-z0-9%+/]{40,100}(?:=|%3[Dd])", must: "digit" },
  {
    kind: "azure-sas-signature",
    starts: ["sig="],
    tail: "(?<=[?&;](?:s[veprt]|skoid)=[^\\s]{0,400}sig=)[A-Za-z0-9%+/]{20,100}",
    must: "payload",
  },
  { kind: "alibaba-access-key", starts: ["LTAI"], tail: "[A-Za-z0-9]{12,26}", must: "digit" },
  { kind: "tencent-secret-id", starts: ["AKID"], tail: "[A-Za-z0-9]{32}", must: "digit" },
  { kind: "yandex-token", starts: ["t1."], tail: "[A-Za-z0-9_-]{1,80}={0,2}\\.[A-Za-z0-9_-]{86}={0,2}" },
  { kind: "yandex-token", starts: ["AQVN"], tail: "[A-Za-z0-9_-]{35,38}" },
  { kind: "digitalocean-token", starts: ["dop_v1_", "doo_v1_", "dor_v1_"], tail: "[a-f0-9]{64}" },
  { kind: "cloudflare-origin-ca-key", starts: ["v1.0-"], tail: "[a-f0-9]{24}-[a-f0-9]{146}" },
  { kind: "flyio-token", starts: ["fo1_"], tail: "[A-Za-z0-9_-]{43}" },
  { kind: "flyio-token", starts: ["fm1a_", "fm1r_", "fm2_"], tail: "[A-Za-z0-9+/]{60,4000}={0,3}", must: "digit" },
  { kind: "heroku-api-key", starts: ["HRKU-"], tail: "[A-Za-z0-9_-]{36,64}", must: "digit" },
  { kind: "vault-token", starts: ["hvs.", "hvb.", "hvr."], tail: "[A-Za-z0-9_-]{80,300}" },
  {
    kind: "terraform-token",
    starts: [".atlasv1."],
    lead: "(?<![A-Za-z0-9])[A-Za-z0-9]{14}",
    tail: "[A-Za-z0-9=_-]{60,80}",
  },
  { kind: "pulumi-token", starts: ["pul-"], tail: "[a-f0-9]{40}" },
  {
    kind: "doppler-token",
    starts: ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
    tail: "(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}",
  },
  { kind: "onepassword-token", starts: ["ops_eyJ"], tail: "[A-Za-z0-9+/_-]{200,4000}={0,3}" },
  {
    kind: "onepassword-secret-key",
    starts: ["A3-"],
    tail: "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
    must: "digit",
  },
  { kind: "age-secret-key", starts: ["AGE-SECRET-KEY-1"], tail: "[0-9A-Z]{58}", must: "any" },
  { kind: "infracost-key", starts: ["ico-"], tail: "(?<!\\.ico-)[A-Za-z0-9]{32}", must: "random" },
  { kind: "prefect-token", starts: ["pnu_"], tail: "[A-Za-z0-9]{36}" },
  { kind: "scalingo-token", starts: ["tk-us-"], tail: "[A-Za-z0-9_-]{48}" },
  { kind: "databricks-token", starts: ["dapi"], tail: "[A-Fa-f0-9]{32}(?:-\\d{1,2})?" },
  { kind: "planetscale-token", starts: ["pscale_pw_", "pscale_tkn_", "pscale_oauth_"], tail: "[A-Za-z0-9=._-]{32,64}" },
  { kind: "supabase-key", starts: ["sbp_"], tail: "[a-f0-9]{40}" },
  { kind: "supabase-key", starts: ["sb_secret_"], tail: "[A-Za-z0-9_-]{22,60}" },
  { kind: "vercel-token", starts: ["vcp_", "vci_", "vca_", "vcr_", "vck_"], tail: "[A-Za-z0-9]{24,80}" },
  { kind: "netlify-token", starts: ["nfp_"], tail: "[A-Za-z0-9]{36}" },
  { kind: "tailscale-key", starts: ["tskey-"], tail: "[a-z]{3,10}-[A-Za-z0-9]{8,20}-[A-Za-z0-9]{20,40}" },
  { kind: "openshift-token", starts: ["sha256~"], tail: "[A-Za-z0-9_-]{43}" },
  { kind: "docker-token", starts: ["dckr_pat_", "dckr_oat_"], tail: "[A-Za-z0-9_-]{20,64}" },
  { kind: "docker-config", starts: ["eyJhdXRocyI6"], tail: "[A-Za-z0-9+/]{16,4000}={0,2}", must: "any" },
  { kind: "harness-token", starts: ["pat.", "sat."], tail: "[A-Za-z0-9_-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}" },
  { kind: "octopus-key", starts: ["API-"], tail: "[A-Z0-9]{26}", must: "digit" },
];

/** Code hosting, package registries, build, monitoring. */
export const codeShapes: readonly TokenShape[] = [
  // `-----BEGIN … PRIVATE KEY` in base64, at each of the three places where the words can begin.
  {
    kind: "private-key",
    starts: ["LS0tLS1CRUdJTi"],
    tail: "(?=[A-Za-z0-9+/]{0,32}(?:BSSVZBVEUgS0VZ|UFJJVkFURSBLRV|QUklWQVRFIEtFW))[A-Za-z0-9+/]{30,32000}={0,2}",
    must: "any",
  },
  { kind: "github-token", starts: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], tail: "[A-Za-z0-9]{36,255}" },
  {
    kind: "github-token",
    starts: ["ghs_"],
    tail: "\\d{1,12}_eyJ[A-Za-z0-9_-]{15,2000}\\.[A-Za-z0-9_-]{15,2000}\\.[A-Za-z0-9_-]{8,2000}",
  },
  { kind: "github-token", starts: ["github_pat_"], tail: "[A-Za-z0-9_]{60,255}" },
  { kind: "gitlab-token", starts: ["glpat-", "glrt-"], tail: "[A-Za-z0-9_-]{20,300}(?:\\.[a-z0-9.]{9,20})?" },
  { kind: "gitlab-token", starts: ["glptt-"], tail: "[a-f0-9]{40}" },
  { kind: "gitlab-token", starts: ["glagent-"], tail: "[A-Za-z0-9_-]{50}" },
  { kind: "gitlab-token", starts: ["gloas-"], tail: "[A-Za-z0-9_-]{64}" },
  {
    kind: "gitlab-token",
    starts: ["glcbt-", "gldt-", "glffct-", "glft-", "glimt-", "glsoat-"],
    tail: "[A-Za-z0-9_-]{20,80}",
  },
  { kind: "gitlab-token", starts: ["GR1348941"], tail: "[A-Za-z0-9_-]{20}", must: "random" },
  { kind: "gitlab-session", starts: ["_gitlab_session="], tail: "[A-Za-z0-9]{32}" },
  { kind: "bitbucket-token", starts: ["ATBB"], tail: "[A-Za-z0-9]{28,40}", must: "digit" },
  { kind: "atlassian-token", starts: ["ATATT3", "ATCTT3"], tail: "[A-Za-z0-9_=-]{100,300}" },
  { kind: "npm-token", starts: ["npm_"], tail: "[A-Za-z0-9]{36}", must: "digit" },
  { kind: "pypi-token", starts: ["pypi-AgE"], tail: "[A-Za-z0-9_-]{50,1000}" },
  { kind: "rubygems-token", starts: ["rubygems_"], tail: "[a-f0-9]{48}" },
  { kind: "crates-token", starts: ["cio"], tail: "(?<![+/]cio)[A-Za-z0-9]{32}(?![+/=])", must: "random" },
  { kind: "clojars-token", starts: ["CLOJARS_"], tail: "[A-Za-z0-9]{60}" },
  { kind: "artifactory-token", starts: ["AKCp"], tail: "[A-Za-z0-9]{69}" },
  { kind: "artifactory-token", starts: ["cmVmd"], tail: "[A-Za-z0-9]{59}" },
  { kind: "nuget-key", starts: ["oy2"], tail: "[a-z0-9]{43}", must: "random" },
  { kind: "sonar-token", starts: ["squ_", "sqp_", "sqa_"], tail: "[A-Za-z0-9]{40}" },
  { kind: "sourcegraph-token", starts: ["sgp_"], tail: "(?:(?:[A-Fa-f0-9]{16}|local)_)?[A-Fa-f0-9]{40}" },
  { kind: "sentry-token", starts: ["sntrys_eyJ"], tail: "[A-Za-z0-9+/_=-]{80,1000}" },
  { kind: "sentry-token", starts: ["sntryu_"], tail: "[a-f0-9]{64}" },
  { kind: "grafana-token", starts: ["glsa_"], tail: "[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}" },
  { kind: "grafana-token", starts: ["glc_"], tail: "[A-Za-z0-9+/]{32,400}={0,3}", must: "digit" },
  { kind: "grafana-token", starts: ["eyJrIjoi"], tail: "[A-Za-z0-9+/]{60,400}={0,3}" },
  { kind: "new-relic-key", starts: ["NRAK-"], tail: "[A-Za-z0-9]{27}" },
  { kind: "new-relic-key", starts: ["NRJS-"], tail: "[a-f0-9]{19}" },
  { kind: "new-relic-key", starts: ["NRII-"], tail: "[A-Za-z0-9-]{32}" },
  { kind: "dynatrace-token", starts: ["dt0c01.", "dt0s16.", "dt0s02."], tail: "[A-Za-z0-9]{8,24}\\.[A-Za-z0-9]{64}" },
  { kind: "postman-key", starts: ["PMAK-"], tail: "[a-f0-9]{24}-[a-f0-9]{34}" },
  { kind: "readme-key", starts: ["rdme_"], tail: "[a-z0-9]{70}" },
  { kind: "circleci-token", starts: ["CCIPAT_", "CCIPRJ_"], tail: "[A-Za-z0-9]{18,30}_[a-f0-9]{40}" },
  { kind: "buildkite-token", starts: ["bkua_"], tail: "[a-f0-9]{40}" },
  { kind: "linear-key", starts: ["lin_api_", "lin_oauth_"], tail: "[A-Za-z0-9]{40,64}" },
  { kind: "notion-token", starts: ["ntn_"], tail: "[0-9]{11}[A-Za-z0-9]{35}" },
  { kind: "notion-token", starts: ["secret_"], tail: "[A-Za-z0-9]{43}", must: "random" },
  { kind: "figma-token", starts: ["figd_", "figoh_", "figor_"], tail: "[A-Za-z0-9_-]{38,80}" },
  { kind: "contentful-token", starts: ["CFPAT-"], tail: "[A-Za-z0-9_-]{43}" },
  { kind: "airtable-token", starts: ["pat"], tail: "[A-Za-z0-9]{14}\\.[a-f0-9]{64}" },
  { kind: "asana-token", starts: ["1/", "2/"], tail: "[0-9]{13,18}(?:/[0-9]{13,18})?:[a-f0-9]{32}" },
  { kind: "settlemint-token", starts: ["sm_pat_", "sm_aat_", "sm_sat_"], tail: "[A-Za-z0-9]{16}" },
  { kind: "intra42-secret", starts: ["s-s4t2ud-", "s-s4t2af-"], tail: "[a-f0-9]{64}" },
  { kind: "posthog-key", starts: ["phx_", "phs_"], tail: "[A-Za-z0-9]{40,60}" },
];

/** Language models, messaging, payments, shops, and the forms that belong to no vendor. */
export const serviceShapes: readonly TokenShape[] = [
  {
    kind: "anthropic-key",
    starts: ["sk-ant-"],
    tail: "(?:api|admin|oat|ort|sid)\\d{2}-[A-Za-z0-9_-]{78,118}AA",
    must: "any",
  },
  {
    kind: "openai-key",
    starts: ["sk-", "sk-proj-", "sk-svcacct-", "sk-admin-"],
    tail: "(?:[a-z]{3,12}-)?[A-Za-z0-9_-]{8,120}T3BlbkFJ[A-Za-z0-9_-]{0,120}",
  },
  { kind: "openrouter-key", starts: ["sk-or-v1-"], tail: "[a-f0-9]{64}" },
  { kind: "deepseek-key", starts: ["sk-"], tail: "[a-f0-9]{32}" },
  { kind: "langfuse-key", starts: ["sk-lf-"], tail: "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}" },
  { kind: "langsmith-key", starts: ["lsv2_pt_", "lsv2_sk_"], tail: "[a-f0-9]{32}_[a-f0-9]{10}" },
  { kind: "huggingface-token", starts: ["hf_", "api_org_"], tail: "[A-Za-z]{34}" },
  { kind: "groq-key", starts: ["gsk_"], tail: "[A-Za-z0-9]{52}" },
  { kind: "xai-key", starts: ["xai-"], tail: "[A-Za-z0-9]{80}" },
  { kind: "perplexity-key", starts: ["pplx-"], tail: "[A-Za-z0-9]{48}" },
  { kind: "replicate-token", starts: ["r8_"], tail: "[A-Za-z0-9]{37}" },
  { kind: "elevenlabs-key", starts: ["sk_"], tail: "[a-f0-9]{48}" },
  { kind: "tavily-key", starts: ["tvly-"], tail: "[A-Za-z0-9-]{32,60}", must: "digit" },
  {
    kind: "slack-token",
    starts: ["xoxb-", "xoxp-", "xoxo-", "xoxs-", "xoxc-", "xoxd-"],
    tail: "\\d{8,14}-[A-Za-z0-9-]{9,120}(?![-#*])",
  },
  {
    kind: "slack-token",
    starts: ["xoxa-", "xoxr-"],
    tail: "(?=[A-Za-z-]{0,20}\\d)(?:\\d-)?[A-Za-z0-9]{8,48}[A-Za-z0-9-]{0,120}",
  },
  {
    kind: "slack-token",
    starts: ["xoxe-", "xoxe.xoxb-", "xoxe.xoxp-"],
    tail: "\\d-[A-Za-z0-9]{100,250}",
    must: "digit",
  },
  { kind: "slack-token", starts: ["xapp-"], tail: "\\d-[A-Z0-9]{8,16}-\\d{8,16}-[A-Za-z0-9]{48,100}" },
  {
    kind: "slack-webhook",
    starts: ["hooks.slack.com/"],
    tail: "(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{24,120}",
  },
  {
    kind: "discord-token",
    starts: ["M", "N", "O"],
    tail: "[A-Za-z0-9_-]{23,25}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,38}",
    must: "random",
  },
  {
    kind: "discord-webhook",
    starts: ["discord.com/api/", "discordapp.com/api/"],
    tail: "(?:v\\d{1,2}/)?webhooks/\\d{16,22}/[A-Za-z0-9_-]{32,120}",
  },
  {
    kind: "teams-webhook",
    starts: ["webhook.office.com/webhookb2/"],
    tail: "[A-Za-z0-9@-]{40,90}/IncomingWebhook/[A-Za-z0-9]{16,40}(?:/[A-Za-z0-9-]{20,80}){0,2}",
  },
  { kind: "telegram-bot-token", starts: [":A"], lead: "(?<!\\w)\\d{5,16}", tail: "[A-Za-z0-9_-]{34}" },
  { kind: "twilio-key", starts: ["SK", "AC"], tail: "[a-f0-9]{32}", must: "random" },
  { kind: "sendgrid-key", starts: ["SG."], tail: "[A-Za-z0-9=_-]{20,24}\\.?[A-Za-z0-9=_.-]{39,50}" },
  { kind: "sendinblue-key", starts: ["xkeysib-"], tail: "[a-f0-9]{64}-[A-Za-z0-9]{16}" },
  { kind: "mailgun-key", starts: ["key-", "pubkey-"], tail: "[a-f0-9]{32}", must: "random" },
  { kind: "resend-key", starts: ["re_"], tail: "[A-Za-z0-9]{8}_[A-Za-z0-9]{24}", must: "digit" },
  {
    kind: "stripe-key",
    starts: ["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_", "whsec_"],
    tail: "[A-Za-z0-9]{24,250}",
  },
  { kind: "square-token", starts: ["EAAA", "sq0atp-", "sq0csp-"], tail: "[A-Za-z0-9_-]{22,60}", must: "digit" },
  { kind: "shopify-token", starts: ["shpss_", "shpat_", "shpca_", "shppa_"], tail: "[A-Fa-f0-9]{32}" },
  { kind: "shippo-token", starts: ["shippo_live_", "shippo_test_"], tail: "[a-f0-9]{40}" },
  { kind: "easypost-key", starts: ["EZAK", "EZTK"], tail: "[A-Za-z0-9]{54}" },
  { kind: "duffel-token", starts: ["duffel_test_", "duffel_live_"], tail: "[A-Za-z0-9_=-]{43}" },
  { kind: "flutterwave-key", starts: ["FLWSECK_TEST-", "FLWPUBK_TEST-", "FLWSECK-"], tail: "[a-f0-9]{12,34}(?:-X)?" },
  { kind: "frameio-token", starts: ["fio-u-"], tail: "[A-Za-z0-9=_-]{64}" },
  { kind: "typeform-token", starts: ["tfp_"], tail: "[A-Za-z0-9_.=-]{59,64}" },
  { kind: "mapbox-token", starts: ["sk.eyJ", "tk.eyJ"], tail: "[A-Za-z0-9_-]{40,300}\\.[A-Za-z0-9_-]{20,40}" },
  { kind: "facebook-token", starts: ["EAAM", "EAAC", "EAAB", "EAAG", "EAAI"], tail: "[A-Za-z0-9]{80,400}" },
  { kind: "facebook-token", starts: ["|"], lead: "(?<!\\d)\\d{15,16}", tail: "[A-Za-z0-9_-]{27}" },
  {
    kind: "jwt",
    starts: ["ey"],
    tail: "[A-Za-z0-9_-]{15,8000}\\.ey[A-Za-z0-9_-]{15,8000}(?:\\.[A-Za-z0-9_-]{1,8000}={0,2})?",
    must: "any",
  },
  { kind: "jwt", starts: ["ZXlK"], tail: "[A-Za-z0-9+/_-]{60,8000}={0,2}", must: "any" },
];

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
