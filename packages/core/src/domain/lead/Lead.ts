import { Data } from "effect"
import type { Channel } from "../Channel.ts"
import type { ContactId, LeadId, ThreadId } from "../Id.ts"
import type { Classification } from "../classification/Classification.ts"
import type { LeadState } from "./LeadState.ts"
import type { ScoreFactor, Tier } from "./Score.ts"

/** One matter a contact came with, on its way to being won or lost. */
export interface Lead {
  readonly leadId: LeadId
  readonly tenantId: string
  readonly contactId: ContactId
  /** The email thread it belongs to; null for the other channels. */
  readonly threadId: ThreadId | null
  readonly channel: Channel
  readonly source: string
  readonly subject: string | null
  readonly state: LeadState
  /** 0 to 100; null until the pipeline has scored it. */
  readonly score: number | null
  readonly tier: Tier | null
  readonly factors: ReadonlyArray<ScoreFactor>
  readonly classification: Classification | null
  readonly assignee: string | null
  readonly createdAt: number
  readonly updatedAt: number
  /** Time of its newest message, epoch milliseconds. */
  readonly lastMessageAt: number
  /** The older lead it was merged into when a message linked their threads. */
  readonly mergedInto: LeadId | null
}

/** What a lead begins with. */
export type LeadBeginning = Pick<
  Lead,
  "leadId" | "tenantId" | "contactId" | "threadId" | "channel" | "source" | "subject" | "lastMessageAt"
>

/** A lead as it begins: open, and scored by nobody yet. */
export const beginLead = (beginning: LeadBeginning, now: number): Lead => ({
  ...beginning,
  state: "open",
  score: null,
  tier: null,
  factors: [],
  classification: null,
  assignee: null,
  createdAt: now,
  updatedAt: now,
  mergedInto: null
})

/** No such lead in this tenant. */
export class LeadNotFound extends Data.TaggedError("LeadNotFound")<{ readonly leadId: string }> {}

/** The lead was merged into another one, which is the one to change. */
export class LeadMerged extends Data.TaggedError("LeadMerged")<{
  readonly leadId: LeadId
  /** The lead that stays; never a merged one itself. */
  readonly mergedInto: LeadId
}> {}

/** A request about a lead says something that cannot be; `issues` names the fields. */
export class LeadRequestInvalid extends Data.TaggedError("LeadRequestInvalid")<{
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}
