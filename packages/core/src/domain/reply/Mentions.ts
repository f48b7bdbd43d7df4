import { parse } from "tldts"
import { domainOf, normalizeEmail } from "../address/Address.ts"
import type { Cause } from "../reason/Reason.ts"
import { parsePhone, phoneVariants } from "../address/Phone.ts"

const address = /[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}[\p{L}\p{N}-]{2,63}/gu

/** Returns all email addresses in a text, normalised. */
export const addressesIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(address), ([found]) => normalizeEmail(found.replace(/^[.'_%+-]+/u, "")))

/**
 * Returns a reason for each unknown address in a reply. The reason names only the domain. Reasons stay stored after the
 * erasure of a contact, so they must not contain the contact's address.
 */
export const unknownAddresses = (text: string, known: ReadonlySet<string>): ReadonlyArray<Cause> =>
  addressesIn(text)
    .filter((email) => !known.has(email))
    .map((email) => ({ code: "unknown_email", domain: domainOf(email) }))

const withScheme = /\b[a-z][a-z0-9+.-]{1,20}:\/{2}([^\s<>"'`]{0,2000})/giu
const bare =
  /(?<![@\p{L}\p{N}._-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}(?![\p{L}\p{N}@-])/gu
const numeric = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)/gu
/** Schemes of URLs without a host that trigger an action. */
const acting = /\b(?:javascript|vbscript|data|file|blob|sms|smsto|skype|tg|intent|bitcoin|ethereum|magnet):(?=\S)/iu

/** Top-level domains that have no public registry but may resolve in a network, and reserved ones (RFC 6761). */
const special = new Set(["onion", "example", "test", "invalid", "internal", "local", "lan", "home"])

const leadsSomewhere = (host: string): boolean => {
  const { isIcann, publicSuffix } = parse(host)
  return isIcann === true || special.has(publicSuffix ?? "")
}

/** Normalises a host for comparison: lower case, without `www.` and without the final dot. */
export const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/(?<!\.)\.+$/u, "")
    .replace(/^www\./u, "")

/**
 * Returns the host of a URL from the text after `://`. Returns null when the host is disguised, that is, when a person
 * and a program would read different hosts.
 */
const hostOf = (rest: string): string | null => {
  const authority = rest.split(/[/?#)\]}]/u, 1)[0] ?? ""
  if (/[@\\%]/u.test(authority)) return null
  return plainHost(authority.replace(/:\d{0,5}$/u, "").replace(/(?<![.,;:!])[.,;:!]+$/u, ""))
}

/** Returns the hosts of URLs, host names without a scheme, and IPv4 addresses. Null stands for a disguised host. */
const linksIn = (text: string): ReadonlyArray<string | null> => [
  ...Array.from(text.matchAll(withScheme), ([, rest = ""]) => hostOf(rest)),
  ...Array.from(text.replace(withScheme, " ").matchAll(bare), ([host]) => plainHost(host)).filter(leadsSomewhere),
  ...Array.from(text.replace(withScheme, " ").matchAll(numeric), ([host]) => host)
]

/** Returns the hosts of all links in a text. */
export const hostsIn = (text: string): ReadonlyArray<string> => linksIn(text).filter((host) => host !== null)

/**
 * Returns a reason for each unknown link in a reply. Hosts are compared literally, so punycode, look-alike letters and
 * subdomains of a known host make a link unknown.
 */
export const unknownLinks = (text: string, known: ReadonlySet<string>): ReadonlyArray<Cause> => [
  ...linksIn(text).flatMap((host): ReadonlyArray<Cause> => {
    if (host === null) return [{ code: "disguised_link" }]
    return known.has(host) ? [] : [{ code: "unknown_link", host: host.slice(0, 80) }]
  }),
  ...(acting.test(text) ? [{ code: "acting_link" } as const] : [])
]

/** Matches 7 to 19 digits with common separators. */
const run = /(?<![\p{L}\d.,])[+(]{0,2}\d(?:[\s().\-–—/·]{0,3}\d){6,18}(?![\d\p{L}])/gu

/** Matches dates, times and ranges of years, because these are not phone numbers. */
const calendar =
  /\b\d{4}-\d{1,2}-\d{1,2}\b|\b\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})\b|\b\d{1,2}:\d{2}(?::\d{2})?\b|\b(?:19|20)\d\d ?[-–] ?(?:19|20)\d\d\b/gu

const digitWord = "(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)"
const spelled = new RegExp(`\\b${digitWord}(?:[\\s,.-]{1,3}${digitWord}){6,}\\b`, "iu")

/** Matches North American numbers without an area code. */
const local = /^\d{3}[-. ]\d{4}$/u

/** A sequence of digits that may be a phone number. */
interface Ringable {
  readonly digits: string
  /** Null for a local number without its area code. */
  readonly e164: string | null
}

const ringables = (text: string, country: string): ReadonlyArray<Ringable> =>
  Array.from(text.replace(calendar, " # ").matchAll(run)).flatMap(([found]) => {
    const digits = found.replace(/\D/gu, "")
    const e164 = parsePhone(found.replace(/[–—/·]/gu, "-"), country) ?? parsePhone(digits, country)
    const called = e164 !== null || local.test(found) || /^(?:\+|00|011)/u.test(found)
    return called ? [{ digits, e164 }] : []
  })

/** Numbers that a reply may contain. */
export interface KnownNumbers {
  readonly e164: ReadonlySet<string>
  readonly digits: ReadonlyArray<string>
}

/** Collects the given numbers, and the numbers in the given texts. */
export const knownNumbers = (
  numbers: ReadonlyArray<string>,
  texts: ReadonlyArray<string>,
  country: string
): KnownNumbers => {
  const found = texts.flatMap((text) => ringables(text, country))
  const given = numbers.flatMap((number) => parsePhone(number, country) ?? [])
  const e164 = [...given, ...found.flatMap((each) => each.e164 ?? [])]
  return {
    e164: new Set([...e164, ...e164.flatMap(phoneVariants)]),
    digits: [...e164.map((number) => number.slice(1)), ...found.map(({ digits }) => digits)]
  }
}

const isKnown = ({ digits, e164 }: Ringable, known: KnownNumbers): boolean =>
  (e164 !== null && known.e164.has(e164)) || known.digits.some((each) => each === digits || each.endsWith(digits))

/** Returns a reason for each unknown phone number in a reply. The reason contains only the last two digits. */
export const unknownNumbers = (text: string, known: KnownNumbers, country: string): ReadonlyArray<Cause> => [
  ...ringables(text, country)
    .filter((number) => !isKnown(number, known))
    .map(({ digits }): Cause => ({ code: "unknown_phone", lastDigits: digits.slice(-2) })),
  ...(spelled.test(text) ? [{ code: "number_in_words" } as const] : [])
]
