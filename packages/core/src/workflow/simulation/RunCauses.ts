import { Effect } from "effect"
import { encodeId } from "../../domain/Id.ts"
import type { RequestedAction } from "../../domain/rule/Rule.ts"
import { beginRun } from "../../domain/run/Cause.ts"
import type { TriggerRun } from "../../domain/run/TriggerRun.ts"
import { makeAgenda } from "../../domain/simulation/Agenda.ts"
import { maxDecisions } from "../../domain/simulation/Simulation.ts"
import { CompiledConfigs, compileConfig } from "../../domain/tenant/CompiledConfigs.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { TriggerRuns } from "../../port/repository/pipeline/TriggerRuns.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { decidedRun, decideRun, notNow, targetOf } from "../trigger/DecideTrigger.ts"
import { readDue } from "../trigger/ReadDue.ts"
import { previewActions } from "./PreviewActions.ts"
import type { CauseScope } from "./CauseScope.ts"
import type { PastCause } from "./RuleCauses.ts"

/** What would have become of a cause. */
export interface SimulatedCause {
  readonly cause: PastCause
  /** Null: the simulation ended earlier. */
  readonly run: TriggerRun | null
  /** The requested actions, one for each action of the run. Empty unless the run `ran`. */
  readonly wanted: ReadonlyArray<RequestedAction>
}

/** A cause on its way. */
interface Course {
  readonly id: TriggerRun["triggerRunId"]
  readonly at: number
  readonly index: number
  readonly run: TriggerRun
}

/** Returns an id for a simulated run. Ids sort like the order of the causes. */
const simulatedId = (at: number, index: number): TriggerRun["triggerRunId"] => {
  const bytes = new Uint8Array(10)
  new DataView(bytes.buffer).setUint32(4, index)
  return encodeId("trg", at, bytes)
}

/** Provides the simulated rule and runs, in place of those of the tenant. */
const withSimulated = Effect.fnUntraced(function* (tenant: Tenant, courses: ReadonlyArray<Course>, now: () => number) {
  const [tenants, runs] = [yield* Tenants, yield* TriggerRuns]
  const compiled = compileConfig(tenant.config)
  const byId = new Map(courses.map((course) => [String(course.id), course.run]))
  const byLead = Map.groupBy(courses, ({ run }) => run.leadId)
  const simulated = TriggerRuns.of({
    ...runs,
    find: (_, triggerRunId) => Effect.succeed(byId.get(triggerRunId) ?? null),
    isRepeated: ({ leadId, triggerRunId }) =>
      Effect.sync(() =>
        (byLead.get(leadId) ?? []).some(
          ({ id, run }) => id > triggerRunId && run.createdAt <= now() && run.change !== null
        )
      )
  })
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(Tenants, Tenants.of({ ...tenants, get: () => Effect.succeed(tenant) })),
      Effect.provideService(TriggerRuns, simulated),
      Effect.provideService(CompiledConfigs, CompiledConfigs.of({ of: () => Effect.succeed(compiled) }))
    )
})

/** Decides about a due run with the code of the engine. */
const decide = Effect.fnUntraced(function* (run: TriggerRun, now: number) {
  const due = yield* readDue(run, now)
  if ("until" in due) return { run: notNow(run, due, now), wanted: [] }
  const decision = yield* decideRun(due, now)
  const actions = decision.isMatched ? yield* previewActions(targetOf(run, due, now), decision.wanted) : []
  return { run: decidedRun(run, due, decision, actions, now), wanted: decision.wanted }
})

/** The number of decisions after which other fibers run. */
const decisionsPerYield = 20

/**
 * Simulates the runs of a rule for its causes, in the order of their times, as of these times. Stores and sends nothing.
 * Returns the time that the simulation has reached: the end of the period, or earlier after `maxDecisions` decisions.
 */
export const runCauses = Effect.fnUntraced(function* (scope: CauseScope, causes: ReadonlyArray<PastCause>) {
  const { asOf, period, rule, tenant, time } = scope
  const courses = causes.map((cause, index): Course => {
    const { at, runAt } = cause
    const id = simulatedId(at, index)
    // A date can be set up to a day after its time. The run then follows at once.
    const begunAt = rule.trigger.type === "date_reached" ? cause.cause.causeAt : Math.min(at, runAt)
    const createdAt = Math.max(period.since, begunAt)
    return { id, at: Math.max(runAt, createdAt), index, run: beginRun(rule, cause, id, createdAt) }
  })
  const simulated = yield* withSimulated(tenant, courses, () => time.now)
  const agenda = makeAgenda<Course>()
  for (const course of courses) agenda.add(course)
  const results = causes.map((cause, index): SimulatedCause => ({
    cause,
    run: courses[index]?.run ?? null,
    wanted: []
  }))
  let reached = period.until
  for (let decisions = 0; ; decisions++) {
    const course = agenda.next()
    if (course === null || course.at >= period.until) break
    if (decisions === maxDecisions) {
      reached = course.at
      break
    }
    time.now = course.at
    const { run, wanted } = yield* simulated(asOf(decide(course.run, time.now)))
    const cause = causes[course.index]
    if (cause !== undefined) results[course.index] = { cause, run, wanted }
    if (run.state === "waiting") agenda.add({ ...course, at: Math.max(run.runAt, course.at + 1), run })
    if (decisions % decisionsPerYield === 0) yield* Effect.yieldNow
  }
  return {
    reached,
    begun: courses.map(({ run }) => run),
    results: results.map((result) =>
      reached < period.until && (result.run?.runAt ?? 0) >= reached ? { ...result, run: null } : result
    )
  }
})
