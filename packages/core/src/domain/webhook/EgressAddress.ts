/** The bytes of an IP address in network order: 4 for IPv4, 16 for IPv6. */
export type AddressBytes = ReadonlyArray<number>

const ipv4Bytes = (text: string): AddressBytes | null => {
  // Leading zeros are rejected, because some parsers read them as octal.
  if (!/^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/u.test(text)) return null
  const bytes = text.split(".").map(Number)
  return bytes.every((byte) => byte <= 255) ? bytes : null
}

/**
 * Parses groups that are separated by colons. The last group may be an IPv4 address. Returns null when a group is
 * invalid.
 */
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
  // `::` stands for at least one group of zeros (RFC 4291, section 2.2).
  if (tail === undefined ? missing !== 0 : missing < 2) return null
  return [...before, ...Array.from({ length: missing }, () => 0), ...after]
}

/**
 * Parses an address in plain form: four decimal numbers, or the form of RFC 4291, section 2.2, without brackets and
 * zone. Returns null for other texts, including octal, hexadecimal and short forms of IPv4.
 */
export const addressBytes = (text: string): AddressBytes | null => ipv4Bytes(text) ?? ipv6Bytes(text)

/** Formats an address in its canonical form: dotted decimal for IPv4, RFC 5952 for IPv6. */
export const addressText = (bytes: AddressBytes): string => {
  if (bytes.length === 4) return bytes.join(".")
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0)).toString(16)
  )
  const text = groups.join(":")
  // RFC 5952 shortens the longest run of at least two zero groups; of several, the first.
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
  if (bytes === null) throw new Error(`${text} is not a valid address block`)
  return { bytes, bits: Number(bits) }
}

const isWithin = (address: AddressBytes, { bits, bytes }: Block): boolean => {
  if (address.length !== bytes.length) return false
  const whole = bits >> 3
  for (let at = 0; at < whole; at++) if (address[at] !== bytes[at]) return false
  const shift = 8 - (bits & 7)
  return shift === 8 || (address[whole] ?? 0) >> shift === (bytes[whole] ?? 0) >> shift
}

/**
 * Blocked IPv4 addresses: the IANA Special-Purpose Address Registry (RFC 6890), multicast, and one address of a cloud.
 */
const closedIpv4 = [
  "0.0.0.0/8", // this network, RFC 791: 0.0.0.0 is this host
  "10.0.0.0/8", // private, RFC 1918
  "100.64.0.0/10", // carrier-grade NAT, RFC 6598; the metadata service of Alibaba Cloud
  "127.0.0.0/8", // loopback, RFC 1122
  "168.63.129.16/32", // a public address that Azure uses for the host of a virtual machine
  "169.254.0.0/16", // link-local, RFC 3927; the metadata services of most clouds
  "172.16.0.0/12", // private, RFC 1918
  "192.0.0.0/24", // IETF protocols, RFC 6890; the metadata service of Oracle Cloud
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

/** Global unicast (RFC 4291, section 2.4). Addresses outside this block are not public. */
const globalIpv6 = block("2000::/3")

/** The blocked parts of global unicast (IANA IPv6 Special-Purpose Address Registry). */
const closedIpv6 = [
  "2001::/23", // IETF protocols, RFC 2928: Teredo (RFC 4380), benchmarks, ORCHID
  "2001:db8::/32", // documentation, RFC 3849
  "2002::/16", // 6to4, RFC 3056: contains an IPv4 address
  "2620:4f:8000::/48", // AS112, RFC 7534
  "3ffe::/16", // 6bone, RFC 3701
  "3fff::/20" // documentation, RFC 9637
].map(block)

/**
 * The block of IPv6 addresses that NAT64 translates to IPv4 (RFC 6052). Such an address is public if its IPv4 address
 * is public.
 */
const translated = block("64:ff9b::/96")

const isPublic = (bytes: AddressBytes): boolean => {
  if (bytes.length === 4) return !closedIpv4.some((each) => isWithin(bytes, each))
  if (isWithin(bytes, translated)) return isPublic(bytes.slice(12))
  return isWithin(bytes, globalIpv6) && !closedIpv6.some((each) => isWithin(bytes, each))
}

/**
 * Returns true for an address of the public internet. Addresses in the IANA special-purpose registries, and addresses
 * that contain an IPv4 address (mapped, compatible, 6to4, Teredo), are not public. Invalid addresses are not public
 * either.
 */
export const isPublicAddress = (text: string): boolean => {
  const bytes = addressBytes(text)
  return bytes !== null && isPublic(bytes)
}
