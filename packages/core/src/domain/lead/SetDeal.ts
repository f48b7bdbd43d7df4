import { type DealSettings, checkLossReason, maxLeadTags } from "./Deal.ts"
import { type Lead, LeadRequestInvalid } from "./Lead.ts"

/** The fields of a deal that a request may set. Null clears a field; absent keeps it. */
export type DealFields = Partial<Pick<Lead, "value" | "currency" | "expectedCloseOn" | "tags" | "lossReason">>

const invalid = (path: string, message: string) => new LeadRequestInvalid({ issues: [{ path, message }] })

/**
 * Sets the fields of a deal. Without a value, a lead has no currency. Returns `LeadRequestInvalid` for a value without a
 * currency, a currency without a value, and a loss reason that the settings do not permit.
 */
export const setDeal = (lead: Lead, fields: DealFields, settings: DealSettings): Lead | LeadRequestInvalid => {
  const { currency: sent, lossReason = lead.lossReason, value = lead.value } = fields
  const currency = sent === undefined ? (value === null ? null : lead.currency) : sent
  if (value !== null && currency === null) return invalid("currency", "A value needs a currency. Send both.")
  if (value === null && currency !== null) return invalid("value", "A currency needs a value. Send both.")
  const refused = fields.lossReason === undefined ? null : checkLossReason(settings, lead.state, lossReason)
  if (refused !== null) return invalid("loss_reason", refused.reason)
  const { expectedCloseOn = lead.expectedCloseOn, tags = lead.tags } = fields
  return { ...lead, value, currency, expectedCloseOn, tags, lossReason }
}

/**
 * Returns the lead that a merge keeps, with the fields of the merged leads that it lacks. It has the tags of all leads,
 * its own first, up to the limit.
 */
export const joinDeals = (stays: Lead, merged: ReadonlyArray<Lead>): Lead => {
  const all = [stays, ...merged]
  const { currency, value } = all.find((lead) => lead.value !== null) ?? stays
  return {
    ...stays,
    value,
    currency,
    expectedCloseOn: all.find((lead) => lead.expectedCloseOn !== null)?.expectedCloseOn ?? null,
    tags: [...new Set(all.flatMap(({ tags }) => tags))].slice(0, Math.max(maxLeadTags, stays.tags.length)),
    customFields: Object.assign({}, ...all.map(({ customFields }) => customFields).toReversed())
  }
}
