/**
 * Leads, their states, scores, tiers and list queries. Reading and changing stored leads belongs to `workflow/lead`.
 * Tests: `packages/core/test/domain/lead`, `packages/testkit/src/suite/lead`.
 */
import { Data } from "effect"
import type { Channel } from "../Channel.ts"
import type { ContactId, LeadId, ThreadId } from "../Id.ts"
import type { Classification } from "../classification/Classification.ts"
import type { LeadState } from "./LeadState.ts"
import type { ScoreFactor, Tier } from "./Score.ts"

/** One matter of a contact, from `open` to `won` or `lost`. */
export interface Lead {
  readonly leadId: LeadId
  readonly tenantId: string
  readonly contactId: ContactId
  /** The email thread of the lead. Null on other channels. */
  readonly threadId: ThreadId | null
  readonly channel: Channel
  readonly source: string
  readonly subject: string | null
  readonly state: LeadState
  /** 0 to 100. Null until the pipeline has scored the lead. */
  readonly score: number | null
  readonly tier: Tier | null
  readonly factors: ReadonlyArray<ScoreFactor>
  readonly classification: Classification | null
  readonly assignee: string | null
  readonly createdAt: number
  readonly updatedAt: number
  /** The time of the newest message in epoch milliseconds. */
  readonly lastMessageAt: number
  /** The older lead into which this one was merged when a message linked their threads. */
  readonly mergedInto: LeadId | null
}

/** The initial fields of a lead. */
export type LeadBeginning = Pick<
  Lead,
  "leadId" | "tenantId" | "contactId" | "threadId" | "channel" | "source" | "subject" | "lastMessageAt"
>

/** Creates an open lead without a score. */
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

/** The tenant has no such lead. */
export class LeadNotFound extends Data.TaggedError("LeadNotFound")<{ readonly leadId: string }> {}

/** The lead was merged into another one. Change that one instead. */
export class LeadMerged extends Data.TaggedError("LeadMerged")<{
  readonly leadId: LeadId
  /** The remaining lead. It is never a merged lead itself. */
  readonly mergedInto: LeadId
}> {}

/** A request about a lead is invalid. `issues` names the fields. */
export class LeadRequestInvalid extends Data.TaggedError("LeadRequestInvalid")<{
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}
