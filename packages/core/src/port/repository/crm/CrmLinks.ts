import type { Effect } from "effect"
import { Context } from "effect"
import type { CrmLink } from "../../../domain/crm/CrmContact.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Which contact of a CRM is which of ours. A contact of the CRM is one of ours at most. */
export class CrmLinks extends Context.Service<
  CrmLinks,
  {
    readonly ofCrm: (
      tenantId: string,
      locationId: string,
      crmContactId: string
    ) => Effect.Effect<CrmLink | null, StoreUnavailable>
    /** The links of one of our contacts, oldest first. */
    readonly ofContact: (tenantId: string, contactId: string) => Effect.Effect<ReadonlyArray<CrmLink>, StoreUnavailable>
    readonly insert: (link: CrmLink) => Effect.Effect<void, StoreUnavailable>
    /** As `CrmInstalls.replace`. */
    readonly replace: (link: CrmLink, version: number) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("core/port/repository/crm/CrmLinks") {}
