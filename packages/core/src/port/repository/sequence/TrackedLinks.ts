import type { Effect } from "effect"
import { Context } from "effect"
import type { TrackedLink } from "../../../domain/link/TrackedLink.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The links in emails of sequences whose openings are recorded. */
export class TrackedLinks extends Context.Service<
  TrackedLinks,
  {
    /** Stores the links of a message, in the unit of work that reserves it. */
    readonly insert: (links: ReadonlyArray<TrackedLink>) => Effect.Effect<void, StoreUnavailable>
    /** Returns null for an unknown token and for another tenant's. */
    readonly find: (tenantId: string, token: string) => Effect.Effect<TrackedLink | null, StoreUnavailable>
    /** Returns the links of a message in their order. */
    readonly ofMessage: (
      tenantId: string,
      messageId: string
    ) => Effect.Effect<ReadonlyArray<TrackedLink>, StoreUnavailable>
    /** Stores the time at which a message is handed over to its provider. */
    readonly markSent: (tenantId: string, messageId: string, at: number) => Effect.Effect<void, StoreUnavailable>
    /** Replaces the record. Read it in the same unit of work first. */
    readonly replace: (link: TrackedLink) => Effect.Effect<void, StoreUnavailable>
    /** Returns the ids of those messages of enrolments of which a link was opened. */
    readonly openedMessages: (
      tenantId: string,
      enrolmentIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>
    /** Deletes up to `limit` links from before a time, oldest first. Returns their number. */
    readonly expire: (tenantId: string, before: number, limit: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/sequence/TrackedLinks") {}
