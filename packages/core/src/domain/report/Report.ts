/**
 * Reports: facts of stored rows, their sums, and the rows of a report. Reading stored rows belongs in
 * `workflow/report`. Tests: `packages/core/test/domain/report`, `packages/testkit/src/suite/report`.
 */
import { type BucketCount, percentileOf } from "./Durations.ts"

/** The names of reports. */
export const reportNames = ["volume", "response_times", "automation", "resolution_times"] as const

export type ReportName = (typeof reportNames)[number]

/** The counted facts. `detail` tells them apart further. */
export const metrics = [
  "received",
  "sent",
  "first_response",
  "reply",
  "first_response_business",
  "resolution",
  "resolution_business"
] as const

export type Metric = (typeof metrics)[number]

/** The metrics of each report. */
export const metricsOf: Readonly<Record<ReportName, ReadonlyArray<Metric>>> = {
  volume: ["received", "sent"],
  response_times: ["first_response", "first_response_business"],
  automation: ["reply"],
  resolution_times: ["resolution", "resolution_business"]
}

/** The metrics with a duration. */
const timed: ReadonlySet<Metric> = new Set([...metricsOf.response_times, ...metricsOf.resolution_times])

/** The groups of reports. */
export const reportGroups = ["day", "channel", "user", "source", "team", "tag"] as const

export type ReportGroup = (typeof reportGroups)[number]

/** The filters of a report. Null: no filter. */
export interface ReportFilter {
  readonly channel: string | null
  readonly userId: string | null
  readonly teamId: string | null
  readonly tag: string | null
}

/** The sum of the facts of one group, metric, detail and bucket. */
export interface FactSum extends BucketCount {
  /** A day, channel, source or tag, or the id of a user or team; empty: none. */
  readonly group: string
  readonly metric: Metric
  readonly detail: string
  readonly seconds: number
}

/** One row of a report. Durations are null for metrics without a duration. */
export interface ReportRow extends Pick<FactSum, "group" | "metric" | "detail" | "count"> {
  readonly averageSeconds: number | null
  /** The median, with an error of at most 5 %. */
  readonly medianSeconds: number | null
  /** The 90th percentile, with an error of at most 5 %. */
  readonly p90Seconds: number | null
}

const keyOf = ({ detail, group, metric }: FactSum): string => `${group}\n${metric}\n${detail}`

const rowOf = (sums: ReadonlyArray<FactSum>, { detail, group, metric }: FactSum): ReportRow => {
  const count = sums.reduce((sum, one) => sum + one.count, 0)
  const seconds = sums.reduce((sum, one) => sum + one.seconds, 0)
  const isTimed = timed.has(metric)
  return {
    group,
    metric,
    detail,
    count,
    averageSeconds: isTimed ? Math.round(seconds / count) : null,
    medianSeconds: isTimed ? percentileOf(sums, 0.5) : null,
    p90Seconds: isTimed ? percentileOf(sums, 0.9) : null
  }
}

/** Returns the rows of a report in the order of group, metric and detail. */
export const reportRows = (sums: ReadonlyArray<FactSum>): ReadonlyArray<ReportRow> => {
  const groups = Map.groupBy(sums, keyOf)
  return [...groups.keys()].toSorted().flatMap((key) => {
    const members = groups.get(key) ?? []
    const [first] = members
    return first === undefined ? [] : [rowOf(members, first)]
  })
}
