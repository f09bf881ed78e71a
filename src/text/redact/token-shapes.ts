/**
 * `any`: no further test. `unmasked`: no long run of one filler character. `digit`: unmasked, with a digit in the tail.
 * `random`: unmasked, with a digit, high entropy and no alphabetical run. `payload`: for tails without a fixed length: two
 * kinds of characters that alternate often, no words and no placeholder.
 */
export type TokenTest = "any" | "unmasked" | "digit" | "random" | "payload";

/**
 * A token recognized by its form. `starts`: literal and case-sensitive, separated by spaces. `tail`: pattern source for the text after the start; every
 * quantifier is bounded. `must`: a further test of the token, see `value.ts`. `lead`: pattern source for text before the start that belongs to the token;
 * without a lead, the start must be at a word boundary.
 */
type Row = readonly [kind: string, starts: string, tail: string, must?: TokenTest, lead?: string];

const exact: readonly Row[] = [
  // Clouds, infrastructure, secret stores, networks.
  ["aws-access-token", "AKIA ASIA ABIA ACCA", "(?![A-Z0-9]{9}EXAMPLE)[A-Z2-7][A-Z0-9]{15}"],
  ["aws-bedrock-key", "ABSK", "[A-Za-z0-9+/]{100,300}={0,2}"],
  ["aws-bedrock-key", "bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t", "[A-Za-z0-9+/=_-]{0,4000}", "any"],
  ["gcp-api-key", "AIza", "[A-Za-z0-9_-]{35}", "random"],
  ["google-oauth-secret", "GOCSPX-", "[A-Za-z0-9_-]{28}"],
  ["google-oauth-token", "ya29.", "[A-Za-z0-9_-]{20,2000}"],
  ["google-oauth-token", "1//0", "[A-Za-z0-9_-]{30,200}"],
  [
    "azure-client-secret",
    "Q~",
    "[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])",
    "unmasked",
    "(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}\\d",
  ],
  ["azure-sas-signature", "sig=", "[A-Za-z0-9%+/]{40,100}(?:=|%3[Dd])", "digit"],
  ["azure-sas-signature", "sig=", "(?<=[?&;](?:s[veprt]|skoid)=[^\\s]{0,400}sig=)[A-Za-z0-9%+/]{20,100}", "payload"],
  ["alibaba-access-key", "LTAI", "[A-Za-z0-9]{12,26}", "digit"],
  ["tencent-secret-id", "AKID", "[A-Za-z0-9]{32}", "digit"],
  ["yandex-token", "t1.", "[A-Za-z0-9_-]{1,80}={0,2}\\.[A-Za-z0-9_-]{86}={0,2}"],
  ["yandex-token", "AQVN", "[A-Za-z0-9_-]{35,38}"],
  ["digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", "[a-f0-9]{64}"],
  ["cloudflare-origin-ca-key", "v1.0-", "[a-f0-9]{24}-[a-f0-9]{146}"],
  ["flyio-token", "fo1_", "[A-Za-z0-9_-]{43}"],
  ["flyio-token", "fm1a_ fm1r_ fm2_", "[A-Za-z0-9+/]{60,4000}={0,3}", "digit"],
  ["heroku-api-key", "HRKU-", "[A-Za-z0-9_-]{36,64}", "digit"],
  ["vault-token", "hvs. hvb. hvr.", "[A-Za-z0-9_-]{80,300}"],
  ["terraform-token", ".atlasv1.", "[A-Za-z0-9=_-]{60,80}", "unmasked", "(?<![A-Za-z0-9])[A-Za-z0-9]{14}"],
  ["pulumi-token", "pul-", "[a-f0-9]{40}"],
  ["doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", "(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}"],
  ["onepassword-token", "ops_eyJ", "[A-Za-z0-9+/_-]{200,4000}={0,3}"],
  ["onepassword-secret-key", "A3-", "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}", "digit"],
  ["age-secret-key", "AGE-SECRET-KEY-1", "[0-9A-Z]{58}", "any"],
  ["infracost-key", "ico-", "(?<!\\.ico-)[A-Za-z0-9]{32}", "random"],
  ["prefect-token", "pnu_", "[A-Za-z0-9]{36}"],
  ["scalingo-token", "tk-us-", "[A-Za-z0-9_-]{48}"],
  ["databricks-token", "dapi", "[A-Fa-f0-9]{32}(?:-\\d{1,2})?"],
  ["planetscale-token", "pscale_pw_ pscale_tkn_ pscale_oauth_", "[A-Za-z0-9=._-]{32,64}"],
  ["supabase-key", "sbp_", "[a-f0-9]{40}"],
  ["supabase-key", "sb_secret_", "[A-Za-z0-9_-]{22,60}"],
  ["vercel-token", "vcp_ vci_ vca_ vcr_ vck_", "[A-Za-z0-9]{24,80}"],
  ["netlify-token", "nfp_", "[A-Za-z0-9]{36}"],
  ["tailscale-key", "tskey-", "[a-z]{3,10}-[A-Za-z0-9]{8,20}-[A-Za-z0-9]{20,40}"],
  ["openshift-token", "sha256~", "[A-Za-z0-9_-]{43}"],
  ["docker-token", "dckr_pat_ dckr_oat_", "[A-Za-z0-9_-]{20,64}"],
  ["docker-config", "eyJhdXRocyI6", "[A-Za-z0-9+/]{16,4000}={0,2}", "any"],
  ["harness-token", "pat. sat.", "[A-Za-z0-9_-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}"],
  ["octopus-key", "API-", "[A-Z0-9]{26}", "digit"],
  // Code hosting, package registries, CI, monitoring.
  // `-----BEGIN … PRIVATE KEY` in base64, with these words at each of the three possible offsets.
  [
    "private-key",
    "LS0tLS1CRUdJTi",
    "(?=[A-Za-z0-9+/]{0,32}(?:BSSVZBVEUgS0VZ|UFJJVkFURSBLRV|QUklWQVRFIEtFW))[A-Za-z0-9+/]{30,32000}={0,2}",
    "any",
  ],
  ["github-token", "ghp_ gho_ ghu_ ghs_ ghr_", "[A-Za-z0-9]{36,255}"],
  ["github-token", "ghs_", "\\d{1,12}_eyJ[A-Za-z0-9_-]{15,2000}\\.[A-Za-z0-9_-]{15,2000}\\.[A-Za-z0-9_-]{8,2000}"],
  ["github-token", "github_pat_", "[A-Za-z0-9_]{60,255}"],
  ["gitlab-token", "glpat- glrt-", "[A-Za-z0-9_-]{20,300}(?:\\.[a-z0-9.]{9,20})?"],
  ["gitlab-token", "glptt-", "[a-f0-9]{40}"],
  ["gitlab-token", "glagent-", "[A-Za-z0-9_-]{50}"],
  ["gitlab-token", "gloas-", "[A-Za-z0-9_-]{64}"],
  ["gitlab-token", "glcbt- gldt- glffct- glft- glimt- glsoat-", "[A-Za-z0-9_-]{20,80}"],
  ["gitlab-token", "GR1348941", "[A-Za-z0-9_-]{20}", "random"],
  ["gitlab-session", "_gitlab_session=", "[A-Za-z0-9]{32}"],
  ["bitbucket-token", "ATBB", "[A-Za-z0-9]{28,40}", "digit"],
  ["atlassian-token", "ATATT3 ATCTT3", "[A-Za-z0-9_=-]{100,300}"],
  ["npm-token", "npm_", "[A-Za-z0-9]{36}", "digit"],
  ["pypi-token", "pypi-AgE", "[A-Za-z0-9_-]{50,1000}"],
  ["rubygems-token", "rubygems_", "[a-f0-9]{48}"],
  ["crates-token", "cio", "(?<![+/]cio)[A-Za-z0-9]{32}(?![+/=])", "random"],
  ["clojars-token", "CLOJARS_", "[A-Za-z0-9]{60}"],
  ["artifactory-token", "AKCp", "[A-Za-z0-9]{69}"],
  ["artifactory-token", "cmVmd", "[A-Za-z0-9]{59}"],
  ["nuget-key", "oy2", "[a-z0-9]{43}", "random"],
  ["sonar-token", "squ_ sqp_ sqa_", "[A-Za-z0-9]{40}"],
  ["sourcegraph-token", "sgp_", "(?:(?:[A-Fa-f0-9]{16}|local)_)?[A-Fa-f0-9]{40}"],
  ["sentry-token", "sntrys_eyJ", "[A-Za-z0-9+/_=-]{80,1000}"],
  ["sentry-token", "sntryu_", "[a-f0-9]{64}"],
  ["grafana-token", "glsa_", "[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"],
  ["grafana-token", "glc_", "[A-Za-z0-9+/]{32,400}={0,3}", "digit"],
  ["grafana-token", "eyJrIjoi", "[A-Za-z0-9+/]{60,400}={0,3}"],
  ["new-relic-key", "NRAK-", "[A-Za-z0-9]{27}"],
  ["new-relic-key", "NRJS-", "[a-f0-9]{19}"],
  ["new-relic-key", "NRII-", "[A-Za-z0-9-]{32}"],
  ["dynatrace-token", "dt0c01. dt0s16. dt0s02.", "[A-Za-z0-9]{8,24}\\.[A-Za-z0-9]{64}"],
  ["postman-key", "PMAK-", "[a-f0-9]{24}-[a-f0-9]{34}"],
  ["readme-key", "rdme_", "[a-z0-9]{70}"],
  ["circleci-token", "CCIPAT_ CCIPRJ_", "[A-Za-z0-9]{18,30}_[a-f0-9]{40}"],
  ["buildkite-token", "bkua_", "[a-f0-9]{40}"],
  ["linear-key", "lin_api_ lin_oauth_", "[A-Za-z0-9]{40,64}"],
  ["notion-token", "ntn_", "[0-9]{11}[A-Za-z0-9]{35}"],
  ["notion-token", "secret_", "[A-Za-z0-9]{43}", "random"],
  ["figma-token", "figd_ figoh_ figor_", "[A-Za-z0-9_-]{38,80}"],
  ["contentful-token", "CFPAT-", "[A-Za-z0-9_-]{43}"],
  ["airtable-token", "pat", "[A-Za-z0-9]{14}\\.[a-f0-9]{64}"],
  ["asana-token", "1/ 2/", "[0-9]{13,18}(?:/[0-9]{13,18})?:[a-f0-9]{32}"],
  ["settlemint-token", "sm_pat_ sm_aat_ sm_sat_", "[A-Za-z0-9]{16}"],
  ["intra42-secret", "s-s4t2ud- s-s4t2af-", "[a-f0-9]{64}"],
  ["posthog-key", "phx_ phs_", "[A-Za-z0-9]{40,60}"],
  // Language models, messaging, payments, shops and vendor-neutral tokens.
  ["anthropic-key", "sk-ant-", "(?:api|admin|oat|ort|sid)\\d{2}-[A-Za-z0-9_-]{78,118}AA", "any"],
  [
    "openai-key",
    "sk- sk-proj- sk-svcacct- sk-admin-",
    "(?:[a-z]{3,12}-)?[A-Za-z0-9_-]{8,120}T3BlbkFJ[A-Za-z0-9_-]{0,120}",
  ],
  ["openrouter-key", "sk-or-v1-", "[a-f0-9]{64}"],
  ["deepseek-key", "sk-", "[a-f0-9]{32}"],
  ["langfuse-key", "sk-lf-", "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"],
  ["langsmith-key", "lsv2_pt_ lsv2_sk_", "[a-f0-9]{32}_[a-f0-9]{10}"],
  ["huggingface-token", "hf_ api_org_", "[A-Za-z]{34}"],
  ["groq-key", "gsk_", "[A-Za-z0-9]{52}"],
  ["xai-key", "xai-", "[A-Za-z0-9]{80}"],
  ["perplexity-key", "pplx-", "[A-Za-z0-9]{48}"],
  ["replicate-token", "r8_", "[A-Za-z0-9]{37}"],
  ["elevenlabs-key", "sk_", "[a-f0-9]{48}"],
  ["tavily-key", "tvly-", "[A-Za-z0-9-]{32,60}", "digit"],
  ["slack-token", "xoxb- xoxp- xoxo- xoxs- xoxc- xoxd-", "\\d{8,14}-[A-Za-z0-9-]{9,120}(?![-#*])"],
  ["slack-token", "xoxa- xoxr-", "(?=[A-Za-z-]{0,20}\\d)(?:\\d-)?[A-Za-z0-9]{8,48}[A-Za-z0-9-]{0,120}"],
  ["slack-token", "xoxe- xoxe.xoxb- xoxe.xoxp-", "\\d-[A-Za-z0-9]{100,250}", "digit"],
  ["slack-token", "xapp-", "\\d-[A-Z0-9]{8,16}-\\d{8,16}-[A-Za-z0-9]{48,100}"],
  ["slack-webhook", "hooks.slack.com/", "(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{24,120}"],
  ["discord-token", "M N O", "[A-Za-z0-9_-]{23,25}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,38}", "random"],
  [
    "discord-webhook",
    "discord.com/api/ discordapp.com/api/",
    "(?:v\\d{1,2}/)?webhooks/\\d{16,22}/[A-Za-z0-9_-]{32,120}",
  ],
  [
    "teams-webhook",
    "webhook.office.com/webhookb2/",
    "[A-Za-z0-9@-]{40,90}/IncomingWebhook/[A-Za-z0-9]{16,40}(?:/[A-Za-z0-9-]{20,80}){0,2}",
  ],
  ["telegram-bot-token", ":A", "[A-Za-z0-9_-]{34}", "unmasked", "(?<!\\w)\\d{5,16}"],
  ["twilio-key", "SK AC", "[a-f0-9]{32}", "random"],
  ["sendgrid-key", "SG.", "[A-Za-z0-9=_-]{20,24}\\.?[A-Za-z0-9=_.-]{39,50}"],
  ["sendinblue-key", "xkeysib-", "[a-f0-9]{64}-[A-Za-z0-9]{16}"],
  ["mailgun-key", "key- pubkey-", "[a-f0-9]{32}", "random"],
  ["resend-key", "re_", "[A-Za-z0-9]{8}_[A-Za-z0-9]{24}", "digit"],
  ["stripe-key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ whsec_", "[A-Za-z0-9]{24,250}"],
  ["square-token", "EAAA sq0atp- sq0csp-", "[A-Za-z0-9_-]{22,60}", "digit"],
  ["shopify-token", "shpss_ shpat_ shpca_ shppa_", "[A-Fa-f0-9]{32}"],
  ["shippo-token", "shippo_live_ shippo_test_", "[a-f0-9]{40}"],
  ["easypost-key", "EZAK EZTK", "[A-Za-z0-9]{54}"],
  ["duffel-token", "duffel_test_ duffel_live_", "[A-Za-z0-9_=-]{43}"],
  ["flutterwave-key", "FLWSECK_TEST- FLWPUBK_TEST- FLWSECK-", "[a-f0-9]{12,34}(?:-X)?"],
  ["frameio-token", "fio-u-", "[A-Za-z0-9=_-]{64}"],
  ["typeform-token", "tfp_", "[A-Za-z0-9_.=-]{59,64}"],
  ["mapbox-token", "sk.eyJ tk.eyJ", "[A-Za-z0-9_-]{40,300}\\.[A-Za-z0-9_-]{20,40}"],
  ["facebook-token", "EAAM EAAC EAAB EAAG EAAI", "[A-Za-z0-9]{80,400}"],
  ["facebook-token", "|", "[A-Za-z0-9_-]{27}", "unmasked", "(?<!\\d)\\d{15,16}"],
  ["jwt", "ey", "[A-Za-z0-9_-]{15,8000}\\.ey[A-Za-z0-9_-]{15,8000}(?:\\.[A-Za-z0-9_-]{1,8000}={0,2})?", "any"],
  ["jwt", "ZXlK", "[A-Za-z0-9+/_-]{60,8000}={0,2}", "any"],
];

