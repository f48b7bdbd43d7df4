import { Clock, Effect } from "effect"
import type { Contact } from "../contact/Contact.ts"
import type { Message } from "../conversation/Message.ts"
import type { Lead } from "../lead/Lead.ts"
import { Contacts } from "../port/Contacts.ts"
import { Ids } from "../port/Ids.ts"
import { Leads } from "../port/Leads.ts"
import { Messages } from "../port/Messages.ts"
import { Runs } from "../port/Runs.ts"
import { Signals } from "../port/Signals.ts"
import { Transactions } from "../port/Transactions.ts"
import type { Tenant } from "../tenant/Tenant.ts"
import { applyRun } from "./ApplyRun.ts"
import { decideRun, type RunSubject } from "./DecideRun.ts"
import type { Run } from "./Run.ts"
import type { Signal } from "./Signal.ts"

/** The records a signal is about. */
interface Subject {
  readonly message: Message
  readonly contact: Contact
  readonly lead: Lead | null
}

/** Reads what a signal is about; the message's own lead, which a merge may have replaced since it was queued. */
const load = Effect.fnUntraced(function* (signal: Signal) {
  const { tenantId } = signal
  const message = yield* (yield* Messages).find(tenantId, signal.messageId)
  if (message === null) return yield* Effect.die(new Error(`${signal.signalId} has no message`))
  const contact = yield* (yield* Contacts)
    .get(tenantId, message.contactId)
    .pipe(Effect.catchTag("ContactNotFound", Effect.die))
  const lead =
    message.leadId === null
      ? null
      : yield* (yield* Leads).get(tenantId, message.leadId).pipe(Effect.catchTag("LeadNotFound", Effect.die))
  const subject: Subject = { message, contact, lead }
  return subject
})

const subjectOf = Effect.fnUntraced(function* (tenant: Tenant, { message, contact, lead }: Subject, now: number) {
  const subject: RunSubject = {
    tenant,
    message,
    contact,
    contactIsNew: contact.createdAt === message.receivedAt,
    lead,
    leadIsNew: lead?.createdAt === message.receivedAt,
    overtaken: yield* (yield* Messages).hasNewerFromContact(tenant.tenantId, contact.contactId, message.messageId),
    now
  }
  return subject
})

/**
 * Passes one signal through the pipeline. Decision and effects are one unit of work that ends the signal: however often
 * it is tried, it happens once. Null: somebody else ended the signal first.
 */
export const runSignal = Effect.fn("runSignal")(function* (tenant: Tenant, signal: Signal) {
  const now = yield* Clock.currentTimeMillis
  const { signalId, tenantId } = signal
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      if (!(yield* (yield* Signals).finish(tenantId, signalId, "done", now))) return null
      const records = yield* load(signal)
      const decision = yield* decideRun(yield* subjectOf(tenant, records, now))
      const { actions, reply, replyReason } = yield* applyRun({ tenant, signalId, now, ...records }, decision)
      const steps = decision.steps.map((step) =>
        step.step === "reply" && replyReason !== null ? { ...step, reason: `${step.reason}; ${replyReason}` } : step
      )
      const run: Run = {
        classification: decision.classification,
        score: decision.score,
        matchedRules: decision.matchedRules,
        actions,
        reply,
        steps: [...steps, { step: "act", outcome: "done", reason: `${actions.length} actions` }],
        runId: yield* (yield* Ids).next("run"),
        tenantId,
        signalId,
        messageId: records.message.messageId,
        contactId: records.contact.contactId,
        leadId: records.lead?.leadId ?? null,
        configVersion: tenant.configVersion,
        createdAt: now
      }
      yield* (yield* Runs).insert(run)
      return run
    })
  )
})
