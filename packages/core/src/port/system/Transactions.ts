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
}> {
  /** Shows the reason where a log prints the cause of a failed item. */
  override get message(): string {
    return this.reason
  }
}

/**
 * The keys by which a unit that accepts a message finds stored records. With them, a database can read the records of
 * many units at once, before it runs the units.
 */
export interface AcceptanceReads {
  /** The dedup keys, and the tombstones of those that an erased message may have had. */
  readonly dedupKeys: ReadonlyArray<string>
  /** The keys of the identities, from `identityKey`. */
  readonly identities: ReadonlyArray<string>
  /** The domains by which the company of a new contact is found. */
  readonly companyDomains: ReadonlyArray<string>
  /** The ids in the thread index. */
  readonly threadIds: ReadonlyArray<string>
  /** Whether the unit looks for the newest lead of the contact that has one of the identities. */
  readonly newestLead: boolean
}

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
     *
     * A unit that accepts a message may name its `reads`. The database may then run it with other such units and write
     * the rows of all of them with one statement per table. The result is the same.
     */
    readonly atomically: <A, Err, R>(
      tenantId: string,
      unit: Effect.Effect<A, Err, R>,
      reads?: AcceptanceReads
    ) => Effect.Effect<A, Err | StoreUnavailable, R>
  }
>()("core/port/system/Transactions") {}
