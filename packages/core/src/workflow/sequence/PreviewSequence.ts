import { Clock, Effect } from "effect"
import { contactClock, dateFault, dayOf, nextDay, permittedAt, plannedAt } from "../../domain/sequence/PlanStep.ts"
import type { SequenceStep } from "../../domain/sequence/Sequence.ts"
import { channelTexts } from "../../domain/sequence/StepText.ts"
import { Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { ActingUser } from "../ActingUser.ts"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { withSpan } from "../WithSpan.ts"
import { stepHours } from "./PlanEnrolment.ts"
import { renderStep } from "./RenderStep.ts"
import { readSequence } from "./Sequences.ts"

/** What a step would do for a contact that is enrolled now and never answers. */
export interface PreviewedStep {
  readonly step: SequenceStep
  /** Null if the hours of the step permit no time. */
  readonly at: number | null
  /** Why the step would run later than its delay, or could not run. Null if there is no reason. */
  readonly reason: string | null
  readonly subject: string | null
  /** The rendered text. Null for steps without a message. */
  readonly body: string | null
  readonly missing: ReadonlyArray<string>
}

const noMessage = { subject: null, body: null, missing: [] }

/**
 * Returns the times and the texts of all steps for a contact that is enrolled now. Stores and sends nothing. Limits that
 * depend on other contacts, such as the hourly limit, do not count.
 */
export const previewSequence = Effect.fnUntraced(function* (tenantId: string, sequenceId: string, contactId: string) {
  const now = yield* Clock.currentTimeMillis
  const tenant = yield* (yield* Tenants).get(tenantId)
  const { steps } = yield* readSequence(tenantId, sequenceId)
  const contact = yield* requireUnmergedContact(tenantId, contactId)
  const hours = yield* stepHours(tenant, contact)
  const clock = contactClock(hours)
  const today = dayOf(clock, now)
  const histories = yield* (yield* Enrolments).sentSince(tenantId, contact.contactId, today)
  const sent = histories.flat().filter(({ at, outcome }) => outcome === "sent" && at >= today).length
  const perDay = new Map([[today, sent]])
  const user = yield* ActingUser
  const previewed: Array<PreviewedStep> = []
  let base = now
  for (const step of steps) {
    let planned = plannedAt(hours, step, base, base)
    while (step.kind === "send" && planned !== null) {
      const day = dayOf(clock, planned.at)
      const count = perDay.get(day) ?? 0
      if (count < tenant.config.maxSequenceMessagesPerDay) {
        perDay.set(day, count + 1)
        break
      }
      const later = permittedAt(hours, step, nextDay(clock, planned.at))
      planned = later === null ? null : { at: later.at, reason: "the daily limit of messages of sequences" }
    }
    const rendered =
      step.kind === "send" ? yield* renderStep({ tenant, contact, user }, channelTexts(step, null)[0], now) : noMessage
    const failed = typeof rendered === "string" ? rendered : null
    const text = typeof rendered === "string" ? noMessage : rendered
    const fault = failed ?? dateFault(hours, step, base, base)
    const reason = fault ?? (planned === null ? "its hours permit no time" : planned.reason)
    previewed.push({ step, at: planned?.at ?? null, reason, ...text })
    base = planned?.at ?? base
  }
  return previewed
}, withSpan("previewSequence"))
