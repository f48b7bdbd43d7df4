import { Schema } from "effect"
import { tiers } from "../lead/Score.ts"
import { weekdays } from "../rule/Fact.ts"

const text = (maxLength: number) => Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maxLength))

/** A time of day, `HH:MM`. */
const TimeOfDay = Schema.String.check(Schema.isPattern(/^(?:[01]\d|2[0-3]):[0-5]\d$/u))

const base = {
  id: text(64),
  /** Absent is true. */
  enabled: Schema.optionalKey(Schema.Boolean)
}

/** What becomes of a reply that the guardrail holds on to; absent is `require_approval`. */
const outcome = { outcome: Schema.optionalKey(Schema.Literals(["require_approval", "block"])) }

/** One limit on the replies that the assistant writes. */
export const Guardrail = Schema.Union([
  /** The reply holds one of these phrases, as whole words, whatever the case. */
  Schema.Struct({
    ...base,
    ...outcome,
    kind: Schema.Literal("blocked_phrases"),
    phrases: Schema.NonEmptyArray(text(200)).check(Schema.isMaxLength(200))
  }),
  /** It is from `from` to before `to` in the tenant's time zone, across midnight where `to` is the earlier one. */
  Schema.Struct({
    ...base,
    ...outcome,
    kind: Schema.Literal("quiet_hours"),
    from: TimeOfDay,
    to: TimeOfDay,
    /** Days on which the window begins; absent is every day. */
    days: Schema.optionalKey(Schema.NonEmptyArray(Schema.Literals(weekdays)).check(Schema.isMaxLength(weekdays.length)))
  }),
  /** The assistant wrote to the contact that often in the last 24 hours. */
  Schema.Struct({
    ...base,
    ...outcome,
    kind: Schema.Literal("max_replies_per_contact_per_day"),
    max: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))
  }),
  /** The classification is less certain than this, or there is none. */
  Schema.Struct({
    ...base,
    ...outcome,
    kind: Schema.Literal("min_confidence"),
    min: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
  }),
  /** The lead's tier is one of these. */
  Schema.Struct({
    ...base,
    kind: Schema.Literal("require_approval_for_tiers"),
    tiers: Schema.NonEmptyArray(Schema.Literals(tiers)).check(Schema.isMaxLength(tiers.length))
  }),
  /** The message is about one of these, as classified. */
  Schema.Struct({
    ...base,
    ...outcome,
    kind: Schema.Literal("blocked_intents"),
    intents: Schema.NonEmptyArray(text(64)).check(Schema.isMaxLength(100))
  }),
  /** The reply holds a web address. */
  Schema.Struct({ ...base, ...outcome, kind: Schema.Literal("no_links") }),
  /** The reply names an amount of money. */
  Schema.Struct({ ...base, ...outcome, kind: Schema.Literal("no_prices") })
]).annotate({ identifier: "Guardrail" })
export type Guardrail = typeof Guardrail.Type

/** Every kind of guardrail. */
export type GuardrailKind = Guardrail["kind"]

/** Guardrails of one tenant. */
export const maxGuardrails = 100

/** What guardrails say of a reply, mildest first. `block`: it is not even a draft. */
export const guardOutcomes = ["allow", "require_approval", "block"] as const
export type GuardOutcome = (typeof guardOutcomes)[number]

/** What one guardrail says of a reply, and why. */
export interface GuardEvaluation {
  readonly guardrailId: string
  readonly kind: GuardrailKind
  readonly outcome: GuardOutcome
  readonly reason: string
}

/** What all of them say together: the strictest. One evaluation for every guardrail that is switched on. */
export interface GuardVerdict {
  readonly outcome: GuardOutcome
  readonly evaluations: ReadonlyArray<GuardEvaluation>
}
