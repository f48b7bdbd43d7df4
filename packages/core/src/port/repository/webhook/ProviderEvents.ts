import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** What providers have told already, so that nothing follows twice from what they tell again. */
export class ProviderEvents extends Context.Service<
  ProviderEvents,
  {
    /**
     * Notes that a provider told something under an id of its own, at `now` (epoch milliseconds). False: it has been told
     * before. Called in the unit of work that writes what follows from it.
     */
    readonly receive: (
      tenantId: string,
      provider: string,
      providerEventId: string,
      now: number
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Forgets up to `limit` provider events of a tenant that came before a time; answers how many. */
    readonly expire: (tenantId: string, before: number, limit: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/webhook/ProviderEvents") {}
