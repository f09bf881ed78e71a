import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorTime } from "../../../test/fixtures/processor-time.ts";
import { mayAnnounce } from "./passwords.ts";
import { redact, redactWindow } from "./redact.ts";
import { lawRuns } from "../../../test/fixtures/law-runs.ts";

// The secrets below are assembled from parts, so that scanners do not report this file as a leak.
const mixed = (length: number): string => "k7Rq2ZtV9xLw4BnM8cYd5HsJ3fGpT6Ue".repeat(9).slice(0, length);
const begin = (name = "RSA "): string => `-----${"BEGIN"} ${name}PRIVATE KEY-----`;
const end = (name = "RSA "): string => `-----${"END"} ${name}PRIVATE KEY-----`;
const bodyLine = mixed(64);
const tokens: readonly string[] = [
  `${"gh"}p_${mixed(36)}`,
  `${"gl"}pat-${mixed(20)}`,
  `${"AI"}za${mixed(35)}`,
  `aB1${"8Q"}~${mixed(34)}`,
  `${"ey"}J${mixed(30)}.${"ey"}J${mixed(40)}.${mixed(43)}`,
  `8301726495:A${mixed(34)}`,
  `${"np"}m_${mixed(36)}`,
  `${"sk"}-ant-api03-${mixed(40)}`,
  `${"S"}G.${mixed(22)}.${mixed(12)}`,
];

describe("laws", () => {
  const password = `${"Tr0ub"}4dor!x`;
  const scraps = fc.oneof(
    fc.constantFrom(...tokens),
    fc.constantFrom(begin(), end(), bodyLine, `${mixed(10)}==`, "Proc-Type: 4,ENCRYPTED", "# heading", "", "\r"),
    fc.constantFrom(
      `DB_PASSWORD=${password}`,
      "DB_PASS='pa ss wd 99'",
      `<password>`,
      password,
      "password: |",
      "the password is",
      "secret",
      "token",
    ),
    fc.constantFrom(
      " ",
      " ",
      "\n",
      "\n",
      "=",
      ": ",
      '"',
      "'",
      "`",
      "\\n",
      "-",
      "/",
      ".",
      "://",
      "@",
      "> ",
      "| ",
      "비밀번호는 ",
    ),
    fc.constantFrom("\u001b[32m", "\u001b[0m", "     7\t", "web-1  | ", "12:", "`DB_PASSWORD=`", "PGPASSWORD=", "```"),
    fc.constantFrom(
      " + ",
      '" + "',
      "\\\n",
      "| ",
      " |\n",
      "пароль — ",
      "la contraseña es ",
      "Cookie: session=",
      ":5432:a:b:",
    ),
    fc.constantFrom(
      "Xw5nK8qLz3Rf",
      "3f9c1b7e5a2d8046",
      "docker login -p ",
      "set -gx A_TOKEN ",
      "&sv=1&sig=",
      btoa(begin()),
    ),
    fc.string({ maxLength: 12 }),
  );
  const text = fc.array(scraps, { maxLength: 24 }).map((parts) => parts.join(""));
  const runs = { numRuns: lawRuns(400) };

  test("a second redaction changes and finds nothing", () => {
    fc.assert(
      fc.property(text, (given) => {
        const once = redact(given).text;
        expect(redact(once)).toEqual({ text: once, found: [] });
      }),
      runs,
    );
  });

  test("a value is redacted only after a text that can announce it", () => {
    const values = [password, "letmein!", "Xw5nK8qLz3Rf", "3f9c1b7e5a2d8046", "12345678", mixed(40)];
    const joints = [": ", " ", " is ", "=", " — ", ': "'];
    const check = (said: string, joint: string, value: string): void => {
      const text = `${said}${joint}${value}`;
      if (!redact(text).text.includes(value)) expect(mayAnnounce(text), text).toBe(true);
    };
    const announcers =
      "the password,mot de passe,clave,mdp,senha,пароль,API key,Schlüssel,token,secret,bearer,PHPSESSID=,connect.sid=,laravel_session=,Cookie: session=,sid,login,docker login -p,mysql -p,redis-cli -a,set -gx A_TOKEN,<add key=,value=,密码,비밀번호는,トークン,AKIA1234567890ABCDEF,aws,auth,Session,is,for,the shop,wifi,:,->,—,=".split(
        ",",
      );
    for (const said of announcers) for (const joint of joints) for (const value of values) check(said, joint, value);
    const before = fc.array(fc.constantFrom(...announcers), { maxLength: 5 }).map((words) => words.join(" "));
    fc.assert(fc.property(before, fc.constantFrom(...joints), fc.constantFrom(...values), check), {
      numRuns: lawRuns(20_000),
    });
  });

  test("lines are never added or removed", () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(redact(given).text.split("\n")).toHaveLength(given.split("\n").length);
      }),
      runs,
    );
  });

  test("the text is unchanged exactly if nothing is found", () => {
    fc.assert(
      fc.property(text, (given) => {
        const { text: out, found } = redact(given);
        expect(out === given).toBe(found.length === 0);
      }),
      runs,
    );
  });

  test("windows give the same result as the whole text, except for the opening line of a key", () => {
    fc.assert(
      fc.property(text, fc.array(fc.boolean(), { maxLength: 24 }), (given, cuts) => {
        const whole = redact(given).text.split("\n");
        const inWindows = redactInWindows(given, cuts).split("\n");
        given.split("\n").forEach((line, i) => {
          if (!line.includes(begin())) expect(inWindows[i]).toBe(whole[i]);
        });
      }),
      runs,
    );
  });

  test("a key split into windows anywhere is fully redacted", () => {
    const given = ["a", begin(), "Proc-Type: 4,ENCRYPTED", "", bodyLine, bodyLine, mixed(8), end(), "b"].join("\n");
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 9 }), (cuts) => {
        expect(redactInWindows(given, cuts)).toBe(redact(given).text);
      }),
    );
  });
});

