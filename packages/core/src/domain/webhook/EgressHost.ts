import { addressBytes, addressText } from "./EgressAddress.ts"

export interface EgressHost {
  readonly kind: "name" | "address"
  /** A name in lower case, or an address in the format of `addressText` without brackets. */
  readonly text: string
}

/** An error in a host. `mistake` states the error and its correction. */
export interface HostMistake {
  readonly mistake: string
}

const maxNameLength = 253

/** Matches a host that ends in a number. Such a host is an IPv4 address (URL Standard, "ends in a number checker"). */
const endsInNumber = /(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/u

const readBracketed = (text: string): EgressHost | HostMistake => {
  const inside = text.slice(1, -1)
  if (!text.endsWith("]") || !inside.includes(":"))
    return { mistake: "Only an IPv6 address can have brackets. Remove them." }
  if (inside.includes("%"))
    return { mistake: "The IPv6 address has a zone, which is valid on one machine only. Remove it." }
  const bytes = addressBytes(inside)
  return bytes === null
    ? { mistake: "The brackets contain an invalid IPv6 address. Correct it." }
    : { kind: "address", text: addressText(bytes) }
}

const readName = (text: string): EgressHost | HostMistake => {
  if (text.endsWith(".")) return { mistake: "The host ends with a dot. Remove it." }
  if (text.length > maxNameLength)
    return { mistake: `The host is longer than ${maxNameLength} characters. Use a shorter one.` }
  const odd = text.split(".").find((label) => !/^(?!-)[\da-z_-]{1,63}(?<!-)$/u.test(label))
  if (odd === undefined) return { kind: "name", text }
  const mistake = "The host has labels that are empty, too long or contain invalid characters. Correct them."
  return { mistake }
}

/**
 * Parses a host strictly. Rejects every form that two parsers may read differently: percent-encoding, Unicode (use the
 * `xn--` form), a trailing dot, a zone, and every form of IPv4 other than four decimal numbers.
 */
export const readHost = (written: string): EgressHost | HostMistake => {
  if (written === "") return { mistake: "The URL has no host. Add one." }
  if (written.includes("%") && !written.startsWith("[")) {
    return { mistake: "The host is percent-encoded. Write it in plain characters." }
  }
  if (/[^\x21-\x7e]/u.test(written)) {
    return { mistake: "The host contains non-ASCII characters. Write it in its ASCII form, which starts with xn--." }
  }
  const text = written.toLowerCase()
  if (text.startsWith("[")) return readBracketed(text)
  const ipv4 = addressBytes(text)
  if (ipv4?.length === 4) return { kind: "address", text }
  if (endsInNumber.test(text)) {
    return { mistake: "The host is a number. Write an IPv4 address as four decimal numbers, or use a name." }
  }
  return readName(text)
}

/**
 * Suffixes of names with a local meaning: RFC 6761, 6762, 7686, 8375 and 9476, ICANN's `.internal`, and the names that
 * common routers and clusters use.
 */
const innerSuffixes = new Set(
  "localhost local localdomain internal intranet lan home corp private onion alt arpa invalid test svc cluster consul".split(
    " "
  )
)

/**
 * Returns the reason why a name cannot be public; null if it may be public. Only a look-up of its addresses can prove
 * that a name is public.
 */
export const innerName = (name: string): string | null => {
  const labels = name.split(".")
  if (labels.length === 1) return "The host is a name of a local network. Use its full public name."
  const last = labels.at(-1) ?? ""
  return innerSuffixes.has(last) ? `Hosts under .${last} are not public. Use a public name.` : null
}
