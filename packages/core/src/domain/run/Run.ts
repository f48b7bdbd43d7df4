/**
 * Runs: the inputs, steps, recordings and results of one passage through the pipeline, and the report of a back-test.
 * Reading inputs and applying results belongs to `workflow/pipeline`.
 * Tests: `packages/testkit/src/suite/pipeline`, `packages/core/test/workflow/pipeline`.
 */
import { Schema } from "effect"
import { Time } from "../Field.ts"
import { ContactId, LeadId, MessageId, RunId, SignalId } from "../Id.ts"
import type { Channel } from "../Channel.ts"
import type { Score } from "../lead/Score.ts"
import type { Classification } from "../classification/Classification.ts"
import type { GuardVerdict } from "../guardrail/Guardrail.ts"
import { describeReason, outcomeOf, type Reason } from "../reason/Reason.ts"
import type { StepOutcome } from "../reason/ReasonEntry.ts"
import type { Recordings } from "./Recordings.ts"
import type { RunInputs } from "./RunSubject.ts"

/** The steps of a run in order. */
export const runSteps = ["classify", "score", "route", "reply", "guard", "act"] as const

/** The result of one step of a run with its reason. */
export interface RunStep {
  readonly step: (typeof runSteps)[number]
  readonly outcome: StepOutcome
  readonly reason: Reason
  /** What happened to the reply after the decision. Absent if the reason already states it. */
  readonly afterwards?: Reason
}

/** Returns a step. Its reason determines its outcome. */
export const stepOf = (step: RunStep["step"], reason: Reason): RunStep => ({ step, outcome: outcomeOf(reason), reason })

/** Formats a step as one text: its reason and its effect. */
export const stepText = ({ afterwards, reason }: RunStep): string =>
  afterwards === undefined ? describeReason(reason) : `${describeReason(reason)}; ${describeReason(afterwards)}`

/** An action of a matched rule with its result. */
export class RunAction extends Schema.Opaque<RunAction>()(
  Schema.Struct({
    type: Schema.String.annotate({ description: "The type of the action, for example `tag` or `create_task`" }),
    ruleId: Schema.String.annotate({ description: "The rule that requested the action" }),
    outcome: Schema.Literals(["done", "skipped", "failed"]).annotate({
      description:
        "`skipped`: the action was not carried out. `failed`: it was tried without success. Work that a rule queues, such as a forwarded email, changes the outcome when it ends"
    }),
    reason: Schema.String.annotate({
      description: "The effect of the action, or the reason why it was skipped or failed"
    })
  })
) {}

/** The reply of a run. */
export class RunReply extends Schema.Opaque<RunReply>()(
  Schema.Struct({
    text: Schema.String.annotate({ description: "The text of the reply" }),
    channel: Schema.String.annotate({ description: "The channel on which the reply is sent" }),
    requiresApproval: Schema.Boolean.annotate({
      description:
        "true: the reply waits as a draft until a person approves it. A generated reply does not prove delivery"
    })
  })
) {}

/** A rule that matched in a run. */
export class MatchedRule extends Schema.Opaque<MatchedRule>()(
  Schema.Struct({
    ruleId: Schema.String.annotate({ description: "The id of the rule in the tenant's configuration" }),
    name: Schema.String.annotate({ description: "The name of the rule when the run decided" })
  })
) {}

/** A written reply with its mode and the verdict of the guardrails. If the verdict is `block`, no draft is created. */
export interface WeighedReply extends GuardVerdict {
  readonly text: string
  readonly channel: Channel
  readonly mode: "draft" | "auto"
}

/** All decisions of a run. */
export interface RunResult {
  readonly classification: Classification | null
  readonly score: Score | null
  readonly matchedRules: ReadonlyArray<MatchedRule>
  readonly actions: ReadonlyArray<RunAction>
  /** The written reply, even when it was held or blocked. Null when no reply was written. */
  readonly written: WeighedReply | null
  readonly reply: RunReply | null
  readonly steps: ReadonlyArray<RunStep>
}

/** The identifying fields of a stored run. */
export class RunHead extends Schema.Opaque<RunHead>()(
  Schema.Struct({
    runId: RunId.annotate({ description: "Run id (`run_…`)" }),
    tenantId: Schema.String,
    signalId: SignalId.annotate({ description: "The signal of the message; each message has one run" }),
    messageId: MessageId.annotate({ description: "The message that the run processed" }),
    contactId: ContactId.annotate({ description: "The contact who sent the message" }),
    leadId: Schema.NullOr(LeadId).annotate({ description: "The lead of the message; null: none" }),
    configVersion: Schema.Int.annotate({ description: "The version of the tenant's configuration that the run used" }),
    createdAt: Time.annotate({ description: "The time of the run (ISO 8601 in UTC)" })
  })
) {}

/** A stored run: its result and its inputs. */
export interface Run extends RunHead, RunResult {
  /** Null for a run that was stored before inputs were recorded. Such a run cannot be replayed. */
  readonly inputs: RunInputs | null
  readonly recordings: Recordings
}

/** A filter for runs. A null field does not filter. Runs with the newest messages come first. */
export interface RunQuery {
  readonly contactId: string | null
  readonly leadId: string | null
}
