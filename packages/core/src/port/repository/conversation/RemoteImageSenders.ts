import type { Effect } from "effect"
import { Context } from "effect"
import type { ContactId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The contacts whose remote images a tenant shows. */
export class RemoteImageSenders extends Context.Service<
  RemoteImageSenders,
  {
    /** Allows the images of a contact at a time (epoch milliseconds). Does nothing if they are allowed already. */
    readonly allow: (tenantId: string, contactId: ContactId, at: number) => Effect.Effect<void, StoreUnavailable>
    readonly remove: (tenantId: string, contactId: string) => Effect.Effect<void, StoreUnavailable>
    readonly isAllowed: (tenantId: string, contactId: string) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("core/port/repository/conversation/RemoteImageSenders") {}
