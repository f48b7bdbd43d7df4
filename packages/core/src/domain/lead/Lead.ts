/**
 * Leads, their states, scores, tiers and list queries. Reading and changing stored leads belongs to `workflow/lead`.
 * Tests: `packages/core/test/domain/lead`, `packages/testkit/src/suite/lead`.
 */
import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { channels } from "../Channel.ts"
import { ContactId, LeadId, TeamId, ThreadId, UserId } from "../Id.ts"
import { Classification } from "../classification/Classification.ts"
import { dealFields, noDeal } from "./Deal.ts"
import { leadStates } from "./LeadState.ts"
import { ScoreFactor, tiers } from "./Score.ts"
import { Time } from "../Field.ts"

/** One enquiry of a contact, from `open` to `won` or `lost`. */
export class Lead extends Schema.Opaque<Lead>()(
  Schema.Struct({
    leadId: LeadId.annotate({ description: "Lead id (`lead_…`). Ids sort by creation time" }),
    tenantId: Schema.String.annotate({ description: "The tenant of the lead" }),
    contactId: ContactId.annotate({ description: "The contact who made the enquiry" }),
    threadId: Schema.NullOr(ThreadId).annotate({ description: "The email thread of the lead. Null on other channels" }),
    channel: Schema.Literals(channels),
    source: Schema.String.annotate({
      description: "The origin of the first message, for example `email`, a source id or the `source` of the request"
    }),
    /** 998 characters is the line limit of RFC 5322. */
    subject: Schema.NullOr(Schema.String.check(Schema.isMaxLength(998))).annotate({
      description: "The subject line or a short title; at most 998 characters; null: none"
    }),
    state: Schema.Literals(leadStates).annotate({
      description:
        "The position in the sales process. Messages and rules move a lead from `open` towards `won` or `lost`; an archived lead needs no work"
    }),
    /** 0 to 100. Null until the pipeline has scored the lead. */
    score: Schema.NullOr(Schema.Finite).annotate({
      description: "0 to 100, from the latest scoring; null until the pipeline has scored the lead"
    }),
    tier: Schema.NullOr(Schema.Literals(tiers)).annotate({
      description:
        "The score compared with the tenant's thresholds: `hot` (default: from 70), `warm` (from 40) or `cold`; null without a score"
    }),
    factors: Schema.Array(ScoreFactor).annotate({
      description: "The components of the score. Their points add up to the score; empty without a score"
    }),
    classification: Schema.NullOr(Classification).annotate({
      description: "The latest classification of a message of the lead; null: no message was classified"
    }),
    assignee: Schema.NullOr(Schema.String.check(Schema.isMaxLength(320))).annotate({
      description: "The person responsible for the lead, as a name or an address; null: nobody is assigned"
    }),
    ...dealFields,
    assigneeId: Schema.NullOr(UserId).annotate({
      description: "The user responsible for the lead (`usr_…`); null: no user is assigned"
    }),
    teamId: Schema.NullOr(TeamId).annotate({
      description: "The team responsible for the lead (`team_…`); null: no team is assigned"
    }),
    createdAt: Time.annotate({ description: "The time at which the lead was opened (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change of the lead (ISO 8601 in UTC)" }),
    /** The time of the newest message. */
    lastMessageAt: Time.annotate({ description: "The time of the newest message of the lead (ISO 8601 in UTC)" }),
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
  ...noDeal,
  assigneeId: null,
  teamId: null,
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
