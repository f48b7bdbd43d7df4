/** An IP address as its bytes, the first one first: 4 of IPv4, 16 of IPv6. */
export type AddressBytes = ReadonlyArray<number>

const ipv4Bytes = (text: string): AddressBytes | null => {
  // Without leading zeros: some readers take them for octal, others do not.
  if (!/^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/u.test(text)) return null
  const bytes = text.split(".").map(Number)
  return bytes.every((byte) => byte <= 255) ? bytes : null
}

/** The bytes of colon-separated groups, of which the last may be an IPv4 address; null when one of them is no group. */
const groupBytes = (text: string, mayEndInIpv4: boolean): AddressBytes | null => {
  if (text === "") return []
  const groups = text.split(":")
  const bytes: Array<number> = []
  for (const [index, group] of groups.entries()) {
    const last = mayEndInIpv4 && index === groups.length - 1
    const embedded = last && group.includes(".") ? ipv4Bytes(group) : null
    if (embedded !== null) {
      bytes.push(...embedded)
    } else if (/^[\da-f]{1,4}$/iu.test(group)) {
      const value = Number.parseInt(group, 16)
      bytes.push(value >> 8, value & 255)
    } else return null
  }
  return bytes
}

const ipv6Bytes = (text: string): AddressBytes | null => {
  const [head = "", tail, ...more] = text.split("::")
  if (more.length > 0) return null
  const before = groupBytes(head, tail === undefined)
  const after = tail === undefined ? [] : groupBytes(tail, true)
  if (before === null || after === null) return null
  const missing = 16 - before.length - after.length
  // `::` stands for one group at least (RFC 4291, section 2.2).
  if (tail === undefined ? missing !== 0 : missing < 2) return null
  return [...before, ...Array.from({ length: missing }, () => 0), ...after]
}

/**
 * Reads an address in its plain form: four decimal numbers, or what RFC 4291, section 2.2 describes, without brackets
 * and zone. Null: it is none. Decimal, octal, hexadecimal and short forms of IPv4 are none.
 */
export const addressBytes = (text: string): AddressBytes | null => ipv4Bytes(text) ?? ipv6Bytes(text)

/** The one way to write an address: dotted decimal, or what RFC 5952 recommends. */
export const addressText = (bytes: AddressBytes): string => {
  if (bytes.length === 4) return bytes.join(".")
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0)).toString(16)
  )
  const text = groups.join(":")
  // The longest run of zeros, the first of several, of two at least.
  const runs = [...text.matchAll(/(?<![\da-f])0(?::0(?![\da-f]))+/gu)].map((match) => ({
    at: match.index,
    run: match[0]
  }))
  const longest = runs.reduce((best, each) => (each.run.length > best.run.length ? each : best), { at: 0, run: "" })
  if (longest.run === "") return text
  const before = text.slice(0, longest.at).replace(/:$/u, "")
  const after = text.slice(longest.at + longest.run.length).replace(/^:/u, "")
  return `${before}::${after}`
}

interface Block {
  readonly bytes: AddressBytes
  readonly bits: number
}

const block = (text: string): Block => {
  const [base = "", bits] = text.split("/")
  const bytes = addressBytes(base)
  if (bytes === null) throw new Error(`${text} is no block of addresses`)
  return { bytes, bits: Number(bits) }
}

const isWithin = (address: AddressBytes, { bits, bytes }: Block): boolean => {
  if (address.length !== bytes.length) return false
  const whole = bits >> 3
  for (let at = 0; at < whole; at++) if (address[at] !== bytes[at]) return false
  const shift = 8 - (bits & 7)
  return shift === 8 || (address[whole] ?? 0) >> shift === (bytes[whole] ?? 0) >> shift
}

/** IANA IPv4 Special-Purpose Address Registry (RFC 6890), multicast, and one address of a cloud. */
const closedIpv4 = [
  "0.0.0.0/8", // this network, RFC 791: 0.0.0.0 is this host
  "10.0.0.0/8", // private, RFC 1918
  "100.64.0.0/10", // carrier-grade NAT, RFC 6598; the metadata of Alibaba Cloud
  "127.0.0.0/8", // loopback, RFC 1122
  "168.63.129.16/32", // the host under a machine at Azure, though the address is a public one
  "169.254.0.0/16", // link-local, RFC 3927; the metadata of most clouds
  "172.16.0.0/12", // private, RFC 1918
  "192.0.0.0/24", // IETF protocols, RFC 6890; the metadata of Oracle Cloud
  "192.0.2.0/24", // documentation, RFC 5737
  "192.31.196.0/24", // AS112, RFC 7535
  "192.52.193.0/24", // AMT, RFC 7450
  "192.88.99.0/24", // 6to4 relays, RFC 7526
  "192.168.0.0/16", // private, RFC 1918
  "192.175.48.0/24", // AS112, RFC 7534
  "198.18.0.0/15", // benchmarks, RFC 2544
  "198.51.100.0/24", // documentation, RFC 5737
  "203.0.113.0/24", // documentation, RFC 5737
  "224.0.0.0/4", // multicast, RFC 1112
  "240.0.0.0/4" // reserved, RFC 1112; broadcast, RFC 919
].map(block)

/** Global unicast (RFC 4291, section 2.4): whatever lies outside is not for everybody. */
const globalIpv6 = block("2000::/3")

/** IANA IPv6 Special-Purpose Address Registry, as far as it lies in global unicast. */
const closedIpv6 = [
  "2001::/23", // IETF protocols, RFC 2928: Teredo (RFC 4380), benchmarks, ORCHID
  "2001:db8::/32", // documentation, RFC 3849
  "2002::/16", // 6to4, RFC 3056: an IPv4 address in disguise
  "2620:4f:8000::/48", // AS112, RFC 7534
  "3ffe::/16", // 6bone, RFC 3701
  "3fff::/20" // documentation, RFC 9637
].map(block)

/** What NAT64 makes of an IPv4 address (RFC 6052): as public as that one. */
const translated = block("64:ff9b::/96")

const isPublic = (bytes: AddressBytes): boolean => {
  if (bytes.length === 4) return !closedIpv4.some((each) => isWithin(bytes, each))
  if (isWithin(bytes, translated)) return isPublic(bytes.slice(12))
  return isWithin(bytes, globalIpv6) && !closedIpv6.some((each) => isWithin(bytes, each))
}

/**
 * Whether an address belongs to the internet at large: none that the IANA special-purpose registries set apart, none
 * that hides an IPv4 address (mapped, compatible, 6to4, Teredo). What is no address is not public.
 */
export const isPublicAddress = (text: string): boolean => {
  const bytes = addressBytes(text)
  return bytes !== null && isPublic(bytes)
}
