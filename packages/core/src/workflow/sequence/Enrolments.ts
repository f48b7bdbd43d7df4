import { Clock, Effect } from "effect"
import type { CursorKey } from "../../domain/conversation/Cursor.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { isId } from "../../domain/Id.ts"
import { type Enrolment, EnrolmentEnded, EnrolmentNotFound, isRunning } from "../../domain/sequence/Enrolment.ts"
import { sequenceEvent } from "../../domain/sequence/SequenceEvent.ts"
import { type EnrolmentFilter, Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import { Sequences } from "../../port/repository/sequence/Sequences.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import type { StoreUnavailable } from "../../port/system/Transactions.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { withSpan } from "../WithSpan.ts"
import { stopped } from "./DecideStep.ts"
import { afterStep, followedVersion, plainEntry, stepHours } from "./PlanEnrolment.ts"

/** Returns an enrolment in any state. */
export const readEnrolment = Effect.fnUntraced(function* (tenantId: string, enrolmentId: string) {
  const found = isId("enr", enrolmentId) ? yield* (yield* Enrolments).find(tenantId, enrolmentId) : null
  return found ?? (yield* new EnrolmentNotFound({ enrolmentId }))
}, withSpan("readEnrolment"))

const readKey = ([id]: CursorKey): string | null => (typeof id === "string" && isId("enr", id) ? id : null)

/** Returns a page of enrolments, oldest first. */
export const listEnrolments = Effect.fnUntraced(function* (
  tenantId: string,
  filter: EnrolmentFilter,
  page: PageRequest
) {
  const enrolments = yield* Enrolments
  return yield* readPage(
    {
      scope: { tenantId, list: "enrolments", filters: { ...filter } },
      fetch: (limit, after: string | null) => enrolments.page(tenantId, filter, limit, after),
      keyOf: ({ enrolmentId }) => [enrolmentId],
      readKey
    },
    page
  )
}, withSpan("listEnrolments"))

/** Stores a changed enrolment. Reports its end, if it has ended. Runs inside a unit of work. */
export const saveEnrolment = Effect.fnUntraced(function* (enrolment: Enrolment) {
  const { state, updatedAt } = enrolment
  yield* (yield* Enrolments).replace(enrolment)
  if (state === "completed" || state === "stopped")
    yield* recordEvents([sequenceEvent(`sequence.${state}`, enrolment)], updatedAt)
})

/** Changes a running enrolment in a unit of work. `change` returns null if nothing changes. */
const changeRunning = <E, R>(
  tenantId: string,
  enrolmentId: string,
  change: (enrolment: Enrolment, now: number) => Effect.Effect<Enrolment | null, E | StoreUnavailable, R>
) =>
  Effect.flatMap(Transactions, ({ atomically }) =>
    atomically(
      tenantId,
      Effect.gen(function* () {
        const enrolment = yield* readEnrolment(tenantId, enrolmentId)
        if (!isRunning(enrolment))
          return yield* new EnrolmentEnded({ enrolmentId: enrolment.enrolmentId, state: enrolment.state })
        const changed = yield* change(enrolment, yield* Clock.currentTimeMillis)
        if (changed === null) return enrolment
        yield* saveEnrolment(changed)
        return changed
      })
    )
  )

/** Pauses an enrolment. A message that waits for its provider is not sent either. Repeating it has no effect. */
export const pauseEnrolment = (tenantId: string, enrolmentId: string) =>
  changeRunning(tenantId, enrolmentId, (enrolment, now) =>
    Effect.succeed<Enrolment | null>(
      enrolment.state === "paused" ? null : { ...enrolment, state: "paused", updatedAt: now }
    )
  ).pipe(withSpan("pauseEnrolment"))

/** Continues a paused enrolment. A step whose time has passed runs at its next permitted time. */
export const resumeEnrolment = (tenantId: string, enrolmentId: string) =>
  changeRunning(tenantId, enrolmentId, (enrolment, now) => {
    if (enrolment.state === "active") return Effect.succeed<Enrolment | null>(null)
    const at = Math.max(now, enrolment.nextAt ?? now)
    return Effect.succeed<Enrolment | null>({ ...enrolment, state: "active", nextAt: at, dueAt: at, updatedAt: now })
  }).pipe(withSpan("resumeEnrolment"))

/** Stops an enrolment for good. A message that waits for its provider is not sent either. */
export const stopEnrolment = Effect.fnUntraced(function* (tenantId: string, enrolmentId: string) {
  const found = yield* readEnrolment(tenantId, enrolmentId)
  // Repeating a stop has no effect.
  if (found.state === "stopped") return found
  return yield* changeRunning(tenantId, enrolmentId, (enrolment, now) =>
    Effect.succeed<Enrolment | null>(stopped(enrolment, "by_person", now))
  )
}, withSpan("stopEnrolment"))

/** Skips the next step of an enrolment. The delay of the step after it counts from now on. */
export const skipStep = Effect.fnUntraced(function* (tenantId: string, enrolmentId: string, by: string) {
  return yield* changeRunning(tenantId, enrolmentId, (enrolment, now) =>
    Effect.gen(function* () {
      const { contactId, sequenceId, step, version } = enrolment
      const tenant = yield* (yield* Tenants).get(tenantId)
      const contact = yield* requireUnmergedContact(tenantId, contactId)
      const sequence = yield* (yield* Sequences).get(tenantId, sequenceId)
      const followed = yield* followedVersion(sequence, enrolment)
      const entry = plainEntry(step ?? "", version, "skipped", now, `skipped by ${by}`)
      const after: Enrolment | null = afterStep(enrolment, entry, followed, yield* stepHours(tenant, contact))
      return after
    })
  )
}, withSpan("skipStep"))
