/**
 * The search for the mail servers of an address, without a login. Connections to the found servers do not belong here.
 * Tests: `packages/connectors/test/imap/discovery`.
 */
import { domainOf } from "@leadloom/core/internal/domain/address/Address"
import { registrableDomain } from "@leadloom/core/internal/domain/email/Mailbox"
import type { DiscoveredServers } from "@leadloom/core/internal/port/provider/Mailboxes"
import type { Egress } from "@leadloom/core/internal/port/system/Egress"
import { Duration, Effect } from "effect"
import { type FoundServers, readAutoconfig } from "./Autoconfig.ts"
import { isMicrosoft365, type MailDns, readMx, readSrv, systemDns } from "./MailDns.ts"
import { hosterOfDomain, hosterOfExchanger, type MailHoster, mailHosters } from "./Providers.ts"

/** Options of the search. */
export interface DiscoveryOptions {
  readonly egress: Egress["Service"]
  /** Default: the name servers of this machine. */
  readonly dns?: MailDns
  /** The time of the whole search in milliseconds. */
  readonly totalMillis?: number
}

/** The time of the whole search in milliseconds. Sources that have not answered then count as empty. */
const defaultTotalMillis = 8_000
/** The maximum size of an autoconfig file in bytes. The largest ones of Thunderbird's database have 10 kB. */
const maxFileBytes = 65_536

const ofHoster = ({ imap, smtp, username }: MailHoster, email: string): FoundServers => ({
  imap,
  smtp,
  username: username === "address" ? email : email.slice(0, email.lastIndexOf("@"))
})

const named = (found: FoundServers | null, origin: string): DiscoveredServers | null =>
  found === null ? null : { ...found, origin }

/** Thunderbird's database of providers. */
const thunderbird = (domain: string): string => `https://autoconfig.thunderbird.net/v1.1/${domain}`

/** Runs one search per source. The sources are in the order of their authority for the domain. */
const sourcesOf = ({ dns, egress }: DiscoveryOptions & { readonly dns: MailDns }, millis: number, email: string) => {
  const domain = domainOf(email)
  const file = (url: string) =>
    egress
      .get({ url, headers: { accept: "application/xml" }, timeoutMillis: millis, maxResponseBytes: maxFileBytes })
      .pipe(
        Effect.map(({ body, status }) =>
          status === 200 ? readAutoconfig(new TextDecoder().decode(body), email) : null
        ),
        Effect.catch(() => Effect.succeed(null))
      )
  const ownFile = Effect.map(
    Effect.all(
      [
        file(`https://autoconfig.${domain}/mail/config-v1.1.xml?emailaddress=${encodeURIComponent(email)}`),
        file(`https://${domain}/.well-known/autoconfig/mail/config-v1.1.xml`)
      ],
      { concurrency: "unbounded" }
    ),
    ([first, second]) => named(first ?? second, `autoconfig file of ${domain}`)
  )
  const srv = Effect.promise(() => readSrv(dns, email, domain)).pipe(
    Effect.map((found) => named(found, `DNS SRV records of ${domain} (RFC 6186)`))
  )
  const database = Effect.map(file(thunderbird(domain)), (found) => named(found, "Thunderbird's database of providers"))
  const exchanger = Effect.gen(function* () {
    const hosts = yield* Effect.promise(() => readMx(dns, domain))
    const known = hosts.map(hosterOfExchanger).find((each) => each !== null)
    if (known !== undefined) return named(ofHoster(known, email), `DNS MX records of ${domain}: ${known.name}`)
    const [first] = hosts
    if (first === undefined) return null
    const host = registrableDomain(first)
    return host === domain ? null : named(yield* file(thunderbird(host)), `DNS MX records of ${domain}: ${host}`)
  })
  const microsoft = Effect.promise(() => isMicrosoft365(dns, domain)).pipe(
    Effect.map((isHosted) => {
      const hoster = isHosted ? mailHosters.find(({ name }) => name === "Microsoft") : undefined
      return hoster === undefined ? null : named(ofHoster(hoster, email), `autodiscover record of ${domain}: Microsoft`)
    })
  )
  return [ownFile, srv, exchanger, database, microsoft]
}

/**
 * Returns the servers of an address, or null. A known provider is returned without a request. Otherwise all sources are
 * searched concurrently within a fixed time, and the most authoritative answer wins. Files are requested through
 * `Egress`, so that an address cannot make the server request hosts of its own network.
 */
export const discoverServers = (email: string, options: DiscoveryOptions): Effect.Effect<DiscoveredServers | null> => {
  const hoster = hosterOfDomain(domainOf(email))
  if (hoster !== null) return Effect.succeed(named(ofHoster(hoster, email), `known provider: ${hoster.name}`))
  const { totalMillis = defaultTotalMillis } = options
  const sources = sourcesOf({ ...options, dns: options.dns ?? systemDns(totalMillis) }, totalMillis, email)
  const searches = sources.map((source) =>
    Effect.map(Effect.timeoutOption(source, Duration.millis(totalMillis)), (found) =>
      found._tag === "Some" ? found.value : null
    )
  )
  return Effect.map(
    Effect.all(searches, { concurrency: "unbounded" }),
    (found) => found.find((each) => each !== null) ?? null
  )
}
