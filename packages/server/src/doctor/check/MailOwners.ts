import type { MailConflict } from "@leadloom/store/internal/admin/MailConflicts"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, type Finding, warning } from "../Finding.ts"

/** The maximum number of conflicts in the report. Of further conflicts, only their number is reported. */
const maxListed = 50

const findingOf = ({ kind, name, owner, tenantId }: MailConflict): Finding => {
  switch (kind) {
    case "domain":
      return warning(
        `The tenants ${owner} and ${tenantId} have the domain ${name}. Mail goes to ${owner}, except for addresses that ${tenantId} has connected.`,
        `Archive ${tenantId} and create it again with another domain, or without one.`
      )
    case "address":
      return warning(
        `The tenants ${owner} and ${tenantId} have connected ${name}. Mail goes to ${owner}, which connected it first.`,
        `Disconnect the account of ${tenantId}, or remove the address from its aliases.`
      )
    case "foreign_domain":
      return warning(
        `The tenant ${tenantId} has connected ${name}, on the domain of ${owner}. Mail goes to ${owner}.`,
        `Disconnect the account of ${tenantId}, or remove the address from its aliases.`
      )
    case "public_domain":
      return warning(
        `The tenant ${tenantId} has the public mail domain ${name}.`,
        `Archive ${tenantId} and create it again without a domain.`
      )
  }
}

/** Checks that each domain and each connected address belongs to one tenant. */
export const mailOwners: Check = {
  name: "mail owners",
  run: ({ database }) =>
    Effect.sync(() => {
      if (database === null || !("examination" in database)) return []
      const { mailConflicts } = database.examination
      if (mailConflicts.length === 0) return [healthy("Each domain and each connected address belongs to one tenant.")]
      const more = mailConflicts.length - maxListed
      const rest =
        more > 0
          ? [warning(`${more} further conflicts exist.`, "Resolve the conflicts above, and run the doctor again.")]
          : []
      return [...mailConflicts.slice(0, maxListed).map(findingOf), ...rest]
    })
}
