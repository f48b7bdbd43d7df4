import { Schema } from "effect"
import { Time } from "../Field.ts"
import { ContactId, DraftId, UserId } from "../Id.ts"
import { Composition } from "../sending/Composition.ts"
import { TaggedError } from "../TaggedError.ts"

/** The limit of drafts per conversation that people have written. */
export const maxAgentDrafts = 20

/** A message that people of the tenant prepare together. All people of the tenant can read, change and send it. */
export class AgentDraft extends Schema.Opaque<AgentDraft>()(
  Schema.Struct({
    draftId: DraftId.annotate({ description: "Draft id (`draft_…`)" }),
    tenantId: Schema.String,
    contactId: ContactId.annotate({ description: "The contact of the conversation" }),
    composition: Composition,
    version: Schema.Int.annotate({
      description:
        "The number of the version. Every change increases it. A change must name the version that it replaces"
    }),
    createdBy: Schema.String.annotate({ description: "The caller who created the draft" }),
    createdByUser: Schema.NullOr(UserId).annotate({ description: "The user who created the draft; null: unknown" }),
    updatedBy: Schema.String.annotate({ description: "The caller who last changed the draft" }),
    updatedByUser: Schema.NullOr(UserId).annotate({
      description: "The user who last changed the draft; null: unknown"
    }),
    createdAt: Time.annotate({ description: "The time at which the draft was created (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change (ISO 8601 in UTC)" })
  })
) {}

/** FROZEN, because keys of sends are stored. Returns the key of the only send that a draft can become. */
export const agentDraftKey = (draftId: DraftId): string => `agent_draft:${draftId}`

/** The contact has no such draft. */
export class AgentDraftNotFound extends TaggedError("AgentDraftNotFound")<{ readonly draftId: string }> {}

/** Another person has changed the draft. */
export class AgentDraftOutdated extends TaggedError("AgentDraftOutdated")<{ readonly current: AgentDraft }> {}

/** The conversation has too many drafts. */
export class AgentDraftLimitReached extends TaggedError("AgentDraftLimitReached")<{ readonly limit: number }> {}
