import type { Effect } from "effect"
import { Context } from "effect"
import type { ConsoleSession } from "../../../domain/access/ConsoleSession.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Sessions of the web console. A session is valid until its end, its revocation, or a change of its user's role. */
export class ConsoleSessions extends Context.Service<
  ConsoleSessions,
  {
    /** Stores a session. Deletes the tenant's sessions that have ended at `now`. */
    readonly add: (session: ConsoleSession, now: number) => Effect.Effect<void, StoreUnavailable>
    /** Returns a valid session; null for any other. */
    readonly find: (
      tenantId: string,
      sessionId: string,
      now: number
    ) => Effect.Effect<ConsoleSession | null, StoreUnavailable>
    /** Lists the valid sessions of a tenant, oldest first. */
    readonly list: (tenantId: string, now: number) => Effect.Effect<ReadonlyArray<ConsoleSession>, StoreUnavailable>
    /** Revokes a session. Returns whether it was valid. */
    readonly revoke: (tenantId: string, sessionId: string, now: number) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("core/port/repository/tenant/ConsoleSessions") {}
