import { Clock, Effect } from "effect"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { EntryResult, LeadEntry } from "./LeadEntry.ts"
import { withoutReportedChange, type EntryState, ingestEntry } from "./IngestEntry.ts"
import { requireWritableLead } from "./FindLead.ts"
import { withSpan } from "../WithSpan.ts"

/** The `source` of messages that are appended to a lead. */
export const entrySource = "api"

/** The entries to append to a lead. */
export interface AppendInput {
  readonly tenant: Tenant
  readonly leadId: string
  readonly entries: ReadonlyArray<LeadEntry>
  /** True if messages of the contact pass through the pipeline: classify, score, route and reply. */
  readonly runPipeline: boolean
}

/**
 * Appends a conversation from another system to a lead: all entries or none. The entries are stored like any other
 * message. The pipeline runs only on request, because the client has usually handled the conversation already.
 */
export const appendEntries = Effect.fnUntraced(function* (input: AppendInput) {
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
      let state: EntryState = {
        resolved: { contact, change: "none" },
        assigned: { lead, change: "none", moved: [], changes: [] }
      }
      const results: Array<EntryResult> = []
      for (const entry of entries) {
        const ingested = yield* ingestEntry(place, withoutReportedChange(state), entry, runPipeline, now)
        state = ingested.state
        results.push(ingested.result)
      }
      return { leadId, results }
    })
  )
}, withSpan("appendEntries"))
