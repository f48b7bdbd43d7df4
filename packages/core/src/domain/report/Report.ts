/**
 * Reports: counters per day, and their sums by group. Reading stored rows belongs in `workflow/report`.
 * Tests: `packages/core/test/domain/report`, `packages/testkit/src/suite/report`.
 */
import { Schema } from "effect"
import type { Channel } from "../Channel.ts"
import type { Actor } from "../conversation/Message.ts"
import type { UserId } from "../Id.ts"

/** The names of reports. */
export const reportNames = ["volume", "response_times", "automation"] as const

export type ReportName = (typeof reportNames)[number]

/** The counted facts. `detail` of a counter tells them apart further. */
export const metrics = ["received", "sent", "first_response", "reply"] as const

export type Metric = (typeof metrics)[number]

/** The metrics of each report. */
export const metricsOf: Readonly<Record<ReportName, ReadonlyArray<Metric>>> = {
  volume: ["received", "sent"],
  response_times: ["first_response"],
  automation: ["reply"]
}

/** The groups of a report. */
export const reportGroups = ["day", "channel", "user", "source"] as const

export type ReportGroup = (typeof reportGroups)[number]

/** One counter: all facts of a day with the same values of the other fields. Empty texts mean none. */
export class ReportCount extends Schema.Opaque<ReportCount>()(
  Schema.Struct({
    tenantId: Schema.String,
    metric: Schema.Literals(metrics),
    /** `YYYY-MM-DD` in the tenant's time zone at the time of counting. */
    day: Schema.String,
    channel: Schema.String,
    userId: Schema.String,
    source: Schema.String,
    detail: Schema.String,
    count: Schema.Int,
    /** The sum of durations in seconds; 0 for metrics without a duration. */
    seconds: Schema.Int
  })
) {}

/** A counter before it is stored. */
export type Tally = Omit<ReportCount, "tenantId">

/** The fields of a stored message that are counted. */
export interface FollowedMessage {
  readonly id: string
  readonly channel: Channel
  readonly actor: Actor
  readonly userId: UserId | null
  readonly source: string
  readonly timestamp: number
  /**
   * For a message of the tenant: the time of the contact's first message since the tenant's previous message. Null if
   * the contact waits for nothing.
   */
  readonly waitingSince: number | null
}

/** The fields of a stored run that are counted. */
export interface FollowedRun {
  readonly id: string
  readonly channel: Channel
  readonly source: string
  readonly createdAt: number
  /** The outcome of the reply and the code of its reason, for example `suppressed:quiet_hours`. */
  readonly reply: string
}

type DayOf = (millis: number) => string

const tally = (metric: Metric, day: string, fields: Partial<Tally>): Tally => ({
  metric,
  day,
  channel: "",
  userId: "",
  source: "",
  detail: "",
  count: 1,
  seconds: 0,
  ...fields
})

/** Returns what a message adds to the counters. Automatic mail is not followed. */
export const talliesOfMessage = (message: FollowedMessage, dayOf: DayOf): ReadonlyArray<Tally> => {
  const { actor, channel, source, timestamp, userId, waitingSince } = message
  const day = dayOf(timestamp)
  const of = { channel, source, userId: userId ?? "" }
  if (actor === "contact") return [tally("received", day, of)]
  if (actor === "system") return []
  const sent = tally("sent", day, { ...of, detail: actor })
  if (waitingSince === null) return [sent]
  const seconds = Math.round((timestamp - waitingSince) / 1_000)
  return [sent, tally("first_response", day, { ...of, detail: actor, seconds })]
}

/** Returns what a run adds to the counters. */
export const talliesOfRun = (
  { channel, createdAt, reply, source }: FollowedRun,
  dayOf: DayOf
): ReadonlyArray<Tally> => [tally("reply", dayOf(createdAt), { channel, source, detail: reply })]

const keyOf = ({ channel, day, detail, metric, source, userId }: Tally): string =>
  JSON.stringify([metric, day, channel, userId, source, detail])

/** Adds up counters with equal keys. */
export const sumTallies = (tallies: ReadonlyArray<Tally>): ReadonlyArray<Tally> => {
  const sums = new Map<string, Tally>()
  for (const one of tallies) {
    const key = keyOf(one)
    const known = sums.get(key)
    sums.set(
      key,
      known === undefined ? one : { ...known, count: known.count + one.count, seconds: known.seconds + one.seconds }
    )
  }
  return [...sums.values()]
}

/** One row of a report. */
export interface ReportRow {
  /** A day, channel, source, or the id of a user; empty: none. */
  readonly group: string
  readonly metric: Metric
  readonly detail: string
  readonly count: number
  /** Null for metrics without a duration. */
  readonly averageSeconds: number | null
}

const groupOf = (by: ReportGroup, { channel, day, source, userId }: Tally): string =>
  ({ day, channel, source, user: userId })[by]

/** Sums counters by group, in the order of group, metric and detail. */
export const reportRows = (counts: ReadonlyArray<Tally>, by: ReportGroup): ReadonlyArray<ReportRow> => {
  const empty = { day: "", channel: "", source: "", userId: "" }
  const grouped = counts.map((one): Tally => ({ ...one, ...empty, day: groupOf(by, one) }))
  return sumTallies(grouped)
    .map(({ count, day, detail, metric, seconds }) => ({
      group: day,
      metric,
      detail,
      count,
      averageSeconds: metric === "first_response" ? Math.round(seconds / count) : null
    }))
    .toSorted((a, b) => (keyText(a) < keyText(b) ? -1 : 1))
}

const keyText = ({ detail, group, metric }: ReportRow): string => `${group}\n${metric}\n${detail}`
