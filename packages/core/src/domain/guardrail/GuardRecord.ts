import { Schema } from "effect"
import { ContactId, idOf, MessageId, SignalId } from "../Id.ts"
import { type GuardEvaluation, guardOutcomes, GuardrailKind } from "./Guardrail.ts"
import { Time } from "../Field.ts"

/** The stage of a check: a reply that was just written, or a draft that a person approves. */
export const guardStages = ["reply", "approval"] as const
export type GuardStage = (typeof guardStages)[number]

/** The stored result of one guardrail for one reply. Evaluation ids sort by the time of the check. */
export class GuardRecord extends Schema.Opaque<GuardRecord>()(
  Schema.Struct({
    guardrailId: Schema.String.annotate({ description: "The id of the guardrail in the tenant's configuration" }),
    kind: GuardrailKind,
    outcome: Schema.Literals(guardOutcomes).annotate({
      description: "The result: the reply may go out, needs approval, or is blocked"
    }),
    /** The reason as text. */
    reason: Schema.String.annotate({ description: "Why the guardrail decided so, as text for people" }),
    evaluationId: idOf("gev").annotate({ description: "Id of the evaluation (`gev_…`)" }),
    tenantId: Schema.String,
    stage: Schema.Literals(guardStages).annotate({
      description: "reply: the generated text; approval: the text that a person sends"
    }),
    /** The signal of the message that the reply answers. */
    signalId: SignalId.annotate({ description: "The signal of the message that the reply answers" }),
    messageId: MessageId.annotate({ description: "The message that the reply answers" }),
    contactId: ContactId.annotate({ description: "The contact who would receive the reply" }),
    createdAt: Time.annotate({ description: "The time of the evaluation (ISO 8601 in UTC)" })
  })
) {}

/** Returns the UTC day (`YYYY-MM-DD`) to whose count a check at this time (epoch milliseconds) belongs. */
export const guardDay = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** How often a guardrail had an outcome in a period. */
export interface GuardCount extends Pick<GuardEvaluation, "guardrailId" | "kind" | "outcome"> {
  readonly count: number
}
