import type { Effect } from "effect"
import { Context } from "effect"
import type { AssistantAccess } from "../../../domain/assistant/AssistantAccess.ts"
import type { ToolAnswer } from "../../../domain/assistant/ToolCall.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Voice assistants of tenants: their access, and the answers that they have received. */
export class Assistants extends Context.Service<
  Assistants,
  {
    readonly find: (tenantId: string) => Effect.Effect<AssistantAccess | null, StoreUnavailable>
    /** Replaces the tenant's access. */
    readonly save: (access: AssistantAccess) => Effect.Effect<void, StoreUnavailable>
    /** Removes the tenant's access. Returns false when there was none. */
    readonly remove: (tenantId: string) => Effect.Effect<boolean, StoreUnavailable>
    /** Returns the answer to an earlier call with the same id. Null when the call is new or its answer has expired. */
    readonly answer: (tenantId: string, answerId: string) => Effect.Effect<ToolAnswer | null, StoreUnavailable>
    /** Stores an answer for repetitions of the same call. Call it in the unit of work that executes the call. */
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
