import { Clock, Effect } from "effect"
import { normalizeTags } from "../../domain/contact/ContactFields.ts"
import type { FieldChanges } from "../../domain/field/FieldValues.ts"
import type { Lead, LeadRequestInvalid } from "../../domain/lead/Lead.ts"
import { leadUpdateEvents } from "../../domain/lead/LeadUpdate.ts"
import { type DealFields, setDeal } from "../../domain/lead/SetDeal.ts"
import { trimToNull } from "../../domain/text/TrimToNull.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { type AssignmentChange, changeAssignment } from "../user/AssignWork.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { recordReassignment } from "../contact/RecordReassignment.ts"
import { withSpan } from "../WithSpan.ts"
import { setCustomFields } from "../field/SetCustomFields.ts"
import { requireWritableLead } from "./FindLead.ts"

/** The fields of a lead that a person may set. Null and blank clear a field; absent keeps it. */
export type LeadFields = Partial<Pick<Lead, "subject" | "assignee">> &
  AssignmentChange &
  DealFields & { readonly customFields?: FieldChanges }

/** Sets the fields of a lead that a person may set. Fails with `LeadRequestInvalid` when they contradict each other. */
export const setLeadFields = Effect.fnUntraced(function* (lead: Lead, fields: LeadFields) {
  const { config } = yield* (yield* Tenants).get(lead.tenantId)
  const { assignee, assigneeId: _user, customFields, subject, tags, teamId: _team, ...deal } = fields
  const set: Lead | LeadRequestInvalid = setDeal(
    lead,
    tags === undefined ? deal : { ...deal, tags: normalizeTags(tags) },
    config.deals
  )
  if ("_tag" in set) return yield* set
  return {
    ...(yield* setCustomFields(set, "lead", customFields)),
    ...(yield* changeAssignment(lead.tenantId, lead, fields)),
    subject: subject === undefined ? set.subject : trimToNull(subject),
    assignee: assignee === undefined ? set.assignee : trimToNull(assignee)
  } satisfies Lead
})

/** Returns whether two leads have equal values. Lists are compared by their JSON. */
const isEqual = (one: Lead, other: Lead): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Updates a lead. Has no effect when no value changes. Fails with `AssignmentInvalid` for an unknown user or team. */
export const updateLead = Effect.fnUntraced(function* (tenantId: string, leadId: string, fields: LeadFields) {
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* requireWritableLead(tenantId, leadId)
      const set = yield* setLeadFields(before, fields)
      if (isEqual(before, set)) return before
      const after: Lead = { ...set, updatedAt: now }
      yield* (yield* Leads).update(after, before)
      const reassigned = yield* recordReassignment(before, after, { actor: "agent", reason: null }, now)
      yield* recordEvents([...leadUpdateEvents(before, after), ...reassigned], now)
      return after
    })
  )
}, withSpan("updateLead"))
