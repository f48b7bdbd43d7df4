import { Effect } from "effect"
import type { Activity, ActivityType } from "../../domain/contact/Activity.ts"
import { fieldValueOf } from "../../domain/contact/ContactAt.ts"
import type { LeadId } from "../../domain/Id.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { stageChange } from "../../domain/lead/LeadChange.ts"
import type { LeadKey } from "../../domain/lead/LeadQuery.ts"
import { placeOf } from "../../domain/lead/SalesPipeline.ts"
import { causesOfChanges } from "../../domain/run/Cause.ts"
import { fieldOfTrigger } from "../../domain/rule/UsedFacts.ts"
import { maxExamined } from "../../domain/simulation/Simulation.ts"
import type { Change } from "../../domain/webhook/Change.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { PastFacts } from "../../port/repository/pipeline/PastFacts.ts"
import { readPipelines } from "../deal/LeadPlaces.ts"
import { dateChange, type Dated, everyLead } from "../trigger/RunDates.ts"
import type { CauseScope, FoundCauses } from "./CauseScope.ts"
import { idBound, scan } from "./ScanPast.ts"

type Found = FoundCauses["found"][number]

/** Returns whether a rule with a trigger made a change. Such changes cause no runs. */
const isOfTriggerRun = ({ actor, data }: Pick<Activity, "actor" | "data">): boolean =>
  data["causes_rules"] === false ||
  (actor === "system" && typeof data["reason"] === "string" && data["reason"].startsWith("the rule "))

const causesAt = ({ rule, tenant }: CauseScope, changes: ReadonlyArray<Change>, at: number): ReadonlyArray<Found> =>
  causesOfChanges(rule, tenant.tenantId, tenant.config.timeZone, changes, at).map((planned) => ({ ...planned, at }))

/** Finds the entries of timelines that are changes. */
const fromActivities = Effect.fnUntraced(function* <E, R>(
  { limit, period, tenant }: CauseScope,
  types: readonly [ActivityType, ActivityType],
  causesOf: (activity: Activity) => Effect.Effect<ReadonlyArray<Found>, E, R>,
  from = period.since
) {
  const past = yield* PastFacts
  const found: Array<Found> = []
  const more = yield* scan({
    after: idBound("act", from),
    read: (after, count) => past.activities(tenant.tenantId, types, after, idBound("act", period.until), count),
    idOf: ({ activityId }: Activity) => activityId,
    each: Effect.fnUntraced(function* (activity: Activity) {
      if (activity.at < period.until && !isOfTriggerRun(activity)) found.push(...(yield* causesOf(activity)))
      return found.length > limit
    })
  })
  return { found, more } satisfies FoundCauses as FoundCauses
})

const both = (one: FoundCauses, other: FoundCauses): FoundCauses => ({
  found: [...one.found, ...other.found],
  more: one.more || other.more
})

/** Returns a lead as it was at a time; null if it no longer exists. */
const leadAt = Effect.fnUntraced(function* ({ asOf, tenant, time }: CauseScope, leadId: LeadId, at: number) {
  time.now = at
  return yield* asOf(Effect.flatMap(Leads, ({ get }) => get(tenant.tenantId, leadId))).pipe(
    Effect.catchTag("LeadNotFound", () => Effect.succeed(null))
  )
})

const leadsPerPage = 250

/** Finds the new leads of the period. */
const fromNewLeads = Effect.fnUntraced(function* <E, R>(
  scope: CauseScope,
  changesOf: (lead: Lead) => Effect.Effect<ReadonlyArray<Change>, E, R>
) {
  const { limit, period, tenant } = scope
  const { page } = yield* Leads
  const query = { ...everyLead, newestFirst: false, from: period.since, until: period.until }
  const found: Array<Found> = []
  let after: LeadKey | null = null
  for (let examined = 0; examined < maxExamined; examined += leadsPerPage) {
    const leads: ReadonlyArray<Lead> = yield* page(tenant.tenantId, query, leadsPerPage, after)
    for (const { createdAt, leadId } of leads) {
      const lead = yield* leadAt(scope, leadId, createdAt)
      if (lead !== null) found.push(...causesAt(scope, yield* changesOf(lead), createdAt))
      if (found.length > limit) return { found, more: true }
      after = { at: createdAt, leadId }
    }
    if (leads.length < leadsPerPage) break
    yield* Effect.yieldNow
  }
  return { found, more: false } satisfies FoundCauses as FoundCauses
})

const stateChange = (
  { contactId, leadId }: Pick<Change, "contactId" | "leadId">,
  from: Change["from"],
  to: Change["to"]
): Change => ({ type: "lead_state_changed", contactId, leadId, task: null, field: "state", from, to })

/** Finds the changes of the states of leads, with the first states of new leads. */
export const fromStates = Effect.fnUntraced(function* (scope: CauseScope) {
  const moves = yield* fromActivities(scope, ["lead_state_changed", "lead_state_changed"], (activity) => {
    const { at, data } = activity
    const change = stateChange(activity, fieldValueOf(data["previous_state"]), fieldValueOf(data["state"]))
    return Effect.succeed(causesAt(scope, [change], at))
  })
  const begun = yield* fromNewLeads(scope, (lead) => Effect.succeed([stateChange(lead, null, lead.state)]))
  return both(moves, begun)
})

