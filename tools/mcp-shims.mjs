// In the place of what the MCP library has for Node: its validator of JSON Schema is a third of the server and would check only answers to questions that
// a server asks a person, which ours never does.
import process from "node:process";

export { process };

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error("this server asks nothing, so there is no answer to check");
  }
}