/**
 * Starts that occur only in tokens, so any length counts: a truncated or newer token is still a secret. Checked after the
 * exact forms.
 */
const anyLength: readonly Row[] = [
  ["anthropic-key", "sk-ant-", "(?:[a-z]{2,8}\\d{2}-)?[A-Za-z0-9_-]{16,400}"],
  ["openai-key", "sk-proj- sk-svcacct- sk-admin-", "[A-Za-z0-9_-]{16,400}"],
  ["github-token", "ghp_ gho_ ghu_ ghs_ ghr_", "[A-Za-z0-9]{16,400}(?!_)"],
  ["github-token", "github_pat_", "[A-Za-z0-9_]{16,400}"],
  ["gitlab-token", "glpat-", "[A-Za-z0-9_-]{16,400}"],
  ["slack-token", "xoxa- xoxb- xoxp- xoxr-", "[A-Za-z0-9-]{16,400}(?![#*])"],
  ["npm-token", "npm_", "[A-Za-z0-9]{16,400}(?!_)"],
  ["huggingface-token", "hf_", "[A-Za-z0-9]{16,400}(?!_)"],
  ["aws-access-token", "AKIA ASIA", "(?=[A-Z]{0,40}\\d)[A-Z0-9]{16,40}(?<!EXAMPLE)"],
  ["gcp-api-key", "AIza", "[A-Za-z0-9_-]{20,100}"],
  ["stripe-key", "sk_live_ rk_live_", "[A-Za-z0-9]{16,400}"],
  // The first 22 characters are only the key's name.
  ["sendgrid-key", "SG.", "(?:[A-Za-z0-9_-]{16,24}\\.[A-Za-z0-9_-]{8,200}|[A-Za-z0-9_-]{28,200})"],
  ["digitalocean-token", "dop_v1_", "[A-Za-z0-9]{16,400}"],
  ["pypi-token", "pypi-AgE", "[A-Za-z0-9_-]{16,2000}"],
];

function shapeOf([kind, starts, tail, must = "unmasked", lead]: Row) {
  return { kind, starts: starts.split(" "), tail, must, lead } as const;
}

export type TokenShape = ReturnType<typeof shapeOf>;

/** All token shapes; the first match gives the kind. */
export const tokenShapes: readonly TokenShape[] = [
  ...exact.map(shapeOf),
  ...anyLength.map((row) => ({ ...shapeOf(row), must: "payload" as const })),
];
