import type { Effect } from "effect"
import { Context } from "effect"
import type { AssistantAccess } from "../../../domain/assistant/AssistantAccess.ts"
import type { ToolAnswer } from "../../../domain/assistant/ToolCall.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Voice assistants of tenants: who they are, and what they have been answered. */
export class Assistants extends Context.Service<
  Assistants,
  {
    readonly find: (tenantId: string) => Effect.Effect<AssistantAccess | null, StoreUnavailable>
    /** Replaces what the tenant has. */
    readonly save: (access: AssistantAccess) => Effect.Effect<void, StoreUnavailable>
    /** False: there was nothing. */
    readonly remove: (tenantId: string) => Effect.Effect<boolean, StoreUnavailable>
    /** What the same question was answered before; null: it is new, or forgotten. */
    readonly answer: (tenantId: string, answerId: string) => Effect.Effect<ToolAnswer | null, StoreUnavailable>
    /** Keeps an answer for whoever asks again. Called in the unit of work that did what was asked. */
    readonly keepAnswer: (
      tenantId: string,
      answerId: string,
      answer: ToolAnswer,
      now: number
    ) => Effect.Effect<void, StoreUnavailable>
    /** Forgets answers of a tenant from before a time, `limit` at most. */
    readonly forget: (tenantId: string, before: number, limit: number) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/tenant/Assistants") {}
