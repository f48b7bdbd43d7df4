/**
 * Limits on written replies: their definition, their checks and the recorded results. Sending, holding or blocking a
 * reply belongs to `workflow/reply` and `workflow/draft`.
 * Tests: `packages/core/test/domain/guardrail`, `packages/core/test/domain/budget`.
 */
import { Schema } from "effect"
import { TimeOfDay } from "../time/TimeOfDay.ts"
import { tiers } from "../lead/Score.ts"
import type { Cause } from "../reason/Reason.ts"
import { weekdays } from "../rule/Fact.ts"

const text = (maxLength: number) => Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maxLength))

const base = {
  id: text(64).annotate({ description: "A name that is unique within the tenant; at most 64 characters" }),
  /** The default is true. */
  enabled: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Whether the guardrail is evaluated. Default: true"
  })
}

/** The outcome when the guardrail does not allow a reply. The default is `require_approval`. */
const outcome = {
  outcome: Schema.optionalKey(Schema.Literals(["require_approval", "block"])).annotate({
    description:
      "The outcome when the guardrail does not allow a reply. `block`: not even a draft is stored. Default: require_approval"
  })
}

/** A limit on replies that the assistant writes. */
export const Guardrail = Schema.Union([
  /** Holds a reply that contains one of these phrases. A phrase matches whole words in upper or lower case. */
  Schema.Struct({
    ...base,
    ...outcome,
    kind: Schema.Literal("blocked_phrases").annotate({ description: "Holds a reply that contains one of the phrases" }),
    phrases: Schema.NonEmptyArray(text(200))
      .check(Schema.isMaxLength(200))
      .annotate({ description: "1 to 200 phrases. A phrase matches whole words in upper or lower case" })
  }),
  /**
   * Holds replies in a time window, in the tenant's time zone. `to` is exclusive. The window crosses midnight when `to`
   * is earlier than `from`.
   */
  Schema.Struct({
    ...base,
    ...outcome,
    kind: Schema.Literal("quiet_hours").annotate({
      description: "Holds replies in a time window, in the tenant's time zone"
    }),
    from: TimeOfDay.annotate({ description: "The start of the window, `HH:MM`" }),
    to: TimeOfDay.annotate({
      description:
        "The end of the window, `HH:MM`, exclusive. The window crosses midnight when `to` is earlier than `from`"
    }),
    /** The days on which the window starts. The default is every day. */
    days: Schema.optionalKey(
      Schema.NonEmptyArray(Schema.Literals(weekdays)).check(Schema.isMaxLength(weekdays.length))
    ).annotate({ description: "The days on which the window starts. Default: every day" })
  }),
  /** Holds a reply when the assistant has already sent this number of replies to the contact in the last 24 hours. */
  Schema.Struct({
    ...base,
    ...outcome,
    kind: Schema.Literal("max_replies_per_contact_per_day").annotate({
      description: "Holds a reply when the assistant has already sent `max` replies to the contact in the last 24 hours"
    }),
    max: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })).annotate({
      description: "The permitted replies in 24 hours, 0 to 100"
    })
  }),
  /** Holds a reply when the classification is missing or its confidence is lower. */
  Schema.Struct({
    ...base,
    ...outcome,
    kind: Schema.Literal("min_confidence").annotate({
      description: "Holds a reply when the classification is missing or its confidence is below `min`"
    }),
    min: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })).annotate({
      description: "The lowest sufficient confidence, 0 to 1"
    })
  }),
  /** Holds a reply when the lead has one of these tiers. */
  Schema.Struct({
    ...base,
    kind: Schema.Literal("require_approval_for_tiers").annotate({
      description: "Holds a reply when the lead has one of the tiers. The outcome is always `require_approval`"
    }),
    tiers: Schema.NonEmptyArray(Schema.Literals(tiers))
      .check(Schema.isMaxLength(tiers.length))
      .annotate({ description: "The tiers whose replies need approval" })
  }),
  /** Holds a reply when the message has one of these intents. */
  Schema.Struct({
    ...base,
    ...outcome,
    kind: Schema.Literal("blocked_intents").annotate({
      description: "Holds a reply when the message has one of the intents"
    }),
    intents: Schema.NonEmptyArray(text(64))
      .check(Schema.isMaxLength(100))
      .annotate({ description: "1 to 100 intents, in lower case" })
  }),
  /** Holds a reply that contains a web address. */
  Schema.Struct({
    ...base,
    ...outcome,
    kind: Schema.Literal("no_links").annotate({ description: "Holds a reply that contains a web address" })
  }),
  /** Holds a reply that contains an amount of money. */
  Schema.Struct({
    ...base,
    ...outcome,
    kind: Schema.Literal("no_prices").annotate({ description: "Holds a reply that contains an amount of money" })
  })
]).annotate({
  identifier: "Guardrail",
  description: "A limit on replies that the pipeline writes. `kind` selects its fields"
})
export type Guardrail = typeof Guardrail.Type

export const GuardrailKind = Schema.Union(Guardrail.members.map(({ fields }) => fields.kind))
export type GuardrailKind = typeof GuardrailKind.Type

/** The maximum number of guardrails of one tenant. */
export const maxGuardrails = 100

/** The outcomes of a check, mildest first. With `block`, the reply is not even stored as a draft. */
export const guardOutcomes = ["allow", "require_approval", "block"] as const
export type GuardOutcome = (typeof guardOutcomes)[number]

/** The outcome of one guardrail and its reason. */
export interface GuardEvaluation {
  readonly guardrailId: string
  readonly kind: GuardrailKind
  readonly outcome: GuardOutcome
  readonly reason: Cause
}

/** The strictest outcome and the evaluations of all enabled guardrails. */
export interface GuardVerdict {
  readonly outcome: GuardOutcome
  readonly evaluations: ReadonlyArray<GuardEvaluation>
}
