import type { Effect } from "effect"
import { Context } from "effect"
import type { AssistantAccess } from "../../../domain/assistant/AssistantAccess.ts"
import type { ToolAnswer } from "../../../domain/assistant/ToolCall.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The voice assistants of tenants: their credentials, and the answers that they have received. */
export class Assistants extends Context.Service<
  Assistants,
  {
    readonly find: (tenantId: string) => Effect.Effect<AssistantAccess | null, StoreUnavailable>
    /** Stores the tenant's credentials. Earlier ones are replaced. */
    readonly save: (access: AssistantAccess) => Effect.Effect<void, StoreUnavailable>
    /** Deletes the tenant's credentials. Returns false when there were none. */
    readonly remove: (tenantId: string) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Returns the stored answer to an earlier tool call with the same id. Returns null when the call is new, or when
     * its answer was deleted.
     */
    readonly answer: (tenantId: string, answerId: string) => Effect.Effect<ToolAnswer | null, StoreUnavailable>
    /**
     * Stores the answer to a tool call, so that a repetition of the call gets the same answer. Call it in the unit of
     * work that carries out the tool call.
     */
    readonly keepAnswer: (
      tenantId: string,
      answerId: string,
      answer: ToolAnswer,
      now: number
    ) => Effect.Effect<void, StoreUnavailable>
    /** Deletes up to `limit` answers of a tenant that are older than `before`. */
    readonly forget: (tenantId: string, before: number, limit: number) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/tenant/Assistants") {}