function redactInWindows(text: string, cuts: readonly boolean[]): string {
  const lines = text.split("\n");
  let last: readonly string[] = [];
  let window: string[] = [];
  const out: string[] = [];
  lines.forEach((line, i) => {
    window.push(line);
    if (cuts[i] !== true && i < lines.length - 1) return;
    const redacted = redactWindow(window, last);
    out.push(...redacted.lines);
    last = redacted.last;
    window = [];
  });
  return out.join("\n");
}

describe("hostile input of a megabyte takes less than a second", () => {
  const seeds = [
    "a",
    "=",
    "-----BEGIN",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n",
    "://",
    "://a:",
    '"',
    "\\",
  ]
    .concat([
      "password=",
      "password: ",
      "tokentoken=",
      "t0ken9a_token= ",
      "=eyAAAAAAAAAAAAAAAAAA",
      "/ghp_",
      "-u ",
      "--token ",
    ])
    .concat(["비밀번호 ", "password is ", "<password>\n", "|", 'password("', "key key=", "1:A"])
    .concat([
      "SG.",
      "SG.a1B2c3D4e5F6g7H8.",
      "sk-ant-",
      "sk-proj-aB3 ",
      "+AIza",
      "/sk-T3BlbkFJ",
      "password='a 1 ",
      "sk-proj-aa-1_",
      "/sk-ant-a-",
      "ghp_a1 ",
    ])
    .concat([
      "\u001b[0m",
      "password=\n",
      "password=`\n```\n",
      "пароль от ",
      "password for the ",
      ":5432:a:b:",
      "cookie session=",
    ])
    .concat(["ghp_a1B2c3D4e5F6g7H8i9\n", "| ghp_a1B2c3D4e5F6g7H8i9 |\n", '"ghp_a1B2c3D4e5F6g7H8i9" + '])
    .concat([
      " -p docker login",
      "_token a",
      "set -gx A_TOKEN ",
      "&sv=1&sig=",
      "LS0tLS1CRUdJTi",
      "a: -----BEGIN PRIVATE KEY-----\n",
    ]);

  test.each(seeds)("%j over and over", (seed) => {
    const text = seed.repeat(Math.ceil(lawRuns(1_000_000) / seed.length));
    expect(processorTime(1_000, () => redact(text))).toBeLessThan(1_000);
  });
});
