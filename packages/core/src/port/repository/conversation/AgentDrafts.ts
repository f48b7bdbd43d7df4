import type { Effect } from "effect"
import { Context } from "effect"
import type { AgentDraft } from "../../../domain/draft/AgentDraft.ts"
import type { DraftId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Drafts that people of the tenant have written. Read a draft in the unit of work that changes it. */
export class AgentDrafts extends Context.Service<
  AgentDrafts,
  {
    readonly insert: (draft: AgentDraft) => Effect.Effect<void, StoreUnavailable>
    readonly find: (tenantId: string, draftId: string) => Effect.Effect<AgentDraft | null, StoreUnavailable>
    /** Lists up to `limit` drafts of a conversation, oldest first. */
    readonly ofContact: (
      tenantId: string,
      contactId: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<AgentDraft>, StoreUnavailable>
    readonly replace: (draft: AgentDraft) => Effect.Effect<void, StoreUnavailable>
    readonly remove: (tenantId: string, draftId: DraftId) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/conversation/AgentDrafts") {}
