import { Clock, Effect } from "effect"
import { Calls } from "../../port/repository/conversation/Calls.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { type Call, isOver } from "../../domain/call/Call.ts"
import { afterReport, type CallReport } from "../../domain/call/CallReport.ts"
import { finishCall } from "./FinishCall.ts"

/**
 * Writes down what is told of a call, one after the other; with its end its message, its signal and, where nobody took it, a
 * task. Runs inside a unit of work. Answers with the call as it is kept then.
 */
export const applyReports = Effect.fnUntraced(function* (
  tenant: Tenant,
  call: Call,
  reports: ReadonlyArray<CallReport>
) {
  const now = yield* Clock.currentTimeMillis
  const after = reports.reduce((known, report) => afterReport(known, report) ?? known, call)
  if (after === call) return call
  const next: Call = { ...after, updatedAt: now }
  if (isOver(next) && next.messageId === null) return yield* finishCall(tenant, next, now)
  yield* (yield* Calls).update(next)
  return next
})
