import { describe, expect, test } from "vitest";
import { parseArguments } from "./main.ts";

const token = "t".repeat(43);

describe("the arguments of heartwood serve", () => {
  test("have defaults, and a new token at each start", () => {
    const [one, two] = [parseArguments(["serve"], undefined), parseArguments(["serve"], undefined)];
    expect(one).toMatchObject({ host: "127.0.0.1", where: {}, trust: "recorded", wants: "nothing" });
    expect([one.ports[0], one.ports.at(-1), one.ports.length]).toEqual([4319, 4339, 21]);
    expect(one.token).toMatch(/^[A-Za-z0-9_-]{43}$/u);
    expect(one.token).not.toBe(two.token);
  });

  test("set the port, the folder, the day, trust and the browser", () => {
    const words = ["serve", "--port", "0", "--dir", "/p", "--today=2026-03-24", "--trust", "--open"];
    expect(parseArguments(words, token)).toEqual({
      where: { dir: "/p", today: "2026-03-24" },
      host: "127.0.0.1",
      ports: [0],
      token,
      trust: "given",
      wants: "browser",
    });
  });

  test.each(["0.0.0.0", "192.168.1.5", "box.local", "::", "2001:db8::1", "127.evil.example"])(
    "the host %s needs a token of the user's own",
    (host) => {
      expect(() => parseArguments(["serve", "--host", host], undefined)).toThrow(/set HEARTWOOD_TOKEN/u);
      expect(parseArguments(["serve", "--host", host], token).host).toBe(host);
    },
  );

  test.each(["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"])("the host %s does not", (host) => {
    expect(parseArguments(["serve", "--host", host], undefined).host).toBe(host);
  });

  test.each([
    [["serve", "--port", "65536"], undefined, /--port is "65536"; it must be a whole number from 0 to 65535/u],
    [["serve", "--port", "x"], undefined, /--port is "x"/u],
    [["serve", "--host", "a b"], token, /--host is "a b"; it must be a host name or an IP address/u],
    [["serve", "--host", "127.0.0.1:80"], token, /without a port/u],
    [["serve", "--colour"], undefined, /Unknown option '--colour'.*; see `heartwood serve --help`/u],
    [["serve"], "short", /HEARTWOOD_TOKEN is not a token; it must have 43 to 256 characters/u],
    [["serve"], `${token} `, /HEARTWOOD_TOKEN is not a token/u],
    [["serve"], "", /HEARTWOOD_TOKEN is not a token/u],
  ])("are refused with a clear message: %j", (words, given, sentence) => {
    expect(() => parseArguments(words, given)).toThrow(sentence);
  });

  test("a refused token is not repeated", () => {
    expect(() => parseArguments(["serve"], "s3cr3t-value")).toThrow(/^(?!.*s3cr3t)/u);
  });
});
