import type { MailConflict } from "@leadloom/store/admin/MailConflicts"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, type Finding, warning } from "../Finding.ts"

/** Conflicts that are listed one by one. */
const maxListed = 50

const findingOf = ({ kind, name, owner, tenantId }: MailConflict): Finding => {
  switch (kind) {
    case "domain":
      return warning(
        `The tenants ${owner} and ${tenantId} have the domain ${name}: mail goes to ${owner}, but for addresses that ${tenantId} has connected.`,
        `Archive ${tenantId} and create it again with a domain of its own, or without one.`
      )
    case "address":
      return warning(
        `The tenants ${owner} and ${tenantId} have connected ${name}: mail goes to ${owner}, which connected it first.`,
        `Disconnect the account of ${tenantId}, or take the address out of its aliases.`
      )
    case "foreign_domain":
      return warning(
        `The tenant ${tenantId} has connected ${name}, on the domain of ${owner}: mail goes to ${owner}.`,
        `Disconnect the account of ${tenantId}, or take the address out of its aliases.`
      )
    case "public_domain":
      return warning(
        `The tenant ${tenantId} has the domain ${name}, on which anybody can have an address.`,
        `Archive ${tenantId} and create it again without a domain.`
      )
  }
}

/** Each domain and each connected address belongs to one tenant. */
export const mailOwners: Check = {
  name: "mail owners",
  run: ({ database }) =>
    Effect.sync(() => {
      if (database === null || !("examination" in database)) return []
      const { mailConflicts } = database.examination
      if (mailConflicts.length === 0) return [healthy("Each domain and each connected address belongs to one tenant.")]
      const more = mailConflicts.length - maxListed
      const rest =
        more > 0 ? [warning(`There are ${more} further conflicts.`, "Resolve those above, and look again.")] : []
      return [...mailConflicts.slice(0, maxListed).map(findingOf), ...rest]
    })
}
