import { Clock, Effect } from "effect"
import { ContactNotEnrollable, type Enrolment } from "../../domain/sequence/Enrolment.ts"
import { isHeldOut } from "../../domain/sequence/Holdout.ts"
import { sequenceEvent } from "../../domain/sequence/SequenceEvent.ts"
import { LeadNotFound } from "../../domain/lead/Lead.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { actingUserId } from "../ActingUser.ts"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { withSpan } from "../WithSpan.ts"
import { beginEnrolment, type Entrant, stepHours, withNextStep } from "./PlanEnrolment.ts"
import { readSequence } from "./Sequences.ts"

/** A request to enrol a contact. */
export interface EnrolmentRequest {
  readonly tenantId: string
  readonly sequenceId: string
  readonly contactId: string
  /** The lead that the conditions of the sequence are about. Null: the lead with the contact's newest message. */
  readonly leadId: string | null
  /** The name of the caller, from `principalName`; for an action, `rule:` or `macro:` and its id. */
  readonly enrolledBy: string
  /** The message whose rule enrols the contact. The enrolment then belongs to no user. Absent without such a message. */
  readonly cause?: { readonly receivedAt: number }
}

/** An enrolment, and whether the request has created it. */
export interface Enrolled {
  readonly enrolment: Enrolment
  readonly created: boolean
}

const leadOf = Effect.fnUntraced(function* ({ leadId, tenantId }: EnrolmentRequest, contactId: string) {
  const leads = yield* Leads
  if (leadId === null) return (yield* leads.ofContact(tenantId, contactId, 1))[0] ?? null
  const lead = yield* leads.get(tenantId, leadId)
  return lead.contactId === contactId ? lead : yield* new LeadNotFound({ leadId })
})

/** Returns the newest enrolment of a contact in a sequence if it is held out. */
const heldOut = Effect.fnUntraced(function* (tenantId: string, sequenceId: string, contactId: string) {
  const newest = yield* (yield* Enrolments).newest(tenantId, sequenceId, contactId)
  return newest?.state === "held_out" ? newest : null
})

/**
 * Enrols a contact in a sequence. Runs inside a unit of work, so that a trigger can call it together with its cause. A
 * contact that is already in the sequence keeps its enrolment.
 */
export const enrolInUnit = Effect.fnUntraced(function* (request: EnrolmentRequest) {
  const { enrolledBy, sequenceId, tenantId } = request
  const now = yield* Clock.currentTimeMillis
  const enrolments = yield* Enrolments
  const tenant = yield* (yield* Tenants).get(tenantId)
  const sequence = yield* readSequence(tenantId, sequenceId)
  const contact = yield* requireUnmergedContact(tenantId, request.contactId)
  const { contactId } = contact
  if (contact.archivedAt !== null) return yield* new ContactNotEnrollable({ contactId })
  const isOut = isHeldOut({ ...sequence, contactId })
  const known =
    (yield* enrolments.running(tenantId, sequence.sequenceId, contactId)) ??
    (isOut ? yield* heldOut(tenantId, sequence.sequenceId, contactId) : null)
  if (known !== null) return { enrolment: known, created: false } satisfies Enrolled as Enrolled
  const lead = yield* leadOf(request, contactId)
  const entrant: Entrant = {
    enrolmentId: yield* (yield* Ids).next("enr"),
    contactId,
    lead,
    enrolledBy,
    enrolledByUser: request.cause === undefined ? yield* actingUserId : null,
    repliesAfter: request.cause?.receivedAt ?? null
  }
  const begun = beginEnrolment(entrant, sequence, now)
  if (isOut) {
    const out: Enrolment = { ...begun, state: "held_out" }
    yield* enrolments.insert(out)
    yield* recordEvents([sequenceEvent("sequence.held_out", out)], now)
    return { enrolment: out, created: true } satisfies Enrolled as Enrolled
  }
  const enrolment = withNextStep(begun, sequence, yield* stepHours(tenant, contact), now)
  yield* enrolments.insert(enrolment)
  yield* recordEvents([sequenceEvent("sequence.enrolled", enrolment)], now)
  return { enrolment, created: true } satisfies Enrolled as Enrolled
})

/** Enrols a contact in a sequence. Repeating the request returns the running enrolment. */
export const enrolContact = Effect.fnUntraced(function* (request: EnrolmentRequest) {
  return yield* (yield* Transactions).atomically(request.tenantId, enrolInUnit(request))
}, withSpan("enrolContact"))
