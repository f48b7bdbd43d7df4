import { BlockList, isIP, SocketAddress } from "node:net"
import { Context } from "effect"

/** Whether an address is one of a proxy of the operator's, whose word about clients counts. */
export type IsTrusted = (address: string) => boolean

/** The proxies that `LEADLOOM_TRUSTED_PROXIES` names. */
export class TrustedProxies extends Context.Service<TrustedProxies, { readonly isTrusted: IsTrusted }>()(
  "server/http/TrustedProxies"
) {}

/** An IPv4 address that is written as IPv6 (RFC 4291 section 2.5.5.2), as it is written in `::ffff:` and 32 bits. */
const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/u

/**
 * An address in its one spelling, without brackets, port and zone; null: it is none. Proxies write any of
 * `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711` and `"[2001:db8::1]"`.
 */
export const plainAddress = (text: string): string | null => {
  const bare = text.trim().replace(/^"(.*)"$/u, "$1")
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/u.exec(bare) ?? []
  const address = (bracketed ?? dotted ?? bare).replace(/%.*/su, "")
  switch (isIP(address)) {
    case 4:
      return address
    case 6: {
      const spelled = new SocketAddress({ address, family: "ipv6" }).address
      return mapped.exec(spelled)?.[1] ?? spelled
    }
    default:
      return null
  }
}

const familyOf = (address: string): "ipv4" | "ipv6" => (address.includes(":") ? "ipv6" : "ipv4")

/** What keeps an entry of the list from being used; null: nothing. */
export const proxyMistake = (entry: string): string | null => {
  const [address = "", bits, ...more] = entry.split("/")
  const plain = plainAddress(address)
  if (plain === null || plain !== address.toLowerCase() || more.length > 0)
    return `"${entry}" is no address and no network like 10.0.0.0/8 or fd00::/8.`
  if (bits === undefined) return null
  const max = familyOf(plain) === "ipv4" ? 32 : 128
  if (!/^\d{1,3}$/u.test(bits) || Number(bits) > max) return `"${entry}" has to end in a number of bits up to ${max}.`
  return Number(bits) === 0 ? `"${entry}" is everybody: then any client could choose its address.` : null
}

/** The proxies of a list of addresses and networks, in which `proxyMistake` finds nothing. */
export const trustedProxies = (entries: ReadonlyArray<string>): IsTrusted => {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/")
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => {
    const plain = plainAddress(address)
    return plain !== null && list.check(plain, familyOf(plain))
  }
}

/**
 * The client's address: of those that the request came by, the last one that is not a proxy of ours. Every proxy adds
 * whom it was called by at the end of `X-Forwarded-For`; what stands before the first stranger was written by a stranger.
 * Where a proxy of ours has written something else, it is the proxy itself that is known and nothing behind it.
 */
export const clientAddress = (peer: string, forwardedFor: string | undefined, isTrusted: IsTrusted): string => {
  let known = plainAddress(peer) ?? peer
  if (forwardedFor === undefined) return known
  for (const hop of forwardedFor.split(",").toReversed()) {
    if (!isTrusted(known)) return known
    const before = plainAddress(hop)
    if (before === null) return known
    known = before
  }
  return known
}
