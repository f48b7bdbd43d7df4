import {
  maxPresencesPerTenant,
  presenceKey,
  PresenceReport
} from "@leadloom/core/internal/domain/conversation/Presence"
import { makePresenceBoard } from "@leadloom/core/internal/domain/conversation/PresenceBoard"
import { Presences } from "@leadloom/core/internal/port/system/Presences"
import { Clock, Effect, Layer, Option, Queue, Schema } from "effect"
import { Database } from "../Database.ts"
import { maxPayloadBytes, type Notifications } from "./Notifications.ts"

/** The kind of the notifications with reports. */
const kind = "presence"

/** The maximum number of reports that wait for a slow reader of one event stream. */
const maxWaitingReports = 256

const reportsJson = Schema.fromJsonString(Schema.Array(PresenceReport))
const encodeReports = Schema.encodeSync(reportsJson)
const decodeReports = Schema.decodeUnknownOption(reportsJson)

/** Divides reports into JSON arrays that fit into one notification each. */
const payloadsOf = (reports: Iterable<PresenceReport>): ReadonlyArray<string> => {
  const payloads: Array<string> = []
  let group: Array<PresenceReport> = []
  let bytes = 0
  for (const report of reports) {
    const size = Buffer.byteLength(encodeReports([report]))
    if (bytes + size > maxPayloadBytes && group.length > 0) {
      payloads.push(encodeReports(group))
      group = []
      bytes = 0
    }
    group.push(report)
    bytes += size
  }
  return group.length === 0 ? payloads : [...payloads, encodeReports(group)]
}

/** Sends reports to the other servers. A newer report replaces one of the same presence that was not sent yet. */
const sending = (notifications: Notifications) => {
  const pending = new Map<string, Map<string, PresenceReport>>()
  notifications.attach(kind, () => {
    const payloads = payloadsOf([...pending.values()].flatMap((reports) => [...reports.values()]))
    pending.clear()
    return payloads
  })
  return (report: PresenceReport): void => {
    const reports = pending.get(report.tenantId) ?? new Map<string, PresenceReport>()
    pending.set(report.tenantId, reports)
    // Renewals repeat a report that is lost here.
    if (reports.size < maxPresencesPerTenant) reports.set(presenceKey(report), report)
    notifications.notifyOthers(kind)
  }
}

/** Keeps the presence of users in memory. On Postgres, notifications carry it to the other servers. */
export const layer: Layer.Layer<Presences, never, Database> = Layer.effect(
  Presences,
  Effect.gen(function* () {
    const { notifications } = yield* Database
    const clock = yield* Clock.Clock
    const board = makePresenceBoard()
    const watchers = new Map<Queue.Queue<PresenceReport>, string>()
    const apply = (report: PresenceReport, now: number): void => {
      board.apply(report, now)
      for (const [queue, tenantId] of watchers) if (tenantId === report.tenantId) Queue.offerUnsafe(queue, report)
    }
    const send = notifications === null ? () => undefined : sending(notifications)
    notifications?.onNotification(kind, (payload) => {
      // The servers exchange expiries, so their clocks must agree within a few seconds, as for leases.
      for (const report of Option.getOrElse(decodeReports(payload), () => []))
        apply(report, clock.currentTimeMillisUnsafe())
    })
    return Presences.of({
      report: (report, now) =>
        Effect.sync(() => {
          apply(report, now)
          send(report)
        }),
      list: (tenantId, contactId, now) => Effect.sync(() => board.list(tenantId, contactId, now)),
      watch: (tenantId) =>
        Effect.acquireRelease(
          Effect.tap(Queue.sliding<PresenceReport>(maxWaitingReports), (queue) =>
            Effect.sync(() => void watchers.set(queue, tenantId))
          ),
          (queue) => Effect.sync(() => void watchers.delete(queue))
        )
    })
  })
)
