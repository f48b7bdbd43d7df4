import { Schema } from "effect"
import { FieldValues } from "../field/FieldValues.ts"
import { SalesPipelineId, StageId } from "../Id.ts"
import { settings } from "../Settings.ts"
import { TaggedError } from "../TaggedError.ts"
import { isDate } from "../time/WallClock.ts"
import type { LeadState } from "./LeadState.ts"

/** The limit of a value in minor units. It keeps sums of many leads exact. */
const maxLeadValue = 999_999_999_999
/** The limit of tags per lead. */
export const maxLeadTags = 50
/** The limit of characters of a loss reason. */
const maxLossReasonLength = 200

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"))

/** An ISO 4217 code in capitals. */
export const Currency = Schema.String.check(
  Schema.makeFilter((code) => currencies.has(code), { message: "Expected an ISO 4217 code such as USD" }),
  Schema.isPattern(/^[A-Z]{3}$/u)
)
/** A date of the calendar without a time. */
export const CalendarDate = Schema.String.check(
  Schema.makeFilter((text) => isDate(text), { message: "Expected a date as YYYY-MM-DD" }),
  Schema.isPattern(/^\d{4}-\d\d-\d\d$/u)
)
export const LeadValue = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxLeadValue }))
/** A tag as `normalizeTag` stores it. */
const Tag = Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(64))
const LossReason = Schema.String.check(Schema.isTrimmed(), Schema.isNonEmpty(), Schema.isMaxLength(maxLossReasonLength))

/** The fields of a lead that describe it as a deal. */
export const dealFields = {
  pipelineId: SalesPipelineId.annotate({
    description: "The pipeline of the lead (`pip_…`)",
    whenAbsent: "pip_default"
  }),
  /** Null until a person chooses a stage, and after each change of the state that names no stage. */
  stageId: Schema.NullOr(StageId).annotate({
    description:
      "The stage of the lead (`stg_…`). A change of the state moves the lead to the first stage of that state"
  }),
  value: Schema.NullOr(LeadValue).annotate({
    description: "The expected value in the smallest unit of the currency, for example cents; null: unknown"
  }),
  currency: Schema.NullOr(Currency).annotate({
    description: "The ISO 4217 currency of the value; null without a value"
  }),
  expectedCloseOn: Schema.NullOr(CalendarDate).annotate({
    description: "The date on which a decision is expected (YYYY-MM-DD); null: unknown"
  }),
  tags: Schema.Array(Tag).check(Schema.isMaxLength(maxLeadTags)).annotate({
    description: "Labels of the lead; at most 50 with at most 64 characters each",
    whenAbsent: []
  }),
  lossReason: Schema.NullOr(LossReason).annotate({
    description: "The reason why the lead was lost; at most 200 characters; null: not stated, or not lost"
  }),
  customFields: FieldValues.annotate({
    description: "The values of the tenant's custom fields of leads, by key",
    whenAbsent: {}
  })
}

/** The values of the deal fields of a new lead. */
export const noDeal = {
  pipelineId: "pip_default",
  stageId: null,
  value: null,
  currency: null,
  expectedCloseOn: null,
  tags: [],
  lossReason: null,
  customFields: {}
} as const

/** The settings of a tenant for its leads as deals. */
export class DealSettings extends Schema.Opaque<DealSettings>()(
  Schema.Struct({
    lossReasons: Schema.Array(LossReason).check(Schema.isMaxLength(50)).annotate({
      description: "The permitted loss reasons; at most 50; empty: any text"
    }),
    requireLossReason: Schema.Boolean.annotate({
      description: "Whether a lost lead needs a loss reason. A rule then cannot move a lead to `lost`"
    }),
    engageOnAnswer: Schema.Boolean.annotate({
      description: "Whether an open lead becomes `engaged` when a person of the tenant writes to the contact"
    })
  })
) {}

/** The default settings for deals. */
export const defaultDealSettings: DealSettings = { lossReasons: [], requireLossReason: false, engageOnAnswer: false }

/** The JSON of the settings for deals. */
export const dealSettingsJson = settings(DealSettings, "DealSettings", {
  description: "The settings for leads as deals",
  defaults: defaultDealSettings
})

/** The loss reason is missing or not permitted. */
export class LossReasonInvalid extends TaggedError("LossReasonInvalid")<{ readonly reason: string }> {}

/** Checks the loss reason of a lead in a state. Returns the error, or null if the reason is valid. */
export const checkLossReason = (
  { lossReasons, requireLossReason }: DealSettings,
  state: LeadState,
  lossReason: string | null
): LossReasonInvalid | null => {
  if (lossReason === null) {
    const isMissing = state === "lost" && requireLossReason
    return isMissing ? new LossReasonInvalid({ reason: "A lost lead needs a loss reason. Send loss_reason." }) : null
  }
  if (state !== "lost") return new LossReasonInvalid({ reason: "Only a lost lead has a loss reason." })
  if (lossReasons.length === 0 || lossReasons.includes(lossReason)) return null
  return new LossReasonInvalid({ reason: `Expected one of: ${lossReasons.join(", ")}.` })
}

/**
 * Returns a lead in another state, in the first stage of that state. A loss reason stays only until the lead is
 * reopened.
 */
export const withState = <L extends { readonly state: LeadState; readonly lossReason: string | null }>(
  lead: L,
  state: LeadState,
  lossReason: string | null = null
) => ({ ...lead, state, stageId: null, lossReason: state === "archived" ? lead.lossReason : lossReason })
