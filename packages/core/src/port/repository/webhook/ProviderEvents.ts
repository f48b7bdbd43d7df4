import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The ids of the provider events that were received. They prevent a repeated event from taking effect twice. */
export class ProviderEvents extends Context.Service<
  ProviderEvents,
  {
    /**
     * Records a provider event by its id at `now` (epoch milliseconds). Returns false when the event was already
     * received. Call it in the unit of work that applies the event.
     */
    readonly receive: (
      tenantId: string,
      provider: string,
      providerEventId: string,
      now: number
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Deletes up to `limit` provider events of a tenant that were received before a time. Returns their number. */
    readonly expire: (tenantId: string, before: number, limit: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/webhook/ProviderEvents") {}
