import { Context, type Effect } from "effect"
import type { Company, CompanyNotFound } from "../../../domain/company/Company.ts"
import type { ContactId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The position of a company in the list. */
export interface CompanyKey {
  /** The name with the letters A to Z in lower case. */
  readonly name: string
  readonly companyId: string
}

/** A company with its name for comparison. */
export type ListedCompany = Company & { readonly nameKey: string }

/** A contact that may be linked to the company of its address. */
export interface LinkableContact {
  readonly contactId: ContactId
  readonly email: string
}

/** A part of the contacts of a tenant. */
export interface LinkableContacts {
  readonly contacts: ReadonlyArray<LinkableContact>
  /** The last contact of the part; null at the end of the list. */
  readonly last: ContactId | null
}

/** The companies of tenants. Each contact stores the id of its company. */
export class Companies extends Context.Service<
  Companies,
  {
    readonly get: (tenantId: string, companyId: string) => Effect.Effect<Company, CompanyNotFound | StoreUnavailable>
    /** Returns the companies with one of these domains, in any order. */
    readonly withDomains: (
      tenantId: string,
      domains: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Company>, StoreUnavailable>
    /** Lists the companies whose name starts with `prefix` after `after`, by name. The case of A to Z is ignored. */
    readonly page: (
      tenantId: string,
      prefix: string,
      limit: number,
      after: CompanyKey | null
    ) => Effect.Effect<ReadonlyArray<ListedCompany>, StoreUnavailable>
    /**
     * Reads the `limit` contacts after `after`, in the order of their ids. Returns those that have an address and no
     * company, and that no person removed from one. Merged contacts are not included.
     */
    readonly linkableContacts: (
      tenantId: string,
      after: string,
      limit: number
    ) => Effect.Effect<LinkableContacts, StoreUnavailable>
    readonly insert: (company: Company) => Effect.Effect<void, StoreUnavailable>
    /** Replaces an existing company. Does nothing for an unknown company. */
    readonly update: (company: Company) => Effect.Effect<void, StoreUnavailable>
    /** Deletes a company. Contacts must not belong to it any more. */
    readonly remove: (tenantId: string, companyId: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/Companies") {}
