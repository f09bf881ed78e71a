import { describe, expect, test } from "vitest";
import { redact, redactWindow } from "./redact.ts";

// The secrets below are assembled from parts, so that scanners do not report this file as a leak.
const password = `${"Wm7x"}Qp2#kV9t`;
const random = (length: number): string => "k7Rq2ZtV9xLw4BnM8cYd5HsJ3fGpT6Ue".repeat(9).slice(0, length);
const hex = (length: number): string => "9f3c1b7e5a2d8046".repeat(10).slice(0, length);
const awsSecret = `${random(20)}/${random(18)}+`;

/** Templates; § stands for the secret. */
const surroundings: Readonly<Record<string, readonly [secret: string, templates: readonly string[]]>> = {
  "after a name and a line break": [
    password,
    [
      "DB_PASSWORD=`\n§",
      "`DB_PASSWORD=`\n`§`",
      "`DB_PASSWORD=`\n```\n§\n```",
      "- `DB_PASSWORD=`\n  ```sh\n  §\n  ```",
      "- DB_PASSWORD=\n  §",
      'DB_PASSWORD="\n§"',
      "**Password:**\n§",
      "Password:\n\n```\n§\n```",
      "    12\tDB_PASSWORD=\n    13\t§",
      "db-1  | POSTGRES_PASSWORD=\ndb-1  | §",
      "10:00:01 INFO generated password:\n10:00:02 INFO §",
      '{"content":"DB_PASSWORD=\\n§\\ndone"}',
    ],
  ],
  "in .pgpass": [
    password,
    [
      "localhost:5432:*:postgres:§",
      "*:*:*:admin:§",
      "db:5432:app:app:§",
      ".pgpass:3:db-7.internal:6432:orders:svc_orders:§",
      'echo "db:5432:app:app:§" >> ~/.pgpass',
    ],
  ],
  "in commands": [
    password,
    [
      "docker login -u ci -p § registry.example.net",
      "docker login -p '§' -u ci",
      "podman login quay.io -u ci -p=§",
      "docker login --username=ci --password=§",
      "redis-cli -a §",
      'redis-cli -h 10.0.0.3 -p 6380 -a "§" KEYS',
      "set -x DB_PASSWORD §",
      "set -gx DB_PASSWORD '§'",
      "set --export DB_PASSWORD §",
      "setenv DB_PASSWORD §",
      "curl --user ann:'§' https://x.test",
      'curl -u ann:"§" https://x.test',
      '{"cmd":"curl -u ann:\\"§\\" https://x.test"}',
    ],
  ],
  "in a session cookie": [
    hex(32),
    [
      "Cookie: session=§",
      "Set-Cookie: sid=§; HttpOnly",
      "< set-cookie: connect.sid=s%3A§.x; Path=/",
      "PHPSESSID=§",
      "Cookie: JSESSIONID=§.node1",
      "sessionid=§",
      `cookies = {"sessionid": "§"}`,
      "-H 'cookie: _ga=GA1.2.3; session_id=§; x=1'",
    ],
  ],
  "after the name of an AWS secret": [
    awsSecret,
    [
      "aws configure set aws_secret_access_key § --profile dev",
      "AWS_SECRET_ACCESS_KEY §",
      "AWS Secret Access Key [None]: §",
      "our AWS secret is §, keep it",
      "the secret access key (§)",
      "aws_secret_access_key -> §",
      `${"AK"}IA${"QZ7WERTYU3OPLKJH"},§`,
    ],
  ],
  "in an address": [
    random(68),
    [
      "https://discord.com/api/webhooks/1098765432109876543/§",
      "<https://ptb.discordapp.com/api/v10/webhooks/1098765432109876543/§?wait=true>",
      "https://a.blob.core.windows.net/c?sv=2023-01-03&sp=r&sig=§&se=2026",
    ],
  ],
};

const spoken: Readonly<Record<string, readonly string[]>> = {
  English: [
    "the admin password is §",
    "password for the admin account is §.",
    "The root password on db-2 has been changed to §",
    "I set the password to §",
    "The root password was set to §",
    "the password was changed to § yesterday",
    "password changed to §",
    "log in as admin with the password §",
    "password (staging): §",
    "A temporary password is generated for root@localhost: §",
  ],
  German: [
    "das Admin-Passwort lautet §",
    "Das Passwort für den Admin-Zugang ist §.",
    "das neue Passwort vom Server: §",
    "Passwort wurde auf § geändert",
    "Das Admin-Kennwort ist jetzt §",
  ],
  Spanish: [
    "la contraseña es §",
    "La contraseña del administrador es §.",
    "contraseña: §",
    "la clave del servidor es §",
    "usa la contraseña §",
    "contraseña nueva: «§»",
  ],
  French: [
    "le mot de passe est §",
    "le mot de passe de l'administrateur est §",
    "mot de passe : §",
    "le mdp est §",
    "le mot de passe pour l'admin est « § »",
  ],
  Portuguese: ["a senha é §", "A senha do administrador é §.", "senha: §", "a palavra-passe é §", "a senha agora é §"],
  Russian: ["пароль — §", "пароль: §", "пароль от админки: §", "Пароль для сервера — §.", "пароль администратора §"],
};

