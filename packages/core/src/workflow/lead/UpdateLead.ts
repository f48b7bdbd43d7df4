import { Clock, Effect } from "effect"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { trimToNull } from "../../domain/text/TrimToNull.ts"
import { isSameAssignment } from "../../domain/user/Assignment.ts"
import { type AssignmentChange, changeAssignment } from "../user/AssignWork.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { requireWritableLead } from "./FindLead.ts"
import { recordReassignment } from "./RecordReassignment.ts"
import { withSpan } from "../WithSpan.ts"

/** The fields of a lead that a person may set. Null and blank clear a field; absent keeps it. */
export type LeadFields = Partial<Pick<Lead, "subject" | "assignee">> & AssignmentChange

/** Updates a lead. Has no effect when no value changes. Fails with `AssignmentInvalid` for an unknown user or team. */
export const updateLead = Effect.fnUntraced(function* (tenantId: string, leadId: string, fields: LeadFields) {
  const now = yield* Clock.currentTimeMillis
  const leads = yield* Leads
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* requireWritableLead(tenantId, leadId)
      const subject = fields.subject === undefined ? before.subject : trimToNull(fields.subject)
      const assignee = fields.assignee === undefined ? before.assignee : trimToNull(fields.assignee)
      const assignment = yield* changeAssignment(tenantId, before, fields)
      const isSame = subject === before.subject && assignee === before.assignee && isSameAssignment(before, assignment)
      if (isSame) return before
      const after = { ...before, ...assignment, subject, assignee, updatedAt: now }
      yield* leads.update(after, before)
      yield* recordEvents(yield* recordReassignment(before, after, { actor: "agent", reason: null }, now), now)
      return after
    })
  )
}, withSpan("updateLead"))
