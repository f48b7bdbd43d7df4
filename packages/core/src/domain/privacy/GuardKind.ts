import { type Kind, ofContact, travels } from "./Kind.ts"

/** What guardrails said of replies to a contact. */
export const guardEvaluations: Kind = {
  ...travels,
  name: "guard_evaluations",
  key: ["evaluation_id"],
  belongs: ofContact,
  same: ["created_at", "guardrail_id", "outcome"],
  columns: {
    evaluation_id: "text",
    stage: "text",
    signal_id: "text",
    message_id: "text",
    contact_id: "text",
    created_at: "time",
    guardrail_id: "text",
    kind: "text",
    outcome: "text",
    reason: "text"
  }
}
