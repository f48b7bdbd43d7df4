/**
 * Ports to the platform: units of work, ids, randomness, encryption, object storage, outbound requests and request
 * limits. Access to single records belongs to `port/repository`, access to providers to `port/provider`.
 * Tests: `packages/testkit/src/suite/store`, `packages/testkit/src/suite/access`, `packages/core/test/port`.
 */
import { Context, Data, type Effect } from "effect"

/**
 * The only technical error of store ports: the database cannot be reached or rejects work at the moment. Nothing was
 * stored; the same call may succeed later.
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  /** The message of the database driver, for the log, never for a client. */
  readonly reason: string
}> {}

/** Atomic units of work across all store ports. */
export class Transactions extends Context.Service<
  Transactions,
  {
    /**
     * Runs a unit of work of one tenant. All its writes are durable when this returns; none remains when it fails.
     *
     * Units of one tenant run one after another, even on different servers. Units that wait concurrently may share one
     * commit. When another unit breaks a shared commit, a unit may run again from its start. It may therefore use only
     * store ports and data of its own tenant: no network and no sleep. A nested unit becomes part of the outer one.
     */
    readonly atomically: <A, Err, R>(
      tenantId: string,
      unit: Effect.Effect<A, Err, R>
    ) => Effect.Effect<A, Err | StoreUnavailable, R>
  }
>()("core/port/system/Transactions") {}
