import { type DealSettings, checkLossReason } from "./Deal.ts"
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
