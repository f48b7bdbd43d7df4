import { lookup, Resolver } from "node:dns/promises"

/**
 * Returns the current addresses of a name, IPv4 first. Rejects with an error code of `node:dns` when there are none.
 */
export type Resolve = (name: string) => Promise<ReadonlyArray<string>>

/** The timeout of one DNS query in milliseconds, and the number of attempts. */
const resolverOptions = { timeout: 2_500, tries: 2 }

/**
 * Queries the name servers of this machine, or others given as `host:port`. It ignores the hosts file and search lists,
 * so a name has the same meaning on every machine. Unlike the resolver of the system, it uses no thread, so
 * unresponsive name servers do not delay other lookups. The list of servers is read for every query, because it may
 * change.
 */
export const resolvePublic =
  (servers?: ReadonlyArray<string>): Resolve =>
  async (name) => {
    const resolver = new Resolver(resolverOptions)
    if (servers !== undefined) resolver.setServers(servers)
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = [four, six].flatMap((each) => (each.status === "fulfilled" ? each.value : []))
    if (found.length === 0 && four.status === "rejected") throw four.reason
    return found
  }

/**
 * Resolves a name with the hosts file, search list and container names of this machine, like other programs do. Used
 * for hosts that the operator permits.
 */
export const resolveHere: Resolve = async (name) =>
  (await lookup(name, { all: true, verbatim: false })).map(({ address }) => address)