/** Finds the changes of the stages of leads. A change of the state changes the stage too. */
export const fromStages = Effect.fnUntraced(function* (scope: CauseScope) {
  const pipelines = yield* readPipelines(scope.tenant.tenantId)
  const stageOf = (lead: Lead): string => placeOf(pipelines, lead).stage.stageId
  const ofMove = Effect.fnUntraced(function* ({ at, leadId }: Activity) {
    const after = leadId === null ? null : yield* leadAt(scope, leadId, at)
    const before = leadId === null ? null : yield* leadAt(scope, leadId, at - 1)
    if (after === null || before === null || stageOf(before) === stageOf(after)) return []
    return causesAt(scope, [stageChange(after, stageOf(before), stageOf(after))], at)
  })
  const moves = yield* fromActivities(scope, ["lead_state_changed", "lead_stage_changed"], ofMove)
  const begun = yield* fromNewLeads(scope, (lead) => Effect.succeed([stageChange(lead, null, stageOf(lead))]))
  return both(moves, begun)
})

/** Finds the changes of the scores of leads. */
export const fromScores = Effect.fnUntraced(function* (scope: CauseScope) {
  const past = yield* PastFacts
  const ofScore = Effect.fnUntraced(function* ({ at, contactId, data, leadId }: Activity) {
    const to = fieldValueOf(data["score"])
    const from = leadId === null ? null : ((yield* past.scoreBefore(scope.tenant.tenantId, leadId, at))?.score ?? null)
    const change: Change = { type: "score_reached", contactId, leadId, task: null, field: "score", from, to }
    return from === to ? [] : causesAt(scope, [change], at)
  })
  return yield* fromActivities(scope, ["lead_scored", "lead_scored"], ofScore)
})

const changeOf = (
  type: "tag_added" | "tag_removed" | "field_changed",
  { contactId, data, leadId }: Activity
): Change => ({
  type,
  contactId,
  leadId,
  task: null,
  field: String(data["field"]),
  from: fieldValueOf(data["previous"]),
  to: fieldValueOf(data["value"])
})

/** Finds the changes of tags or custom fields. */
export const fromFields = (scope: CauseScope, type: "tag_added" | "tag_removed" | "field_changed") =>
  fromActivities(scope, [type, type], (activity) =>
    Effect.succeed(causesAt(scope, [changeOf(type, activity)], activity.at))
  )

const dayMillis = 86_400_000

/** A date can be set up to a year before it is reached, and reached up to a year after it. */
const yearMillis = 366 * dayMillis

/** Reads the contacts or leads with a value in a field, newest first. */
const readDated = Effect.fnUntraced(function* ({ tenant }: CauseScope, entity: "contact" | "lead") {
  const { tenantId } = tenant
  const dated: Array<Dated> = []
  const [contacts, leads] = [yield* Contacts, yield* Leads]
  if (entity === "contact") {
    let after: { readonly createdAt: number; readonly contactId: Dated["contactId"] } | null = null
    while (dated.length < maxExamined) {
      const page: ReadonlyArray<Omit<Dated, "leadId"> & { readonly createdAt: number }> = yield* contacts.page(
        tenantId,
        leadsPerPage,
        after
      )
      dated.push(...page.map(({ contactId, customFields }) => ({ contactId, customFields, leadId: null })))
      after = page.at(-1) ?? after
      if (page.length < leadsPerPage) break
      yield* Effect.yieldNow
    }
    return dated
  }
  let after: LeadKey | null = null
  while (dated.length < maxExamined) {
    const page: ReadonlyArray<Lead> = yield* leads.page(tenantId, everyLead, leadsPerPage, after)
    dated.push(...page.map(({ contactId, customFields, leadId }) => ({ contactId, customFields, leadId })))
    const last = page.at(-1)
    if (last === undefined || page.length < leadsPerPage) break
    after = { at: last.createdAt, leadId: last.leadId }
    yield* Effect.yieldNow
  }
  return dated
})

/** Finds the dates that are reached in the period: those that were set before them, and those that are stored now. */
export const fromDates = Effect.fnUntraced(function* (scope: CauseScope) {
  const { limit, period, rule } = scope
  const field = fieldOfTrigger(rule.rule)
  if (field === null) return { found: [], more: false } satisfies FoundCauses as FoundCauses
  const inPeriod = (all: ReadonlyArray<Found>): ReadonlyArray<Found> =>
    all.flatMap((each) =>
      each.runAt >= period.since && each.runAt < period.until ? [{ ...each, at: each.runAt }] : []
    )
  const set = yield* fromActivities(
    scope,
    ["field_changed", "field_changed"],
    (activity) => Effect.succeed(inPeriod(causesAt(scope, [changeOf("field_changed", activity)], activity.at))),
    period.since - yearMillis
  )
  const dated = yield* readDated(scope, field.entity === "lead" ? "lead" : "contact")
  const stored = dated.flatMap((each) => inPeriod(causesAt(scope, [dateChange(field.key, each)], period.since)))
  return { found: [...set.found, ...stored].slice(0, 4 * limit), more: set.more || dated.length >= maxExamined }
})

/** Finds the tasks that are due in the period. */
export const fromTasks = Effect.fnUntraced(function* (scope: CauseScope) {
  const { limit, period, tenant } = scope
  const past = yield* PastFacts
  const tasks = yield* past.tasksDue(tenant.tenantId, period.since, period.until, maxExamined)
  const found: Array<Found> = []
  for (const { contactId, createdAt, dueAt, leadId, taskId, type } of tasks) {
    if (contactId === null || dueAt === null) continue
    // A task that a rule with a trigger has created is no cause.
    if (yield* past.hasRunAt(tenant.tenantId, contactId, createdAt)) continue
    const to = new Date(dueAt).toISOString()
    const task = { taskId, type, dueAt }
    const change: Change = { type: "task_due", contactId, leadId, task, field: "due_at", from: null, to }
    found.push(...causesAt(scope, [change], createdAt).map((each) => ({ ...each, at: dueAt })))
    if (found.length > limit) break
  }
  return { found, more: tasks.length === maxExamined } satisfies FoundCauses as FoundCauses
})
