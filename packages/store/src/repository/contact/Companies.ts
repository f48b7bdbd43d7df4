import { Company, CompanyNotFound } from "@leadloom/core/internal/domain/company/Company"
import {
  Companies,
  type LinkableContact,
  type ListedCompany
} from "@leadloom/core/internal/port/repository/contact/Companies"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

export const companies = table(Company, { name: "companies", key: ["tenantId", "companyId"] })

/** A character of the private use area that follows all others of names. It ends a range of names with one prefix. */
const lastCharacter = "\u{10FFFD}"

/** Stores companies in SQL. */
export const layer: Layer.Layer<Companies, never, Database> = Layer.effect(
  Companies,
  Effect.map(Database, ({ by, command, isOneOf, query }) => {
    const { all, one } = companies.reading({ query })
    const find = one(`SELECT ${companies.columns} FROM companies WHERE tenant_id = ? AND company_id = ?`)
    const withDomains = all(
      `SELECT ${companies.columns} FROM companies ${by("companies_domain")}
        WHERE tenant_id = ? AND domain IS NOT NULL AND ${isOneOf("domain")}`
    )
    const page = all<ListedCompany>(
      `SELECT ${companies.columns}, lower(name) AS "nameKey" FROM companies ${by("companies_name")}
        WHERE tenant_id = ? AND lower(name) >= lower(?) AND lower(name) < lower(?) AND (lower(name), company_id) > (?, ?)
        ORDER BY lower(name), company_id LIMIT ?`
    )
    // The limit counts all contacts, so that a statement reads few rows also if all contacts have a company.
    const contactsAfter = query<LinkableContact & { readonly linkable: number }>(
      `SELECT contact_id AS "contactId", email,
          CASE WHEN email IS NOT NULL AND company_id IS NULL AND company_removed = 0 AND merged_into IS NULL
            THEN 1 ELSE 0 END AS linkable
        FROM contacts WHERE tenant_id = ? AND contact_id > ? ORDER BY contact_id LIMIT ?`
    )
    const insert = command(companies.insert)
    const replace = command(companies.replace)
    const remove = command("DELETE FROM companies WHERE tenant_id = ? AND company_id = ?")
    return Companies.of({
      get: (tenantId, companyId) =>
        Effect.flatMap(find(tenantId, companyId), (found) =>
          found === null ? Effect.fail(new CompanyNotFound({ companyId })) : Effect.succeed(found)
        ),
      withDomains: (tenantId, domains) =>
        domains.length === 0 ? Effect.succeed([]) : withDomains(tenantId, JSON.stringify(domains)),
      page: (tenantId, prefix, limit, after) =>
        page(tenantId, prefix, `${prefix}${lastCharacter}`, after?.name ?? "", after?.companyId ?? "", limit),
      linkableContacts: (tenantId, after, limit) =>
        Effect.map(contactsAfter(tenantId, after, limit), (rows) => ({
          contacts: rows.filter(({ linkable }) => linkable === 1).map(({ contactId, email }) => ({ contactId, email })),
          last: rows.length < limit ? null : (rows.at(-1)?.contactId ?? null)
        })),
      insert: (company) => insert(...companies.values(company)),
      update: (company) => replace(...companies.changes(company)),
      remove: (tenantId, companyId) => remove(tenantId, companyId)
    })
  })
)
