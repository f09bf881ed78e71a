import { describe, expect, test } from "vitest";
import { redact } from "./redact.ts";

// The secrets below are assembled from parts, so that scanners do not report this file as a leak.
const mixed = (length: number): string => "k7Rq2ZtV9xLw4BnM8cYd5HsJ3fGpT6Ue".repeat(9).slice(0, length);
const hex = (length: number): string => "9f3c1b7e5a2d8046".repeat(10).slice(0, length);
const digits = (length: number): string => "83017264950318".repeat(3).slice(0, length);

const tokens: readonly (readonly [string, string])[] = [
  ["aws-access-token", `${"AK"}IA${"QZ7WERTYU3OPLKJH"}`],
  ["gcp-api-key", `${"AI"}za${mixed(35)}`],
  ["azure-client-secret", `aB1${"8Q"}~${mixed(34)}`],
  ["github-token", `${"gh"}p_${mixed(36)}`],
  ["github-token", `${"github"}_pat_${mixed(82)}`],
  ["gitlab-token", `${"gl"}pat-${mixed(20)}`],
  ["slack-token", `${"xo"}xb-${digits(12)}-${digits(12)}-${mixed(24)}`],
  ["slack-webhook", `${"hooks.slack"}.com/services/T0${hex(7)}/B0${hex(7)}/${mixed(24)}`],
  ["stripe-key", `${"sk"}_live_${mixed(24)}`],
  ["openai-key", `${"sk"}-proj-${mixed(70)}${"T3Blbk"}FJ${mixed(70)}`],
  ["anthropic-key", `${"sk"}-ant-api03-${mixed(93)}AA`],
  ["huggingface-token", `${"hf"}_${"kRqZtVxLwBnMcYdHsJfGpTUe".repeat(2).slice(0, 34)}`],
  ["npm-token", `${"np"}m_${mixed(36)}`],
  ["pypi-token", `${"pypi"}-AgEIcHlwaS5vcmc${mixed(80)}`],
  ["sendgrid-key", `${"S"}G.${mixed(22)}.${mixed(43)}`],
  ["telegram-bot-token", `${digits(9)}:A${mixed(34)}`],
  ["digitalocean-token", `${"dop"}_v1_${hex(64)}`],
  ["shopify-token", `${"shp"}at_${hex(32)}`],
  ["databricks-token", `${"da"}pi${hex(32)}`],
  ["grafana-token", `${"gl"}sa_${mixed(32)}_${hex(8)}`],
  ["vault-token", `${"hv"}s.${mixed(95)}`],
  ["terraform-token", `${mixed(14)}.${"atlas"}v1.${mixed(67)}`],
  ["linear-key", `${"lin"}_api_${mixed(40)}`],
  ["notion-token", `${"nt"}n_${digits(11)}${mixed(35)}`],
  ["figma-token", `${"fig"}d_${mixed(40)}`],
  ["doppler-token", `${"dp"}.pt.${mixed(43)}`],
  ["sentry-token", `${"sntr"}yu_${hex(64)}`],
  ["postman-key", `${"PM"}AK-${hex(24)}-${hex(34)}`],
  ["pulumi-token", `${"pu"}l-${hex(40)}`],
  ["age-secret-key", `${"AGE-SECRET"}-KEY-1${"QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".repeat(2).slice(0, 58)}`],
  ["jwt", `${"ey"}J${mixed(30)}.${"ey"}J${mixed(40)}.${mixed(43)}`],
  ["discord-token", `M${mixed(23)}.${mixed(6)}.${mixed(30)}`],
];

const settings: readonly ((token: string) => string)[] = [
  (token) => token,
  (token) => `- deploy note: use ${token} for staging`,
  (token) => `| token | ${token} |`,
  (token) => `{"content":"here:\\n${token}\\nbye"}`,
  (token) => `키는 ${token}입니다`,
  (token) => `see https://x.example.com/cb?t=${token}&z=1`,
  (token) => `<!-- ${token} -->`,
  (token) => `the value is \`${token}\`, rotate later`,
];

