import type { Effect } from "effect"
import { Context } from "effect"
import type { StreamTicket } from "../../../domain/access/StreamTicket.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Unused tickets of event streams. Call every method inside a unit of work of the tenant. */
export class StreamTickets extends Context.Service<
  StreamTickets,
  {
    /** Stores a ticket. Deletes the tenant's tickets that have expired at `now`. */
    readonly add: (ticket: StreamTicket, now: number) => Effect.Effect<void, StoreUnavailable>
    /** Deletes and returns a ticket. Returns null if it is unknown, used or expired, or belongs to another tenant. */
    readonly take: (tenantId: string, hash: string, now: number) => Effect.Effect<StreamTicket | null, StoreUnavailable>
  }
>()("core/port/repository/tenant/StreamTickets") {}
