/**
 * The limits of bounces, complaints and opt-outs that pause a sequence. Counting belongs to
 * `workflow/provider/CountSequenceOutcome.ts`, pausing to `workflow/sequence/PauseSequence.ts`. Tests:
 * `packages/testkit/src/suite/sequence/LimitSuite.ts`.
 */
import { Schema } from "effect"

const dayMillis = 86_400_000

/** The number of days (UTC, with the current one) whose messages count. */
export const countedDays = 7

/**
 * The minimum number of bounces, complaints or opt-outs that pauses a sequence. One contact alone cannot pause it,
 * although one complaint of 50 messages exceeds the default limit.
 */
export const minIncidents = 2

const percent = (description: string) =>
  Schema.NullOr(Schema.Number.check(Schema.isBetween({ minimum: 0.1, maximum: 100 }))).annotate({ description })

/** The limits of one sequence. */
export const SequenceLimits = Schema.Struct({
  bounce_percent: percent("The percentage of emails that bounced for good, 0.1 to 100; null: no limit. Default: 5"),
  complaint_percent: percent(
    "The percentage of emails that recipients reported as spam, 0.1 to 100; null: no limit. Default: 0.3"
  ),
  opt_out_percent: percent(
    "The percentage of messages after which the contact opted out within seven days, 0.1 to 100; null: no limit. Default: 5"
  ),
  min_messages: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 })).annotate({
    description: "The number of messages in seven days from which the limits apply, 1 to 10,000. Default: 50"
  })
}).annotate({
  identifier: "SequenceLimits",
  description: `The shares of bounces, complaints and opt-outs in seven days that pause the sequence. At least ${minIncidents} of one kind are needed`
})
export type SequenceLimits = typeof SequenceLimits.Type

/**
 * The default limits. HubSpot suspends accounts at 5 % hard bounces and warns at 5 % unsubscribes; Amazon SES reviews
 * accounts at 5 % bounces; Gmail rejects senders at 0.3 % spam reports. Sources: `docs/decisions/0137`.
 */
export const defaultSequenceLimits: SequenceLimits = {
  bounce_percent: 5,
  complaint_percent: 0.3,
  opt_out_percent: 5,
  min_messages: 50
}

/** The counted messages and incidents of a sequence. */
export interface SequenceCounts {
  readonly emails: number
  readonly texts: number
  readonly bounced: number
  readonly complained: number
  readonly optedOut: number
}

/** The reasons why a sequence is paused. */
export const sequencePauses = ["by_person", "bounces", "complaints", "opt_outs"] as const
export type SequencePause = (typeof sequencePauses)[number]

/** An exceeded limit. */
export interface Excess {
  readonly reason: Exclude<SequencePause, "by_person">
  /** For people, such as `3 of 50 emails bounced in 7 days (6 %, limit 5 %)`. */
  readonly detail: string
}

/** Returns the exceeded limit of a sequence; null if there is none. */
export const excessOf = (counts: SequenceCounts, limits: SequenceLimits): Excess | null => {
  const { bounced, complained, emails, optedOut, texts } = counts
  const exceeded = (incidents: number, messages: number, limit: number | null): limit is number =>
    limit !== null &&
    incidents >= minIncidents &&
    messages >= limits.min_messages &&
    incidents * 100 >= messages * limit
  const rate = (incidents: number, messages: number, limit: number) =>
    `in ${countedDays} days (${Math.round((incidents * 1_000) / messages) / 10} %, limit ${limit} %)`
  const { bounce_percent: bounces, complaint_percent: complaints, opt_out_percent: optOuts } = limits
  if (exceeded(bounced, emails, bounces))
    return { reason: "bounces", detail: `${bounced} of ${emails} emails bounced ${rate(bounced, emails, bounces)}` }
  if (exceeded(complained, emails, complaints))
    return {
      reason: "complaints",
      detail: `${complained} of ${emails} emails were reported as spam ${rate(complained, emails, complaints)}`
    }
  const sent = emails + texts
  if (exceeded(optedOut, sent, optOuts))
    return {
      reason: "opt_outs",
      detail: `contacts opted out after ${optedOut} of ${sent} messages ${rate(optedOut, sent, optOuts)}`
    }
  return null
}

const dayOf = (at: number): number => at - (((at % dayMillis) + dayMillis) % dayMillis)

/** Returns the start of the period in which a message counts: its day (UTC), or the last resumption on that day. */
export const periodOf = (at: number, resumedAt: number | null): number => Math.max(dayOf(at), resumedAt ?? 0)

/** Returns the start of the oldest counted period. Messages from before the last resumption do not count. */
export const countedFrom = (now: number, resumedAt: number | null): number =>
  Math.max(dayOf(now) - (countedDays - 1) * dayMillis, resumedAt ?? 0)

/** The time after a message within which an opt-out counts for its sequence, in milliseconds. */
export const optOutMillis = countedDays * dayMillis
