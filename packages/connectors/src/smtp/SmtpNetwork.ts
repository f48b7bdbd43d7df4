import { isIPv4, isIPv6, SocketAddress } from "node:net"

/** Returns the eight groups of an IPv6 address in canonical form. */
const groupsOf = (address: string): ReadonlyArray<string> => {
  const [head = "", tail] = address.split("::")
  const left = head === "" ? [] : head.split(":")
  const right = tail === undefined || tail === "" ? [] : tail.split(":")
  const gap = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  return [...left, ...Array.from({ length: gap }, () => "0"), ...right]
}

/**
 * Returns the network to which the usage of a client is charged. An IPv4 address belongs to its /24, even in IPv6
 * notation (RFC 4291 section 2.5.5.2). An IPv6 address belongs to its /64, because a single customer receives at least
 * a /64 (RFC 6177).
 */
export const clientNetwork = (address: string): string => {
  const bare = address.replace(/%.*/su, "")
  const ipv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/iu.exec(bare)?.[1] ?? bare
  if (isIPv4(ipv4)) return `${ipv4.slice(0, ipv4.lastIndexOf("."))}.0/24`
  if (!isIPv6(bare)) return bare
  const { address: spelled } = new SocketAddress({ address: bare, family: "ipv6" })
  return `${groupsOf(spelled).slice(0, 4).join(":")}::/64`
}
