import { Context, Data, type Effect } from "effect"

/**
 * The one technical error of every store port: the database cannot be reached or refuses to work right now. Nothing
 * was stored; the same call may succeed later.
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  /** What the database driver said, for the log, never for a client. */
  readonly reason: string
}> {}

/** All-or-nothing units of work across every store port. */
export class Transactions extends Context.Service<
  Transactions,
  {
    /**
     * Runs a unit of work of one tenant so that everything it wrote is there when this returns, or nothing is when it
     * fails. Units of a tenant run one after another, whichever server they come from; many that wait at once may share
     * one durable commit. A unit touches what is that tenant's, through store ports only: no network, no sleeping. It
     * may be run again from its start when others that shared its commit broke it. A unit inside a unit becomes part of
     * it.
     */
    readonly atomically: <A, Err, R>(
      tenantId: string,
      unit: Effect.Effect<A, Err, R>
    ) => Effect.Effect<A, Err | StoreUnavailable, R>
  }
>()("core/port/system/Transactions") {}
