import type { Effect } from "effect"
import { Context } from "effect"
import type { Macro, MacroNotFound } from "../../../domain/rule/Macro.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The macros of tenants. */
export class Macros extends Context.Service<
  Macros,
  {
    readonly insert: (macro: Macro) => Effect.Effect<void, StoreUnavailable>
    /** Fails with `MacroNotFound` for an unknown id and for another tenant's. */
    readonly get: (tenantId: string, macroId: string) => Effect.Effect<Macro, MacroNotFound | StoreUnavailable>
    /** Replaces an existing macro. Does nothing for an unknown macro. */
    readonly update: (macro: Macro) => Effect.Effect<void, StoreUnavailable>
    readonly remove: (tenantId: string, macroId: string) => Effect.Effect<void, StoreUnavailable>
    /** Lists the macros of a tenant, at most `maxMacros`, oldest first. */
    readonly list: (tenantId: string) => Effect.Effect<ReadonlyArray<Macro>, StoreUnavailable>
  }
>()("core/port/repository/conversation/Macros") {}
