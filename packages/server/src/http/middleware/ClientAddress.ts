import { BlockList, isIP, SocketAddress } from "node:net"
import { Context } from "effect"

/** Returns whether an address belongs to a trusted proxy of the operator. */
export type IsTrusted = (address: string) => boolean

/** The proxies in `LEADLOOM_TRUSTED_PROXIES`. */
export class TrustedProxies extends Context.Service<TrustedProxies, { readonly isTrusted: IsTrusted }>()(
  "server/http/TrustedProxies"
) {}

/** An IPv4 address mapped to IPv6 (RFC 4291 section 2.5.5.2): `::ffff:` and the 32 bits of the address. */
const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/u

/**
 * Returns the canonical form of an address, without brackets, port and zone; null if it is invalid. Proxies write an
 * address in any of the forms `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711` and `"[2001:db8::1]"`.
 */
export const plainAddress = (text: string): string | null => {
  if (isIP(text) === 4) return text
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

/** Returns the reason why an entry of the list is invalid; null if it is valid. */
export const proxyMistake = (entry: string): string | null => {
  const [address = "", bits, ...more] = entry.split("/")
  const plain = plainAddress(address)
  if (plain === null || plain !== address.toLowerCase() || more.length > 0)
    return `"${entry}" is not an address or a network like 10.0.0.0/8 or fd00::/8.`
  if (bits === undefined) return null
  const max = familyOf(plain) === "ipv4" ? 32 : 128
  if (!/^\d{1,3}$/u.test(bits) || Number(bits) > max) return `"${entry}" must end in a prefix length of at most ${max}.`
  return Number(bits) === 0 ? `"${entry}" contains all addresses, so any client could forge its address.` : null
}

/** Returns a function that recognises the given proxies. The entries must be valid according to `proxyMistake`. */
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
 * Returns the client's address, which is the last address that does not belong to a trusted proxy. Every proxy appends
 * the address of its client to `X-Forwarded-For`. Entries before the last untrusted address may be forged and are
 * ignored. If a trusted proxy appended an invalid address, the proxy itself counts as the client.
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
