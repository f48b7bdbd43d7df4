import { Resolver } from "node:dns/promises"
import type { SrvRecord } from "node:dns"
import type { MailServer } from "@leadloom/core/internal/domain/mailbox/MailServer"
import type { FoundServers } from "./Autoconfig.ts"

/** The DNS queries of discovery. Each rejects, or returns an empty list, when there is no record. */
export interface MailDns {
  readonly srv: (name: string) => Promise<ReadonlyArray<Omit<SrvRecord, "type">>>
  /** Returns the hosts, the most preferred one first. */
  readonly mx: (domain: string) => Promise<ReadonlyArray<string>>
  readonly cname: (name: string) => Promise<ReadonlyArray<string>>
}

/** The maximum number of records that are read. */
const maxRecords = 20

/** Queries the name servers of this machine. */
export const systemDns = (timeoutMillis: number): MailDns => {
  const resolver = new Resolver({ timeout: timeoutMillis, tries: 1 })
  return {
    srv: async (name) => (await resolver.resolveSrv(name)).slice(0, maxRecords),
    mx: async (domain) =>
      (await resolver.resolveMx(domain))
        .toSorted((one, other) => one.priority - other.priority)
        .slice(0, maxRecords)
        .map(({ exchange }) => exchange),
    cname: (name) => resolver.resolveCname(name)
  }
}

/** Returns the host of a record in lower case, without the final dot; null for the root, which means "none". */
const hostOf = (name: string): string | null => {
  const host = name.toLowerCase().replace(/\.$/u, "")
  return /^[a-z0-9._-]{1,253}$/u.test(host) ? host : null
}

/**
 * Returns the server of an SRV record set: the lowest priority, then the highest weight (RFC 2782). Null if there is
 * none, or if the service is stated to be absent (RFC 6186 section 3.4).
 */
const serverOf = async (dns: MailDns, name: string, security: MailServer["security"]): Promise<MailServer | null> => {
  const records = await dns.srv(name).catch(() => [])
  const [best] = records.toSorted((one, other) => one.priority - other.priority || other.weight - one.weight)
  const host = best === undefined ? null : hostOf(best.name)
  return best === undefined || host === null || best.port < 1 ? null : { host, port: best.port, security }
}

/** Reads the SRV records of a domain: RFC 6186 section 3, and RFC 8314 section 5.1 for `_submissions`. */
export const readSrv = async (dns: MailDns, email: string, domain: string): Promise<FoundServers | null> => {
  const [imaps, imap, submissions, submission] = await Promise.all([
    serverOf(dns, `_imaps._tcp.${domain}`, "tls"),
    serverOf(dns, `_imap._tcp.${domain}`, "starttls"),
    serverOf(dns, `_submissions._tcp.${domain}`, "tls"),
    serverOf(dns, `_submission._tcp.${domain}`, "starttls")
  ])
  // Implicit TLS is preferred to STARTTLS (RFC 8314 section 3).
  const [incoming, outgoing] = [imaps ?? imap, submissions ?? submission]
  return incoming === null || outgoing === null ? null : { imap: incoming, smtp: outgoing, username: email }
}

/** Returns the hosts of the mail exchangers of a domain, the most preferred one first. */
export const readMx = async (dns: MailDns, domain: string): Promise<ReadonlyArray<string>> =>
  (await dns.mx(domain).catch(() => [])).map(hostOf).filter((host) => host !== null)

/**
 * Returns whether Microsoft 365 hosts the domain. Its domains have a CNAME from `autodiscover` to
 * `autodiscover.outlook.com` (https://learn.microsoft.com/microsoft-365/enterprise/external-domain-name-system-records).
 * The autodiscover service itself demands a login, so it is not requested.
 */
export const isMicrosoft365 = async (dns: MailDns, domain: string): Promise<boolean> =>
  (await dns.cname(`autodiscover.${domain}`).catch(() => [])).some(
    (name) => hostOf(name) === "autodiscover.outlook.com"
  )
