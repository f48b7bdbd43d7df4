import { companyDomainsOf } from "../../domain/company/Company.ts"
import { identityKey, lookupIdentities } from "../../domain/contact/Identity.ts"
import { idsToLookUp } from "../../domain/email/thread/Thread.ts"
import type { AcceptanceReads } from "../../port/system/Transactions.ts"
import type { Inbound } from "./Inbound.ts"
import type { Recognised } from "./Recognise.ts"

/** Returns the keys by which the unit that accepts a message finds stored records. */
export const readsOf = (
  { channel, dedupKeys, identities, mail, profile }: Inbound,
  recognised: Recognised
): AcceptanceReads => {
  const alias = mail?.provider?.thread ?? null
  const ids = mail === null ? [] : idsToLookUp({ ownId: mail.internetMessageId, references: mail.references })
  return {
    dedupKeys: recognised._tag === "New" ? recognised.absent : dedupKeys,
    identities: lookupIdentities(identities).map(identityKey),
    companyDomains: companyDomainsOf(profile.email),
    threadIds: alias === null ? ids : [...ids, alias],
    // Mail finds its lead through its thread.
    newestLead: channel !== "email"
  }
}
