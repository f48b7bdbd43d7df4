/**
 * Reports: facts of stored rows, their sums, and the rows of a report. Reading stored rows belongs in
 * `workflow/report`. Tests: `packages/core/test/domain/report`, `packages/testkit/src/suite/report`.
 */
import { type BucketCount, percentileOf } from "./Durations.ts"

/** The names of reports. */
export const reportNames = [
  "volume",
  "response_times",
  "automation",
  "resolution_times",
  "conversion",
  "tiers",
  "deliveries"
] as const

export type ReportName = (typeof reportNames)[number]

/** The counted facts. `detail` tells them apart further. */
export const metrics = [
  "received",
  "sent",
  "first_response",
  "reply",
  "first_response_business",
  "resolution",
  "resolution_business",
  "stage_entered",
  "stage_left",
  "stage_advanced",
  "stage_value",
  "won",
  "lost",
  "tier",
  "delivery"
] as const

export type Metric = (typeof metrics)[number]

/** The metrics of each report. */
export const metricsOf: Readonly<Record<ReportName, ReadonlyArray<Metric>>> = {
  volume: ["received", "sent"],
  response_times: ["first_response", "first_response_business"],
  automation: ["reply"],
  resolution_times: ["resolution", "resolution_business"],
  conversion: ["stage_entered", "stage_left", "stage_advanced", "stage_value", "won", "lost"],
  tiers: ["tier"],
  deliveries: ["delivery"]
}

/** The metrics with a duration. */
const timed: ReadonlySet<Metric> = new Set([...metricsOf.response_times, ...metricsOf.resolution_times, "stage_left"])

/** The groups of reports. Only `conversion` has pipelines. */
export const reportGroups = ["day", "channel", "user", "source", "team", "tag", "pipeline"] as const

export type ReportGroup = (typeof reportGroups)[number]

/** Returns the groups of a report. */
export const groupsOf = (name: ReportName): ReadonlyArray<ReportGroup> =>
  name === "conversion" ? reportGroups : reportGroups.filter((group) => group !== "pipeline")

/** The filters of a report. Null: no filter. */
export interface ReportFilter {
  readonly channel: string | null
  readonly userId: string | null
  readonly teamId: string | null
  readonly tag: string | null
}

/** The sum of the facts of one group, metric, detail and bucket. */
export interface FactSum extends BucketCount {
  /** A day, channel, source or tag, or the id of a user, team or pipeline; empty: none. */
  readonly group: string
  readonly metric: Metric
  readonly detail: string
  /** The sum of durations, or of values for `stage_value`. */
  readonly seconds: number
}

/** One row of a report. Durations are null for metrics without a duration. */
export interface ReportRow extends Pick<FactSum, "group" | "metric" | "detail" | "count"> {
  readonly averageSeconds: number | null
  /** The median, with an error of at most 5 %. */
  readonly medianSeconds: number | null
  /** The 90th percentile, with an error of at most 5 %. */
  readonly p90Seconds: number | null
  /** For `stage_value`: the sum of the values in minor units. */
  readonly value: number | null
  /** For `stage_advanced`: the share of the leads that left the stage, 0 to 1. */
  readonly rate: number | null
}

const keyOf = ({ detail, group, metric }: FactSum): string => `${group}\n${metric}\n${detail}`

const countOf = (sums: ReadonlyArray<FactSum>): number => sums.reduce((sum, { count }) => sum + count, 0)

const roundRate = (rate: number): number => Math.round(rate * 10_000) / 10_000

type Groups = ReadonlyMap<string, ReadonlyArray<FactSum>>

const rateOf = (advanced: FactSum, count: number, groups: Groups): number =>
  roundRate(count / countOf(groups.get(keyOf({ ...advanced, metric: "stage_left" })) ?? []))

const rowOf = (sums: ReadonlyArray<FactSum>, first: FactSum, groups: Groups): ReportRow => {
  const { detail, group, metric } = first
  const count = countOf(sums)
  const total = sums.reduce((sum, { seconds }) => sum + seconds, 0)
  const isTimed = timed.has(metric)
  return {
    group,
    metric,
    detail,
    count,
    averageSeconds: isTimed ? Math.round(total / count) : null,
    medianSeconds: isTimed ? percentileOf(sums, 0.5) : null,
    p90Seconds: isTimed ? percentileOf(sums, 0.9) : null,
    value: metric === "stage_value" ? total : null,
    rate: metric === "stage_advanced" ? rateOf(first, count, groups) : null
  }
}

/** Returns the rows of a report in the order of group, metric and detail. */
export const reportRows = (sums: ReadonlyArray<FactSum>): ReadonlyArray<ReportRow> => {
  const groups = Map.groupBy(sums, keyOf)
  return [...groups.keys()].toSorted().flatMap((key) => {
    const members = groups.get(key) ?? []
    const [first] = members
    return first === undefined ? [] : [rowOf(members, first, groups)]
  })
}
