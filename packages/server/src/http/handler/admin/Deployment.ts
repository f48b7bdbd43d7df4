import type * as Wire from "@leadloom/api/internal/admin/Deployment"
import { Api } from "@leadloom/api/internal/Api"
import { isoTime } from "@leadloom/api/internal/schema/Field"
import { Backlogs } from "@leadloom/core/internal/port/repository/pipeline/Backlogs"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type ProviderRequests, ProviderStates } from "../../../deployment/ProviderStates.ts"
import { DoctorProcess } from "../../../doctor/DoctorProcess.ts"
import { answer } from "../../error/errors.ts"

/** The maximum number of entries that are counted per queue. A higher number would give no further information. */
const maxCounted = 10_000

/** The time for which failures are counted: one day. */
const failedMillis = 86_400_000

const timeOf = (time: number | null): string | null => (time === null ? null : isoTime(time))

const stateOf = ({ configured, consecutiveFailures, lastAnswerAt, lastFailure }: ProviderRequests, now: number) => {
  if (!configured) return "not_configured"
  if (consecutiveFailures === 0) return lastAnswerAt === null ? "unused" : "answering"
  return (lastFailure?.pausedUntil ?? 0) > now ? "paused" : "failing"
}

const providerToJson = (requests: ProviderRequests, now: number): typeof Wire.ProviderState.Type => {
  const { consecutiveFailures, lastAnswerAt, lastFailure, service } = requests
  const state = stateOf(requests, now)
  return {
    service,
    state,
    consecutive_failures: consecutiveFailures,
    last_answer_at: timeOf(lastAnswerAt),
    last_failure_at: timeOf(lastFailure?.at ?? null),
    last_failure: lastFailure?.detail ?? null,
    paused_until: state === "paused" ? timeOf(lastFailure?.pausedUntil ?? null) : null
  }
}

/** Endpoints for the state of the deployment. */
export const layer = HttpApiBuilder.group(Api, "deployment", (handlers) =>
  handlers.handleAll({
    doctor: Effect.fnUntraced(function* () {
      const findings = yield* (yield* DoctorProcess).examine
      return { examined_at: isoTime(yield* Clock.currentTimeMillis), findings }
    }),
    queues: Effect.fnUntraced(function* () {
      const now = yield* Clock.currentTimeMillis
      const backlogs = yield* Backlogs
      const failures = yield* answer(backlogs.failed(now - failedMillis, maxCounted))
      const failedOf = new Map(failures.map(({ failed, queue }) => [queue, failed]))
      return {
        queues: (yield* answer(backlogs.read(now, maxCounted))).map(({ due, queue, since }) => ({
          queue,
          due,
          oldest_due_at: timeOf(since),
          failed: failedOf.get(queue) ?? 0
        })),
        jobs: (yield* answer(backlogs.jobs(maxCounted))).map(({ failed, kind, since, waiting }) => ({
          kind,
          waiting,
          failed,
          oldest_created_at: isoTime(since)
        }))
      }
    }),
    providers: Effect.fnUntraced(function* () {
      const now = yield* Clock.currentTimeMillis
      return { providers: (yield* (yield* ProviderStates).read).map((requests) => providerToJson(requests, now)) }
    })
  })
)