describe("a token of a known form", () => {
  test.each(tokens)("%s is redacted in any position", (kind, token) => {
    for (const setting of settings) {
      const { text, found } = redact(setting(token));
      expect(text).not.toContain(token.slice(-12));
      expect(text).toContain(`[REDACTED:${kind}]`);
      expect(found).toHaveLength(1);
    }
  });

  const floors: readonly (readonly [string, string])[] = [
    ["anthropic-key", `${"sk"}-ant-api03-${mixed(70)}AA`],
    ["anthropic-key", `${"sk"}-ant-${mixed(24)}`],
    ["openai-key", `${"sk"}-proj-${"aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW"}`],
    ["openai-key", `${"sk"}-svcacct-${mixed(20)}`],
    ["openai-key", `${"sk"}-${mixed(20)}${"T3Blbk"}FJ${mixed(3)}`],
    ["github-token", `${"gh"}p_${mixed(20)}`],
    ["github-token", `${"gh"}s_${hex(24)}`],
    ["github-token", `${"github"}_pat_${mixed(30)}`],
    ["gitlab-token", `${"gl"}pat-${mixed(16)}`],
    ["slack-token", `${"xo"}xb-${mixed(20)}`],
    ["npm-token", `${"np"}m_${mixed(24)}`],
    ["huggingface-token", `${"hf"}_${mixed(20)}`],
    ["aws-access-token", `${"AK"}IA${"QZ7WERTYU3OPLKJH"}9B`],
    ["gcp-api-key", `${"AI"}za${mixed(28)}`],
    ["stripe-key", `${"rk"}_live_${mixed(18)}`],
    ["sendgrid-key", `${"S"}G.${mixed(22)}.${mixed(12)}`],
    ["digitalocean-token", `${"dop"}_v1_${hex(20)}`],
    ["pypi-token", `${"pypi"}-AgEIcHlw${mixed(20)}`],
  ];

  test.each(floors)("%s is redacted even if truncated or too long", (kind, token) => {
    for (const setting of settings) {
      const { text } = redact(setting(token));
      expect(text).not.toContain(token.slice(-12));
      expect(text).toContain(`[REDACTED:${kind}]`);
    }
  });

  test("is not redacted if only words or a placeholder follow the vendor's prefix", () => {
    for (const text of [
      "sk-ant-api03-your-key-here",
      `${"sk"}-ant-api03-${"x".repeat(40)}`,
      `${"sk"}-ant-api03-${"xxxx-1234-".repeat(4)}`,
      `${"sk"}-ant-api03-MyAnthropicApiToken`,
      "sk-proj-my-first-project-2024-03",
      "sk-proj-<your key>",
      `ANTHROPIC_API_KEY=${"sk"}-ant-api03-your-key-here`,
      `OPENAI_API_KEY=${"sk"}-proj-${"$"}{KEY}`,
      `${"sk"}-proj-abcdefghijklmnopqrstuvwxyz123456`,
      `${"gh"}p_EXAMPLEEXAMPLEEXAMPLE12`,
      `${"gh"}p_${"a".repeat(20)}1`,
      "npm_config_registry_v2_url_of_mirror",
      "hf_requiredCharacteristicTypesForDisplayMetadata2",
      "xoxb-my-bot-token-for-channel-2",
      `${"S"}G.${mixed(22)}`,
    ]) {
      expect(redact(text).text).toBe(text);
    }
  });

  test("is not redacted in the middle of base64", () => {
    expect(redact(`QUJD/${"ci"}o${mixed(32)}/${mixed(40)}+a=`).found).toEqual([]);
    expect(redact(`key ${"ci"}o${mixed(32)} end`).text).toBe("key [REDACTED:crates-token] end");
  });

  test("is not redacted if its prefix is right but its length is wrong", () => {
    for (const text of [
      "ghp_ prefix means classic PAT",
      `${"gh"}p_${mixed(12)}`,
      "xoxb- tokens are bot tokens",
      "hf_hub cache",
    ]) {
      expect(redact(text).text).toBe(text);
    }
  });

  test("is not redacted if it is made of filler", () => {
    for (const text of [`${"gh"}p_${"x".repeat(36)}`, `${"AK"}IAIOSFODNN7EXAMPLE`, `${"AI"}za${"a".repeat(35)}`]) {
      expect(redact(text).text).toBe(text);
    }
  });
});

