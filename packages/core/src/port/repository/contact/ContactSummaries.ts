import type { Effect } from "effect"
import { Context } from "effect"
import type { ContactDigest, ContactSummary, DigestFilter, DigestKey } from "../../../domain/contact/ContactSummary.ts"
import type { ContactId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** What is walked through: contacts that are archived or not, by one filter, with activity after a time. */
export interface DigestWalk {
  readonly tenantId: string
  readonly archived: boolean
  readonly filter: DigestFilter
  /** Epoch milliseconds, exclusive. */
  readonly activeAfter: number
  /** The walk goes on behind this key; null: it begins with the newest. */
  readonly after: DigestKey | null
  readonly limit: number
}

/** Contacts by their last activity, with what lists of them are filtered by. Kept up to date by what changes it. */
export class ContactSummaries extends Context.Service<
  ContactSummaries,
  {
    /** Digests in order, newest activity first; of contacts that were merged away none. */
    readonly walk: (walk: DigestWalk) => Effect.Effect<ReadonlyArray<ContactDigest>, StoreUnavailable>
    /** Summaries of contacts, in no order. */
    readonly read: (
      tenantId: string,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyArray<ContactSummary>, StoreUnavailable>
  }
>()("core/port/repository/contact/ContactSummaries") {}
