import type { Enrolment } from "@leadloom/core/internal/domain/sequence/Enrolment"
import type { SequenceFields, SequenceStep } from "@leadloom/core/internal/domain/sequence/Sequence"
import type { TenantConfig } from "@leadloom/core/internal/domain/tenant/TenantConfig"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { enrolContact } from "@leadloom/core/internal/workflow/sequence/EnrolContact"
import { readEnrolment } from "@leadloom/core/internal/workflow/sequence/Enrolments"
import { workDueEnrolments } from "@leadloom/core/internal/workflow/sequence/RunStep"
import { createSequence } from "@leadloom/core/internal/workflow/sequence/Sequences"
import { defaultSequenceLimits } from "@leadloom/core/internal/domain/sequence/SequenceLimits"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, drainSends, present } from "../Scene.ts"

/** Returns a time in epoch milliseconds. */
export const at = (text: string): number => Date.parse(text)

/** Returns a delay in days. */
export const days = (amount: number) => ({ amount, unit: "days" }) as const
/** No delay. */
export const now = { amount: 0, unit: "minutes" } as const

/** Returns a step that sends an email. */
export const email = (name: string, delay: SequenceStep["delay"], more: Partial<SequenceStep> = {}): SequenceStep =>
  ({
    name,
    kind: "send",
    channel: "email",
    subject: `${name}`,
    body: `${name} for {{ contact.first_name }}`,
    delay,
    ...more
  }) as SequenceStep

/** Returns a sequence of steps. */
export const fields = (...steps: readonly [SequenceStep, ...ReadonlyArray<SequenceStep>]): SequenceFields => ({
  name: "Quotes",
  steps,
  stopOn: [],
  holdoutPercent: 0,
  limits: defaultSequenceLimits
})

/** Runs all due steps with three workers, then hands the messages over. */
export const work = Effect.gen(function* () {
  yield* Effect.all([workDueEnrolments(), workDueEnrolments(), workDueEnrolments()], { concurrency: 3 })
  yield* drainSends
})

/** Moves the clock to a time and works. */
export const workAt = (text: string) => Effect.andThen(TestClock.setTime(at(text)), work)

/** A tenant in UTC that has received a mail of Jo, who lives in New York unless `zone` differs. */
export const open = Effect.fnUntraced(function* (config: Partial<TenantConfig> = {}, zone = "America/New_York") {
  yield* acme.open({ timeZone: "UTC", ...config })
  yield* acme.connectMail()
  const { contactId, leadId } = yield* acme.handleMail()
  const contacts = yield* Contacts
  yield* contacts.update({ ...(yield* contacts.get("acme", contactId)), attributes: { time_zone: zone } })
  yield* TestClock.adjust("1 minute")
  const enrol = Effect.fnUntraced(function* (sequence: SequenceFields) {
    const { sequenceId } = yield* createSequence("acme", sequence)
    const request = { tenantId: "acme", sequenceId, contactId, leadId: null, enrolledBy: "user:kim" }
    const { enrolment } = yield* enrolContact(request)
    return { ...enrolment, request }
  })
  return { contactId, leadId: present(leadId), enrol }
})

/** Returns the present record of an enrolment. */
export const read = ({ enrolmentId }: Pick<Enrolment, "enrolmentId">) => readEnrolment("acme", enrolmentId)

/** Returns the outcomes of an enrolment in words. */
export const outcomes = ({ history }: Enrolment) => history.map(({ outcome, step }) => `${step} ${outcome}`)

/** Returns the state of an enrolment, and why it stopped. */
export const stopReason = (enrolment: Enrolment) =>
  Effect.map(read(enrolment), (found) => [found.state, found.stopReason])

/** Returns a time in ISO 8601. */
export const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString())