describe("a secret found by its surroundings", () => {
  const password = `${"Tr0ub"}4dor!x`;
  const token = mixed(28);
  const cases: readonly (readonly [string, string])[] = [
    [`DB_PASSWORD=${password}`, password],
    [`export X="DB_PASSWORD=${password}"`, password],
    [`DB_PASS='pa ss ${"wd 99"}'`, "pa ss"],
    [`DB_PASS='my pass ${"word 99"}'`, "my pass"],
    [`"password": "correct horse ${"7 staple"}",`, "staple"],
    [`{\\"password\\": \\"correct horse ${"7 staple"}\\"}`, "staple"],
    [`ANTHROPIC_API_KEY=${"sk"}-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ`, "api03"],
    [`Password: ${password}`, password],
    [`- **Password:** ${password}`, password],
    [`| password | ${password} |`, password],
    [`{"password":"${password}"}`, password],
    [`{\\"password\\": \\"${password}\\"}`, password],
    [`let password: string = '${password}';`, password],
    [`<password>\n  ${password}\n</password>`, password],
    [`password: |\n  ${password}`, password],
    [`<add key="Password" value="${password}-2x" />`, password],
    [`setPassword("${password}")`, password],
    [`the admin password for staging is ${password}.`, password],
    [`Das Passwort lautet ${password}`, password],
    [`비밀번호는 ${password} 입니다`, password],
    [`パスワードは ${password} です`, password],
    [`密码：${password}`, password],
    [`CREATE USER a WITH PASSWORD '${password}'`, password],
    [`machine h login u password ${password}`, password],
    [`postgres://app:${password}@db.internal:5432/prod`, password],
    [`redis://:${password}@localhost:6379`, password],
    [`Server=x;User ID=y;Password=${password};Encrypt=True`, password],
    [`curl -u admin:${password} https://x`, password],
    [`curl --user 'admin:${password}' https://x`, password],
    [`sshpass -p ${password} ssh x`, password],
    [`mysql -u root -p${password} db`, password],
    [`tool --password ${password} -v`, password],
    [`api_key = ${token}`, token],
    [`**API key**: ${token}`, token],
    [`Secret access key: ${token}`, token],
    [`vendorToken := "${token}"`, token],
    [`System.setProperty("VENDOR_TOKEN", "${token}")`, token],
    [`  "vendorToken" => "${token}"`, token],
    [`Authorization: Bearer ${token}`, token],
    [`'Authorization': 'Api-Token ${token}'`, token],
    [`X-Api-Key: ${token}`, token],
    [`https://x.example.com/?api_key=${token}&b=1`, token],
    [`AccountName=a;AccountKey=${mixed(86)}==;EndpointSuffix=core`, mixed(86)],
    [`the token is ${token}.`, token],
    [`토큰: ${token}`, token],
  ];

  test.each(cases)("is redacted: %s", (text, secret) => {
    const redaction = redact(text);
    expect(redaction.text).not.toContain(secret);
    expect(redaction.found.length).toBeGreaterThan(0);
    expect(redaction.text.split("\n")).toHaveLength(text.split("\n").length);
  });

  test("leaves the text around it unchanged", () => {
    expect(redact(`Server=x;Password=${password};Encrypt=True`).text).toBe(
      "Server=x;Password=[REDACTED:password];Encrypt=True",
    );
    expect(redact(`https://u:${password}@host/p?q=1`).text).toBe("https://u:[REDACTED:password]@host/p?q=1");
    expect(redact(`| API key | ${token} | owner |`).text).toBe("| API key | [REDACTED:token] | owner |");
  });

  test("is reported with its line", () => {
    expect(redact(`a\nb\nDB_PASSWORD=${password}\n`).found).toEqual([{ kind: "password", line: 3 }]);
  });
});

describe("text without secrets", () => {
  const clean: readonly string[] = [
    "password: <your-password>",
    "api_key: ${API_KEY}",
    '"password": "Use at least 8 characters"',
    "password: 'your pass 1'",
    '"password": "Mindestens 8 Zeichen"',
    "pass: '2 passed, 1 failed'",
    "DB_PASS='<pa ss 99>'",
    "password: 'plain words only'",
    "API_KEY=xxxxxxxxxxxxxxxxxxxx",
    'apiKey: "REDACTED"',
    "password = getpass()",
    'secret = os.environ["CLIENT_SECRET"]',
    "const token = await getToken(userId2)",
    "const password = req.body.password1",
    "token: ${{ secrets.GITHUB_TOKEN2 }}",
    'token: "{{ .Values.token1 }}"',
    "https://${user}:${password}@host/x",
    "https://username:password@example.com/api",
    'curl --user "$GITHUB_USER:$GITHUB_PASSWORD" x',
    "Authorization: Bearer <token>",
    "Password must be at least 12 characters",
    "the password is SHA256-hashed with salt",
    "password: see the 1Password vault",
    "비밀번호 정책은 12자 이상",
    "パスワードは12文字以上",
    "the token count is 3000 tokens",
    "access_token_url='https://github.com/login/oauth/access_token'",
    "secretName: my-app-secret-1",
    "secret: arn:aws:secretsmanager:us-east-1:123456789012:secret:prod/db-AbCdEf",
    "Access Key: Ctrl+Shift+F12",
    "csrf-token=" + mixed(40),
    "nextPageToken: " + mixed(20),
    "publicToken = " + mixed(40),
    "fixed in commit " + hex(40),
    "artifact sha256:" + hex(64),
    `"integrity": "sha512-${mixed(86)}=="`,
    "thread_id: 3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "event 01JWS4NJ6XNQR2WXA070CBRFJQ appended",
    `![x](data:image/png;base64,${mixed(120)})`,
    "docker run -u 1000:1000 image",
    "",
  ];

  test.each(clean)("is unchanged: %s", (text) => {
    expect(redact(text)).toEqual({ text, found: [] });
  });
});
