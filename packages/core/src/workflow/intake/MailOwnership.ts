import { domainOf, normalizeEmail } from "../../domain/address/Address.ts"
import {
  type AuthenticationFindings,
  readAuthentication,
  type TrustsServer,
  verifiedAuthentication
} from "../../domain/email/authentication/ReadAuthentication.ts"
import { isHosted } from "../../domain/email/HostedMail.ts"
import type { ParsedMail } from "../../domain/email/ParsedMail.ts"
import type { MailArrival } from "./MailArrival.ts"

/** The relation of a mail to the tenant's own addresses. */
export interface Ownership {
  readonly isOwn: (email: string) => boolean
  /** True when the tenant itself sent the mail. */
  readonly own: boolean
  /**
   * True when the sender address is one of the tenant's addresses, but nothing proves that the tenant sent the mail.
   */
  readonly claimed: boolean
}

const unknown: AuthenticationFindings = { authentication: null, rejected: false }

/** Returns which servers may state the authentication of a mail. Microsoft's field has no authserv-id. */
const trustOf = ({ hosted, tenant }: MailArrival): TrustsServer => {
  const { provider } = hosted?.grant ?? { provider: null }
  const { trustedMailServers } = tenant.config
  return (id) =>
    provider === "google"
      ? id === "mx.google.com"
      : provider === "microsoft"
        ? id === ""
        : trustedMailServers.includes(id)
}

/**
 * Returns the authentication of a mail: the results in its header, or those of this server. For mail that a mail server
 * of the operator relayed, the header comes first, because only that server saw the address of the sender.
 */
export const authenticationOf = (arrival: MailArrival, mail: ParsedMail): AuthenticationFindings => {
  const { tenant, verification = { _tag: "TrustHeaders" } } = arrival
  if (verification._tag === "Off") return unknown
  if (verification._tag === "TrustHeaders") return readAuthentication(mail, trustOf(arrival))
  const read = verification.isRelayed ? readAuthentication(mail, trustOf(arrival)) : unknown
  const { trustedArcSealers } = tenant.config
  return read.authentication === null
    ? verifiedAuthentication(mail, verification.mail, (domain) => trustedArcSealers.includes(domain))
    : read
}

/**
 * Returns whether the circumstances prove the sender address of a mail, which is one of the tenant's addresses. Sender
 * addresses are easy to forge:
 *
 * - Mail over SMTP is proved if this server verified it. Results in a header are no proof, because any client can write
 *   them.
 * - Mail of a connected account is proved in the folder of sent mail. Otherwise its provider must have authenticated it.
 *   Without a known folder and without a result, the filter of forged mail of a hosted account is trusted. The server of
 *   a mailbox (`imap`) may have none, and may sort mail of strangers into any folder.
 * - An authenticated client is trusted, unless the receiving server did not authenticate the mail.
 */
const isProved = (
  { envelope, hosted, verification }: MailArrival,
  { authentication, rejected }: AuthenticationFindings
): boolean => {
  if (hosted?.sent === true) return true
  if (rejected) return false
  if (envelope !== undefined) return verification?._tag === "Verified" && authentication?.fromDomainAligned === true
  if (authentication !== null) return authentication.fromDomainAligned
  return hosted === undefined || (hosted.sent === null && isHosted(hosted.grant.provider))
}

/**
 * Decides whether the tenant itself sent a mail: all sender addresses are the tenant's, and the circumstances prove
 * them. In a hosted account, only the addresses of connected accounts count outside the folder of sent mail. For mail that
 * this server sent, the result does not matter, because the mail is recognised as a duplicate. `connected` are the
 * addresses of all accounts of the tenant.
 */
export const ownershipOf = (
  arrival: MailArrival,
  mail: ParsedMail,
  connected: ReadonlySet<string>,
  findings: AuthenticationFindings
): Ownership => {
  const { hosted, tenant } = arrival
  const isOwn = (email: string): boolean => {
    const address = normalizeEmail(email)
    return connected.has(address) || (tenant.domain !== null && domainOf(address) === tenant.domain)
  }
  const isReceived = hosted !== undefined && hosted.sent !== true
  const mayWrite = (email: string): boolean => (isReceived ? connected.has(normalizeEmail(email)) : isOwn(email))
  const written = mail.from.some(({ email }) => isOwn(email))
  const own = written && mail.from.every(({ email }) => mayWrite(email)) && isProved(arrival, findings)
  return { isOwn, own, claimed: written && !own }
}
