export {
  redact,
  type Redaction,
  type RedactState,
  redactWindow,
  ruleSetId,
  type SecretFound,
  startRedaction,
} from "./redact.ts";
export { withoutMarks } from "./span.ts";
