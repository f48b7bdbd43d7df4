import { Clock, Effect } from "effect"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { EntryResult, LeadEntry } from "./LeadEntry.ts"
import { withoutReportedChange, type EntryState, ingestEntry } from "./IngestEntry.ts"
import { requireWritableLead } from "./FindLead.ts"

/** The `source` of messages that came by way of a lead. */
export const entrySource = "api"

/** What is to be appended to a lead. */
export interface AppendInput {
  readonly tenant: Tenant
  readonly leadId: string
  readonly entries: ReadonlyArray<LeadEntry>
  /** Whether what the contact wrote is classified, scored, routed and answered. */
  readonly runPipeline: boolean
}

/**
 * Appends what was said elsewhere, just now, to the conversation of a lead: all entries or none. They are messages like
 * any other, but for the pipeline, which runs when it is asked for: who brings the record of a call has dealt with it.
 */
export const appendEntries = Effect.fn("appendEntries")(function* (input: AppendInput) {
  const { entries, runPipeline, tenant } = input
  const { tenantId } = tenant
  const now = yield* Clock.currentTimeMillis
  const contacts = yield* Contacts
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const lead = yield* requireWritableLead(tenantId, input.leadId)
      const { leadId } = lead
      const contact = yield* contacts.get(tenantId, lead.contactId).pipe(Effect.catchTag("ContactNotFound", Effect.die))
      const place = { tenant, leadId, contact, source: entrySource }
      let state: EntryState = { resolved: { contact, change: "none" }, assigned: { lead, change: "none" } }
      const results: Array<EntryResult> = []
      for (const entry of entries) {
        const ingested = yield* ingestEntry(place, withoutReportedChange(state), entry, runPipeline, now)
        state = ingested.state
        results.push(ingested.result)
      }
      return { leadId, results }
    })
  )
})
