/**
 * Ports to the stored state of CRM connections: locations, installations, links and first syncs. Requests to the CRM
 * belong to `port/provider/Crm.ts`.
 * Tests: `packages/testkit/src/suite/crm`.
 */
import type { Effect } from "effect"
import { Context } from "effect"
import type { CrmLink } from "../../../domain/crm/CrmContact.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Links between contacts and CRM contacts. A CRM contact has at most one link. */
export class CrmLinks extends Context.Service<
  CrmLinks,
  {
    readonly ofCrm: (
      tenantId: string,
      locationId: string,
      crmContactId: string
    ) => Effect.Effect<CrmLink | null, StoreUnavailable>
    /** Lists the links of a contact, oldest first. */
    readonly ofContact: (tenantId: string, contactId: string) => Effect.Effect<ReadonlyArray<CrmLink>, StoreUnavailable>
    readonly insert: (link: CrmLink) => Effect.Effect<void, StoreUnavailable>
    /** Replaces a link under the same conditions as `CrmInstalls.replace`. */
    readonly replace: (link: CrmLink, version: number) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("core/port/repository/crm/CrmLinks") {}
