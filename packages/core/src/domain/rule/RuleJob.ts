import type { ContactListPlace } from "../contact/ContactSummary.ts"
import type { ContactId } from "../Id.ts"
import type { LeadKey } from "../lead/LeadQuery.ts"

/** The maximum number of contacts for which a schedule runs at one firing. */
export const maxScheduledContacts = 1_000

/** The number of contacts that one attempt at a job of a rule examines. */
export const contactsPerPiece = 100

/** The number of contacts or leads whose dates one unit of work reads. */
export const datesPerPiece = 250

/** The maximum number of attempts for one firing of a schedule, so that a selective filter ends. */
export const maxPieces = 100

/**
 * Fires the schedule of a rule. The job waits for the firing, examines some contacts and continues until it has
 * examined all. Then it waits for the next firing. It ends if the rule has another schedule or is disabled.
 */
export interface ScheduleJob {
  readonly kind: "rule_schedule"
  readonly ruleId: string
  readonly cron: string
  readonly timeZone: string
  /** The time of the firing, in epoch milliseconds. */
  readonly firingAt: number
  /** The last contact that was examined; null at the start of a firing. */
  readonly after: ContactListPlace | null
  /** The attempts and the runs of this firing. */
  readonly pieces: number
  readonly runs: number
}

/**
 * Adds the runs of a rule for dates that were stored before the rule was saved. The job examines some contacts and
 * continues until it has examined all.
 */
export interface DatesJob {
  readonly kind: "rule_dates"
  readonly ruleId: string
  readonly field: string
  /** The last contact that was examined; null at the start. */
  readonly after: { readonly createdAt: number; readonly contactId: ContactId } | null
}

/** Adds the runs of a rule for dates of leads that were stored before the rule was saved, like `DatesJob`. */
export interface LeadDatesJob {
  readonly kind: "rule_lead_dates"
  readonly ruleId: string
  readonly field: string
  /** The last lead that was examined; null at the start. */
  readonly after: LeadKey | null
}

/** The jobs of rules. */
export type RuleJob = ScheduleJob | DatesJob | LeadDatesJob

/** Returns the id of the job of a schedule. Another schedule of the same rule has another job. */
export const scheduleJobId = ({ cron, ruleId, timeZone }: Pick<ScheduleJob, "cron" | "ruleId" | "timeZone">): string =>
  `rule_schedule:${ruleId}:${timeZone}:${cron}`

/** Returns the state of a job at the start of a firing. */
export const atFiring = (job: Pick<ScheduleJob, "cron" | "ruleId" | "timeZone">, firingAt: number): ScheduleJob => ({
  kind: "rule_schedule",
  ruleId: job.ruleId,
  cron: job.cron,
  timeZone: job.timeZone,
  firingAt,
  after: null,
  pieces: 0,
  runs: 0
})

/** Returns the id of the job for the stored dates of a field. */
export const datesJobId = ({
  field,
  kind,
  ruleId
}: Pick<DatesJob | LeadDatesJob, "field" | "kind" | "ruleId">): string => `${kind}:${ruleId}:${field}`
