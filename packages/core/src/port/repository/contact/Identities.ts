import { Context, type Effect } from "effect"
import type { IdentityDetails, StoredIdentity } from "../../../domain/contact/ContactIdentity.ts"
import type { Identity } from "../../../domain/contact/Identity.ts"
import type { ContactId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The details of identities. `Contacts` assigns identities to contacts. */
export class Identities extends Context.Service<
  Identities,
  {
    /** Lists the identities of a contact, oldest first. */
    readonly ofContact: (
      tenantId: string,
      contactId: string
    ) => Effect.Effect<ReadonlyArray<StoredIdentity>, StoreUnavailable>
    /** Lists the identities of contacts. Contacts without identities are missing. */
    readonly ofContacts: (
      tenantId: string,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyMap<ContactId, ReadonlyArray<Identity>>, StoreUnavailable>
    /** Replaces the details of an identity. Does nothing for an unknown identity. */
    readonly describe: (
      tenantId: string,
      identity: Identity,
      details: IdentityDetails
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/Identities") {}
