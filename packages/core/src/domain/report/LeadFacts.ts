import type { SalesPipelineId, StageId, UserId } from "../Id.ts"
import { type LeadState, leadStates } from "../lead/LeadState.ts"
import type { Tier } from "../lead/Score.ts"
import { type LeadPlace, placeOf, type SalesPipeline } from "../lead/SalesPipeline.ts"
import type { Calendar } from "./Calendar.ts"
import { type Fact, type Followed, factOf } from "./Fact.ts"

/** A place of a lead as its row stores it. */
interface StoredPlace {
  readonly pipelineId: SalesPipelineId
  readonly stageId: StageId | null
  readonly state: LeadState
}

/** A place that a lead has left. */
export interface LeftStage extends StoredPlace {
  readonly leftAt: number
}

/** The fields of a lead that are counted, and the places that it has left, oldest first. */
export interface FollowedLead extends Followed, StoredPlace {
  readonly userId: UserId | null
  /** Null for a lead without a score. */
  readonly tier: Tier | null
  readonly value: number | null
  readonly currency: string | null
  readonly createdAt: number
  /** False for a merged lead. It has no facts. */
  readonly isCounted: boolean
  readonly left: ReadonlyArray<LeftStage>
}

/** A stay of a lead in a stage. */
interface Stay {
  readonly number: number
  readonly place: LeadPlace
  readonly enteredAt: number
  /** Null while the lead is in the stage. */
  readonly leftAt: number | null
}

const factId = (leadId: string, number: number): string => `${leadId}:${number}`

const tierId = (leadId: string): string => `${leadId}:tier`

/** Returns the ids that the facts of a lead can have. */
export const factIdsOfLead = ({ id, left }: FollowedLead): ReadonlyArray<string> => [
  tierId(id),
  ...[...left, null].map((_, number) => factId(id, number))
]

/**
 * Returns the stays of a lead, oldest first. Rows can change without a change of the stage, for example from the first
 * stage of a state to the same stage by name. Such rows are one stay.
 */
const staysOf = (lead: FollowedLead, pipelines: ReadonlyArray<SalesPipeline>): ReadonlyArray<Stay> => {
  const stays: Array<Stay> = []
  let enteredAt = lead.createdAt
  for (const [number, stored] of [...lead.left, { ...lead, leftAt: null }].entries()) {
    const place = placeOf(pipelines, { ...stored, tenantId: lead.tenantId })
    const last = stays.at(-1)
    if (last?.place.stage.stageId === place.stage.stageId) stays[stays.length - 1] = { ...last, leftAt: stored.leftAt }
    else stays.push({ number, place, enteredAt, leftAt: stored.leftAt })
    enteredAt = stored.leftAt ?? enteredAt
  }
  return stays
}

/** Returns whether a move leads to a later stage. A move between pipelines needs a later state. */
const isAdvance = (from: LeadPlace, to: LeadPlace): boolean => {
  if (to.stage.state === "lost" || to.stage.state === "archived") return false
  const steps = leadStates.indexOf(to.stage.state) - leadStates.indexOf(from.stage.state)
  if (steps !== 0 || from.pipeline.pipelineId !== to.pipeline.pipelineId) return steps > 0
  const stages = from.pipeline.stages.map(({ stageId }) => stageId)
  return stages.indexOf(to.stage.stageId) > stages.indexOf(from.stage.stageId)
}

const factsOfStay = (
  lead: FollowedLead,
  { enteredAt, leftAt, number, place }: Stay,
  next: Stay | undefined,
  { dayOf }: Calendar
): ReadonlyArray<Fact> => {
  const { pipeline, stage } = place
  const fields = {
    factId: factId(lead.id, number),
    userId: lead.userId ?? "",
    pipelineId: pipeline.pipelineId,
    detail: stage.stageId
  }
  const entered = dayOf(enteredAt)
  const facts = [factOf(lead, "stage_entered", entered, fields)]
  const { state } = stage
  if (state === "won" || state === "lost") facts.push(factOf(lead, state, entered, fields))
  if (lead.value !== null) {
    const detail = `${stage.stageId}:${lead.currency ?? ""}`
    facts.push({ ...factOf(lead, "stage_value", entered, { ...fields, detail }), seconds: lead.value })
  }
  if (leftAt === null) return facts
  const seconds = Math.max(0, Math.round((leftAt - enteredAt) / 1_000))
  facts.push(factOf(lead, "stage_left", dayOf(leftAt), { ...fields, seconds }))
  if (next !== undefined && isAdvance(place, next.place)) {
    facts.push(factOf(lead, "stage_advanced", dayOf(leftAt), fields))
  }
  return facts
}

/** Returns the fact of the tier that a lead has now. It belongs to the day on which the lead was created. */
const factOfTier = (lead: FollowedLead, { dayOf }: Calendar): Fact =>
  factOf(lead, "tier", dayOf(lead.createdAt), {
    factId: tierId(lead.id),
    userId: lead.userId ?? "",
    detail: lead.tier ?? ""
  })

/** Returns the facts of a lead: its tier, and for each stay in a stage its start, its end, and the value of the lead. */
export const factsOfLead = (
  lead: FollowedLead,
  pipelines: ReadonlyArray<SalesPipeline>,
  calendar: Calendar
): ReadonlyArray<Fact> => {
  if (!lead.isCounted) return []
  const stays = staysOf(lead, pipelines)
  const facts = stays.flatMap((stay, index) => factsOfStay(lead, stay, stays[index + 1], calendar))
  return [factOfTier(lead, calendar), ...facts]
}
