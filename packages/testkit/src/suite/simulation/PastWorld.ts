import type { Enrolment } from "@leadloom/core/internal/domain/sequence/Enrolment"
import { defaultSequenceLimits } from "@leadloom/core/internal/domain/sequence/SequenceLimits"
import type { SequenceStep } from "@leadloom/core/internal/domain/sequence/Sequence"
import type { SequenceSimulation } from "@leadloom/core/internal/workflow/simulation/SimulateSequence"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Enrolments } from "@leadloom/core/internal/port/repository/sequence/Enrolments"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { recordConsent } from "@leadloom/core/internal/workflow/consent/RecordConsent"
import { identitiesOfRecord } from "@leadloom/core/internal/workflow/contact/ReadIdentities"
import { transitionLead } from "@leadloom/core/internal/workflow/lead/TransitionLead"
import { addReport } from "@leadloom/core/internal/workflow/provider/AddReport"
import { changeDelivery } from "@leadloom/core/internal/workflow/provider/ChangeDelivery"
import { enrolContact } from "@leadloom/core/internal/workflow/sequence/EnrolContact"
import { workDueEnrolments } from "@leadloom/core/internal/workflow/sequence/RunStep"
import { createSequence } from "@leadloom/core/internal/workflow/sequence/Sequences"
import { simulateSequence } from "@leadloom/core/internal/workflow/simulation/SimulateSequence"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { domainOfTenant, drain, drainSends, inTenant, present } from "../Scene.ts"

/** A simulation of everything that really happened. */
export const everything: SequenceSimulation = {
  segmentId: null,
  ruleId: null,
  rule: null,
  steps: null,
  stopOn: null,
  since: null,
  until: null,
  limit: 1_000
}

/** The first page with all contacts. */
export const onePage = { limit: 1_000, cursor: null }

const active = { sequenceId: null, contactId: null, state: "active" } as const

/** Returns the time of the next step of a tenant; null if no step is planned. */
const nextStepAt = Effect.fnUntraced(function* (tenantId: string) {
  const enrolments = yield* (yield* Enrolments).page(tenantId, active, 1_000, null)
  const times = enrolments.map(({ dueAt }) => dueAt)
  return times.length === 0 ? null : Math.min(...times)
})

/** Lets time pass. Every step runs exactly when it is due, as if workers never stopped. */
export const pass = Effect.fnUntraced(function* (tenantId: string, millis: number) {
  const end = (yield* Clock.currentTimeMillis) + millis
  for (let due = yield* nextStepAt(tenantId); due !== null && due <= end; due = yield* nextStepAt(tenantId)) {
    yield* TestClock.setTime(Math.max(due, yield* Clock.currentTimeMillis))
    while ((yield* workDueEnrolments()) > 0);
    yield* drainSends
  }
  yield* TestClock.setTime(end)
})

/** A simulation has no limits of sequences, so histories must not exceed them. */
const noLimits = { ...defaultSequenceLimits, bouncePercent: null, complaintPercent: null, optOutPercent: null }

let mails = 0

/** The things that contacts and people do in a tenant. Contacts are numbered. */
export const makePast = Effect.fnUntraced(function* (tenantId: string, contacts: number) {
  const tenant = inTenant(tenantId)
  const domain = domainOfTenant(tenantId)
  const receive = Effect.fnUntraced(function* (contact: number, more: ReadonlyArray<string> = []) {
    const date = new Date(yield* Clock.currentTimeMillis).toUTCString().replace("GMT", "+0000")
    const id = `m${++mails}@customer.example`
    const from = `C${contact} <c${contact}@${tenantId}.customer.example>`
    const accepted = yield* tenant.receiveMail({ from, to: `sales@${domain}`, id, date, more, body: "A roof?" })
    yield* drain
    return accepted
  })
  const ids: Array<{ readonly contactId: string; readonly leadId: string }> = []
  for (let contact = 0; contact < contacts; contact++) {
    const { contactId, leadId } = yield* receive(contact)
    ids.push({ contactId: present(contactId), leadId: present(leadId) })
  }
  const idsOf = (contact: number) => present(ids[contact])
  const consent = Effect.fnUntraced(function* (contact: number, optedOut: boolean) {
    const { contactId } = idsOf(contact)
    const identities = yield* identitiesOfRecord(yield* tenant.contactOf(contactId))
    const { identityId } = present(identities.find(({ identity }) => identity.kind === "email"))
    const change = {
      identityId,
      optedOut,
      source: "call",
      proof: "said so",
      recordedBy: "kim",
      isManager: true
    } as const
    yield* Effect.exit(recordConsent(tenantId, contactId, change))
  })
  return {
    tenant,
    idsOf,
    reply: (contact: number) => receive(contact),
    away: (contact: number) => receive(contact, ["Auto-Submitted: auto-replied"]),
    consent,
    /** A person writes to the contact. */
    write: (contact: number) =>
      Effect.exit(tenant.sendMail({ to: [{ email: `c${contact}@${tenantId}.customer.example`, name: null }] })),
    close: (contact: number) => Effect.exit(transitionLead(tenantId, idsOf(contact).leadId, "archived", null)),
    /** The newest message to the contact bounces. */
    bounce: Effect.fnUntraced(function* (contact: number) {
      const all = yield* (yield* Messages).ofContact(tenantId, idsOf(contact).contactId)
      const sent = all.findLast(({ actor, delivery }) => actor === "assistant" && delivery === "sent")
      if (sent === undefined) return
      const { messageId } = sent
      const report = Effect.andThen(
        addReport(tenantId, messageId, "bounced", "550 no"),
        changeDelivery(tenantId, messageId, "bounced", "550 no")
      )
      yield* (yield* Transactions).atomically(tenantId, report)
    }),
    sequence: (
      steps: readonly [SequenceStep, ...ReadonlyArray<SequenceStep>],
      stopOn: SequenceSimulation["stopOn"] = [],
      holdoutPercent = 0
    ) =>
      Effect.map(
        createSequence(tenantId, { name: "Past", steps, stopOn: stopOn ?? [], holdoutPercent, limits: noLimits }),
        ({ sequenceId }) => sequenceId
      ),
    enrol: (contact: number, sequenceId: string) =>
      enrolContact({
        tenantId,
        sequenceId,
        contactId: idsOf(contact).contactId,
        leadId: null,
        enrolledBy: "user:kim"
      }),
    simulate: (sequenceId: string, changes: Partial<SequenceSimulation> = {}) =>
      simulateSequence(tenantId, sequenceId, { ...everything, ...changes }, onePage)
  }
})

/** Returns the course of an enrolment: all that a simulation determines. */
export const courseOf = (enrolment: Enrolment | null) =>
  enrolment === null
    ? null
    : {
        state: enrolment.state,
        stopReason: enrolment.stopReason,
        version: enrolment.version,
        step: enrolment.step,
        nextAt: enrolment.nextAt,
        history: enrolment.history.map(({ at, messageId, outcome, reason, step, until, version }) => ({
          at,
          messageId,
          outcome,
          reason,
          step,
          until,
          version
        }))
      }
