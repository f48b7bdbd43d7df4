/**
 * Leads, their states, scores, tiers and list queries. Reading and changing stored leads belongs to `workflow/lead`.
 * Tests: `packages/core/test/domain/lead`, `packages/testkit/src/suite/lead`.
 */
import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { channels } from "../Channel.ts"
import { ContactId, LeadId, ThreadId } from "../Id.ts"
import { Classification } from "../classification/Classification.ts"
import { leadStates } from "./LeadState.ts"
import { ScoreFactor, tiers } from "./Score.ts"
import { Time } from "../Field.ts"

/** One enquiry of a contact, from `open` to `won` or `lost`. */
export class Lead extends Schema.Opaque<Lead>()(
  Schema.Struct({
    leadId: LeadId,
    tenantId: Schema.String,
    contactId: ContactId,
    /** The email thread of the lead. Null on other channels. */
    threadId: Schema.NullOr(ThreadId),
    channel: Schema.Literals(channels),
    source: Schema.String,
    /** 998 characters is the line limit of RFC 5322. */
    subject: Schema.NullOr(Schema.String.check(Schema.isMaxLength(998))),
    state: Schema.Literals(leadStates),
    /** 0 to 100. Null until the pipeline has scored the lead. */
    score: Schema.NullOr(Schema.Finite),
    tier: Schema.NullOr(Schema.Literals(tiers)),
    factors: Schema.Array(ScoreFactor),
    classification: Schema.NullOr(Classification),
    assignee: Schema.NullOr(Schema.String.check(Schema.isMaxLength(320))),
    createdAt: Time,
    updatedAt: Time,
    /** The time of the newest message. */
    lastMessageAt: Time,
    mergedInto: Schema.NullOr(LeadId).annotate({ description: "The lead into which this one was merged" })
  })
) {}

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
export class LeadNotFound extends TaggedError("LeadNotFound")<{ readonly leadId: string }> {}

/** The lead was merged into another lead. Change the other lead instead. */
export class LeadMerged extends TaggedError("LeadMerged")<{
  readonly leadId: LeadId
  /** The lead that the merge kept. It is never a merged lead itself. */
  readonly mergedInto: LeadId
}> {}

/** A request about a lead is invalid. `issues` names the fields. */
export class LeadRequestInvalid extends TaggedError("LeadRequestInvalid")<{
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}
