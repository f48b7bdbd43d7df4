/**
 * Suites of reports: the facts of the worker, and reports from their sums. Durations and working time are tested in
 * `packages/core/test/domain`.
 */
import { assert, describe } from "@effect/vitest"
import { groupsOf, metricsOf, reportNames, type ReportRow } from "@leadloom/core/internal/domain/report/Report"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Users } from "@leadloom/core/internal/port/repository/tenant/Users"
import { followReports, followTenant } from "@leadloom/core/internal/workflow/report/FollowReports"
import { readReport, type ReportRequest } from "@leadloom/core/internal/workflow/report/ReadReport"
import { recountReports } from "@leadloom/core/internal/workflow/report/RecountReports"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { idOf } from "../Records.ts"
import { acme, scenesOn, type Services, thanks } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { histories, live } from "./ReportHistory.ts"
import { countEvents, type ExpectedRow, expectedRows, type Labels } from "./ReportModel.ts"

const everything: ReportRequest = {
  from: null,
  to: null,
  groupBy: "day",
  filter: { channel: null, userId: null, teamId: null, tag: null }
}

const readLabels = Effect.fnUntraced(function* () {
  const labels = new Map<number, { teamId: string | null; tags: ReadonlyArray<string> }>()
  for (const number of [1, 2, 3]) {
    const found = yield* Effect.option((yield* Conversations).get("acme", idOf("con", number)))
    if (found._tag === "Some") labels.set(number, found.value)
  }
  const result: Labels = labels
  return result
})

const nearestRank = (durations: ReadonlyArray<number>, share: number): number | null =>
  durations[Math.ceil(durations.length * share) - 1] ?? null

const isNear = (found: number | null, exact: number | null): boolean =>
  found === exact || (found !== null && exact !== null && Math.abs(found - exact) <= Math.max(1, exact * 0.05))

const averageOf = (durations: ReadonlyArray<number>): number | null =>
  durations.length === 0 ? null : Math.round(durations.reduce((sum, one) => sum + one, 0) / durations.length)

const assertRow = (found: ReportRow | undefined, row: ExpectedRow): void => {
  const { count, detail, durations, group, metric } = row
  assert.deepStrictEqual(
    [found?.group, found?.metric, found?.detail, found?.count, found?.averageSeconds],
    [group, metric, detail, count, averageOf(durations)]
  )
  assert.isTrue(isNear(found?.medianSeconds ?? null, nearestRank(durations, 0.5)), "the median is near")
  assert.isTrue(isNear(found?.p90Seconds ?? null, nearestRank(durations, 0.9)), "the percentile is near")
}

/** Reads all reports by all groups. */
const readAll = Effect.forEach(
  reportNames.flatMap((name) => groupsOf(name).map((groupBy) => ({ name, groupBy }))),
  ({ groupBy, name }) =>
    Effect.map(readReport("acme", name, { ...everything, groupBy }), ({ rows }) => ({ name, groupBy, rows }))
)

/** Carries out a history and compares all reports with the model. */
const compare = Effect.fnUntraced(function* (seed: number) {
  const [history] = fc.sample(histories, { seed, numRuns: 1 })
  if (history === undefined) return
  const events = yield* live(history)
  yield* TestClock.adjust("2 minutes")
  yield* followTenant("acme")
  const tenant = yield* (yield* Tenants).get("acme")
  const users = yield* (yield* Users).some("acme", [idOf("usr", 1), idOf("usr", 2)])
  const counted = countEvents(events, yield* readLabels(), tenant, users)
  const reports = yield* readAll
  for (const { groupBy, name, rows } of reports) {
    const expected = expectedRows(counted, metricsOf[name], groupBy)
    assert.strictEqual(rows.length, expected.length, `${name} by ${groupBy}`)
    for (const [index, row] of expected.entries()) assertRow(rows[index], row)
  }
  yield* recountReports("acme")
  assert.deepStrictEqual(yield* readAll, reports)
})

/** Tests reports on a store. */
export const reportSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)
  describe(`reports on ${name}`, () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      scene(`equal a recount of a random history by every group (${seed})`, () =>
        Effect.gen(function* () {
          const context = yield* Effect.context<Services>()
          yield* Effect.provide(compare(seed), context)
        })
      )
    }
    scene("count messages and replies once, in the tenant's time zone", () =>
      Effect.gen(function* () {
        // Scenes begin on 2 March 2026 at 09:00 UTC, which is 1 March in American Samoa.
        yield* acme.open({ timeZone: "Pacific/Pago_Pago", rules: [thanks], replyMode: "draft" })
        yield* acme.handleMail()
        yield* TestClock.adjust("2 minutes")
        yield* Effect.all([followReports(), followReports()], { concurrency: "unbounded" })
        const { rows, timeZone, to } = yield* readReport("acme", "volume", everything)
        assert.deepStrictEqual([timeZone, to], ["Pacific/Pago_Pago", "2026-03-01"])
        assert.deepStrictEqual(
          rows.map(({ count, group, metric }) => [group, metric, count]),
          [["2026-03-01", "received", 1]]
        )
        const automation = yield* readReport("acme", "automation", { ...everything, groupBy: "channel" })
        assert.deepStrictEqual(
          automation.rows.map(({ count, group }) => [group, count]),
          [["email", 1]]
        )
        assert.match(automation.rows[0]?.detail ?? "", /^[a-z]+:[a-z_]+$/u)
      })
    )
    scene("reject an invalid period", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const periods = [
          { from: "2026-02-30", to: null },
          { from: "2026-03-02", to: "2026-03-01" },
          { from: "2025-01-26", to: "2026-03-02" }
        ]
        for (const period of periods) {
          const report = readReport("acme", "volume", { ...everything, ...period })
          assert.strictEqual((yield* Effect.flip(report))._tag, "ReportRequestInvalid")
        }
      })
    )
  })
}
