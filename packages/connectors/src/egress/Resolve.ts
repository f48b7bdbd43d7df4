import { lookup, Resolver } from "node:dns/promises"

/** The addresses that a name has now, IPv4 first. Rejects when it has none, with the codes of `node:dns`. */
export type Resolve = (name: string) => Promise<ReadonlyArray<string>>

/** One question is asked twice at most, each with this timeout, milliseconds. */
const resolverOptions = { timeout: 2_500, tries: 2 }

/**
 * Asks the name servers of this machine themselves, or others given as `host:port`. No hosts file, no search list: a name
 * is what it is for everybody. Unlike the system's way it holds no thread while it waits, so that names that nobody
 * answers for do not stand in the way of the others. The servers are read anew for every name: they may change.
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

/** As every program of this machine does it: hosts file, search list, names of containers. For the operator's exceptions. */
export const resolveHere: Resolve = async (name) =>
  (await lookup(name, { all: true, verbatim: false })).map(({ address }) => address)