function expectGone(template: string, secret: string): void {
  const text = template.replace("§", () => secret);
  const { text: out, found } = redact(text);
  expect(out).not.toContain(secret.slice(1, 9));
  expect(out).not.toContain(secret.slice(-8));
  expect(found.length).toBeGreaterThan(0);
  expect(redact(out)).toEqual({ text: out, found: [] });
}

describe("a secret", () => {
  test.each(Object.entries(surroundings))("%s is redacted", (_, [secret, templates]) => {
    for (const template of templates) expectGone(template, secret);
  });

  test.each(Object.entries(spoken))("announced by %s is redacted", (_, templates) => {
    for (const template of templates) expectGone(template, password);
  });

  test("with color sequences is redacted, and the sequences stay", () => {
    const token = `${"gh"}p_${random(36)}`;
    expect(redact(`\u001b[32m${token}\u001b[0m`).text).toBe("\u001b[32m[REDACTED:github-token]\u001b[0m");
    expect(redact(`{"out":"\\u001b[1m${token}\\u001b[m"}`).text).toBe(
      '{"out":"\\u001b[1m[REDACTED:github-token]\\u001b[m"}',
    );
    expectGone("\u001b[33mpassword\u001b[0m=\u001b[1m§\u001b[0m", password);
  });
});

describe("the second half of a broken token", () => {
  const [first, second] = [`${"gh"}p_${random(26)}`, "Xw5nK8qLz3Rf"];
  const seams: readonly (readonly [before: string, between: string, after: string])[] = [
    ["token ", "\n", ""],
    ["  - token: ", "\n    ", " is for ci"],
    ["> ", "\n> ", ""],
    ["     7\tTOKEN=", "\n     8\t", ""],
    ["web-1  | ", "\nweb-1  | ", ""],
    ["export TOKEN=", "\\\n", ""],
    ['t = "', '" + "', '";'],
    ["t = '", "' +\n    '", "';"],
    ['t = "', '"\n    + "', '";'],
    ['t = ("', '"\n     "', '")'],
    ['$t = "', '" . "', '";'],
    ["| token | ", " |\n|       | ", " |"],
    ["| gh | ", " | ann |\n|  | ", " |  |"],
    ['{"c":"t = \\"', '\\" + \\"', '\\""}'],
    ["", "=\n", ""],
  ];

  test.each(seams)("is redacted too: %j … %j", (before, between, after) => {
    const { text } = redact(before + first + between + second + after);
    expect(text).not.toContain(first.slice(4, 12));
    expect(text).not.toContain(second.slice(0, 8));
    expect(text.startsWith(before) && text.endsWith(after)).toBe(true);
    expect(redact(text).found).toEqual([]);
  });

  test("is redacted at the start of the next window", () => {
    const { last } = redactWindow([`token ${first}`], []);
    expect(redactWindow([`${second} and on`], last).lines).toEqual(["[REDACTED:github-token] and on"]);
  });

  test("is not just any text that comes next", () => {
    for (const next of [
      "for staging",
      "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
      hex(40),
      "2026-03-10",
      "web-frontend-7d9f8b",
      "AWS_REGION2",
      `sha256:${hex(64)}`,
      "README.md",
    ]) {
      expect(redact(`token ${first}\n${next}\n`).text).toBe(`token [REDACTED:github-token]\n${next}\n`);
    }
    expect(redact(`| ${first} | ann |\n| ${second} | bob |`).text).toContain(second);
    expect(redact(`curl -H "Authorization: Bearer ${first}" "https://x.test/${hex(8)}"`).text).toContain("x.test");
  });

  test("is not text after a closing quote, a shorter secret or a period", () => {
    const kept: readonly string[] = [
      "- token: `§`\n- rotate it",
      'the key is "§"\n"second-entry"\n"third-entry"',
      'export A="§"\nexport B="hello"',
      'docker run -e A="§" \\\n  -e B=1',
      "1. '§'\n2. restart nginx",
      '> said "§".\n> "Hello" and on',
      "token §\\\n  rotate it",
      `token §.\n${second}`,
      `- §\n- ${second}`,
      `| §\n| 2 | ${second}`,
      `| § |\n| ${second} |`,
      "token §\nIPv6Address",
      "token §\nMYSQL_HOST=mysql8.0",
    ];
    for (const text of kept) {
      expect(redact(text.replace("§", first)).text).toBe(text.replace("§", "[REDACTED:github-token]"));
    }
    for (const [text, out] of [
      ["- password: checkout-v2\n- MYSQL_HOST=mysql8.0", "- password: [REDACTED:password]\n- MYSQL_HOST=mysql8.0"],
      [`- the password is "${password}"\n- restart nginx`, '- the password is "[REDACTED:password]"\n- restart nginx'],
    ] as const)
      expect(redact(text).text).toBe(out);
  });
});
