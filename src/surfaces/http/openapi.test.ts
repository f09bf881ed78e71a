import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { routesOf } from "./app.ts";
import { describeApi } from "./openapi.ts";
import { servedOperations } from "./operations.ts";

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

const document = describeApi("1.2.3") as unknown as Described & Record<string, unknown>;

describe("the description of the API", () => {
  test("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toMatchObject({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  test("has every route with its methods, except MCP", () => {
    const described = Object.entries(document.paths).map(([path, item]) => [path, Object.keys(item).toSorted()]);
    const routes = [...routesOf(new Map())].filter(([path]) => path !== "/mcp");
    const expected = routes.map(([path, { methods }]) => {
      return [
        path,
        methods
          .filter((method) => method !== "HEAD")
          .map((method) => method.toLowerCase())
          .toSorted(),
      ];
    });
    expect(described.toSorted()).toEqual(expected.toSorted());
  });

  test("names each operation once", () => {
    const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map((one) => one.operationId));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain("compactionAutoSchedule");
  });

  test("describes every field that can be sent, and no file to write", () => {
    for (const { name, fields } of servedOperations) {
      const post = document.paths[`/v1/${name}`]?.["post"] as unknown as {
        readonly requestBody: {
          readonly content: {
            readonly "application/json": {
              readonly schema: { readonly properties: object; readonly required: unknown };
            };
          };
        };
      };
      const { schema } = post.requestBody.content["application/json"];
      const readable = fields.filter(({ kind }) => kind.kind !== "output");
      expect(Object.keys(schema.properties)).toEqual(readable.map((field) => field.name));
      expect(schema.required).toEqual(
        readable.filter(({ presence }) => presence === "required").map((field) => field.name),
      );
    }
  });
});
