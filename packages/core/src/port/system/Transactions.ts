/**
 * Ports to the platform: units of work, ids, randomness, encryption, object storage, outbound requests and request
 * limits. Access to single records belongs to `port/repository`, access to providers to `port/provider`.
 * Tests: `packages/testkit/src/suite/store`, `packages/testkit/src/suite/access`, `packages/core/test/port`.
 */
import { Context, type Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"

/**
 * The only technical error of store ports: the database cannot be reached or currently rejects work. Nothing was
 * stored, and the same call may succeed later.
 */
export class StoreUnavailable extends TaggedError("StoreUnavailable")<{
  /** The message of the database driver. It is written to the log and never sent to a client. */
  readonly reason: string
}> {}

/** Units of work across all store ports. */
export class Transactions extends Context.Service<
  Transactions,
  {
    /**
     * Runs a unit of work of one tenant. If it succeeds, all its writes are durable when this effect completes. If it
     * fails, none of its writes remains.
     *
     * The units of one tenant run one after another, even on different servers. Units that wait at the same time may
     * share one commit. If one of these units breaks the commit, the others run again from their start. A unit may
     * therefore use only store ports and the data of its own tenant. It must not use the network and must not sleep. A
     * nested unit becomes part of the outer one.
     */
    readonly atomically: <A, Err, R>(
      tenantId: string,
      unit: Effect.Effect<A, Err, R>
    ) => Effect.Effect<A, Err | StoreUnavailable, R>
  }
>()("core/port/system/Transactions") {}
