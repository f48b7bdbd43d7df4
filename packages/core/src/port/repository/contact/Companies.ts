import { Context, type Effect } from "effect"
import type { Company, CompanyNotFound } from "../../../domain/company/Company.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The position of a company in the list. */
export interface CompanyKey {
  /** The name with the letters A to Z in lower case. */
  readonly name: string
  readonly companyId: string
}

/** A company with its name for comparison. */
export type ListedCompany = Company & { readonly nameKey: string }

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
    readonly insert: (company: Company) => Effect.Effect<void, StoreUnavailable>
    /** Replaces an existing company. Does nothing for an unknown company. */
    readonly update: (company: Company) => Effect.Effect<void, StoreUnavailable>
    /** Deletes a company. Contacts must not belong to it any more. */
    readonly remove: (tenantId: string, companyId: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/Companies") {}
