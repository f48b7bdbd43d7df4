import { Clock, Effect } from "effect"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { trimToNull } from "../../domain/text/TrimToNull.ts"
import { requireWritableLead } from "./FindLead.ts"
import { withSpan } from "../WithSpan.ts"

/** The fields of a lead that a person may set. Null and blank clear a field; absent keeps it. */
export type LeadFields = Partial<Pick<Lead, "subject" | "assignee">>

/** Updates a lead. Has no effect when no value changes. */
export const updateLead = Effect.fnUntraced(function* (tenantId: string, leadId: string, fields: LeadFields) {
  const now = yield* Clock.currentTimeMillis
  const leads = yield* Leads
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* requireWritableLead(tenantId, leadId)
      const subject = fields.subject === undefined ? before.subject : trimToNull(fields.subject)
      const assignee = fields.assignee === undefined ? before.assignee : trimToNull(fields.assignee)
      if (subject === before.subject && assignee === before.assignee) return before
      const after = { ...before, subject, assignee, updatedAt: now }
      yield* leads.update(after, before)
      return after
    })
  )
}, withSpan("updateLead"))
