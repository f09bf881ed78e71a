// Replaces the MCP library's Node shims. Their JSON Schema validator makes up a third of the server, and would only validate elicitation results, which the
// server never requests.
import process from "node:process";

export { process };

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error("this server requests no elicitation, so there is nothing to validate");
  }
}
