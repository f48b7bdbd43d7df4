import { addressBytes, addressText } from "./EgressAddress.ts"

/** A host as a URL names it. */
export interface EgressHost {
  readonly kind: "name" | "address"
  /** A name in lower case, or an address as `addressText` writes it, without brackets. */
  readonly text: string
}

/** What a host is not, with what to write instead. */
export interface HostMistake {
  readonly mistake: string
}

const maxNameLength = 253

/** Whoever ends in a number is an IPv4 address, says the URL standard ("ends in a number checker"). */
const endsInNumber = /(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/u

const readBracketed = (text: string): EgressHost | HostMistake => {
  const inside = text.slice(1, -1)
  if (!text.endsWith("]") || !inside.includes(":")) return { mistake: "Only an IPv6 address stands in brackets." }
  if (inside.includes("%")) return { mistake: "An IPv6 address with a zone is good on one machine only: leave it out." }
  const bytes = addressBytes(inside)
  return bytes === null
    ? { mistake: "What stands in brackets is no IPv6 address: correct it." }
    : { kind: "address", text: addressText(bytes) }
}

const readName = (text: string): EgressHost | HostMistake => {
  if (text.endsWith(".")) return { mistake: "The host ends with a dot: leave it out." }
  if (text.length > maxNameLength)
    return { mistake: `The host is longer than ${maxNameLength} characters: correct it.` }
  const odd = text.split(".").find((label) => !/^(?!-)[\da-z_-]{1,63}(?<!-)$/u.test(label))
  if (odd === undefined) return { kind: "name", text }
  const mistake = "The host has labels that are empty, too long or have characters that no host has: correct it."
  return { mistake }
}

/**
 * Reads a host strictly: what two readers could understand differently is a mistake. No percent-encoding, no Unicode
 * (its `xn--` form is fine), no trailing dot, no zone, IPv4 in four decimal numbers only.
 */
export const readHost = (written: string): EgressHost | HostMistake => {
  if (written === "") return { mistake: "The host is missing." }
  if (written.includes("%") && !written.startsWith("[")) {
    return { mistake: "The host is percent-encoded: write it in plain letters." }
  }
  if (/[^\x21-\x7e]/u.test(written)) {
    return { mistake: "The host has characters beyond ASCII: write it in its ASCII form, which begins with xn--." }
  }
  const text = written.toLowerCase()
  if (text.startsWith("[")) return readBracketed(text)
  const ipv4 = addressBytes(text)
  if (ipv4?.length === 4) return { kind: "address", text }
  if (endsInNumber.test(text)) {
    return { mistake: "The host is a number: write an IPv4 address as four decimal numbers, or better a name." }
  }
  return readName(text)
}

/**
 * Names that mean something else inside every network: RFC 6761 and 6762, ICANN's `.internal`, RFC 7686, 8375 and 9476,
 * and those that routers and clusters use.
 */
const innerSuffixes = new Set(
  "localhost local localdomain internal intranet lan home corp private onion alt arpa invalid test svc cluster consul".split(
    " "
  )
)

/** Why a name cannot be one that the whole internet knows; null when it may be. Only its addresses say for certain. */
export const innerName = (name: string): string | null => {
  const labels = name.split(".")
  if (labels.length === 1) return "The host is a name of a local network: use its full public name."
  const last = labels.at(-1) ?? ""
  return innerSuffixes.has(last) ? `Hosts under .${last} are not public: use a public name.` : null
}
