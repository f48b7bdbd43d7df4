import { parse } from "tldts"
import { domainOf, normalizeEmail } from "../address/Address.ts"
import { parsePhone, phoneVariants } from "../address/Phone.ts"

const address = /[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}[\p{L}\p{N}-]{2,63}/gu

/** Every email address in a text, normalised. */
export const addressesIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(address), ([found]) => normalizeEmail(found.replace(/^[.'_%+-]+/u, "")))

/**
 * Why an address must not go out unseen. Only the domain is told: reasons are kept, and nobody who is erased may live on
 * in them.
 */
export const unknownAddresses = (text: string, known: ReadonlySet<string>): ReadonlyArray<string> =>
  addressesIn(text)
    .filter((email) => !known.has(email))
    .map((email) => `it names an email address that nobody in this conversation gave (at ${domainOf(email)})`)

const withScheme = /\b[a-z][a-z0-9+.-]{1,20}:\/{2}([^\s<>"'`]{0,2000})/giu
const bare =
  /(?<![@\p{L}\p{N}._-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}(?![\p{L}\p{N}@-])/gu
const numeric = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)/gu
/** Schemes that act without a host. */
const acting = /\b(?:javascript|vbscript|data|file|blob|sms|smsto|skype|tg|intent|bitcoin|ethereum|magnet):(?=\S)/iu

/** Top levels that no registry sells and that lead somewhere all the same, or stand for such in examples (RFC 6761). */
const special = new Set(["onion", "example", "test", "invalid", "internal", "local", "lan", "home"])

const leadsSomewhere = (host: string): boolean => {
  const { isIcann, publicSuffix } = parse(host)
  return isIcann === true || special.has(publicSuffix ?? "")
}

/** A host as it is compared: lower case, without `www.` and the dot of the root. */
export const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/(?<!\.)\.+$/u, "")
    .replace(/^www\./u, "")

/** The host of what stands after `://`; null when it is written so that people and programs read another one. */
const hostOf = (rest: string): string | null => {
  const authority = rest.split(/[/?#)\]}]/u, 1)[0] ?? ""
  if (/[@\\%]/u.test(authority)) return null
  return plainHost(authority.replace(/:\d{0,5}$/u, "").replace(/(?<![.,;:!])[.,;:!]+$/u, ""))
}

/** Hosts that a text links to, by a scheme, as a bare name or as a number; null for a disguised one. */
const linksIn = (text: string): ReadonlyArray<string | null> => [
  ...Array.from(text.matchAll(withScheme), ([, rest = ""]) => hostOf(rest)),
  ...Array.from(text.replace(withScheme, " ").matchAll(bare), ([host]) => plainHost(host)).filter(leadsSomewhere),
  ...Array.from(text.replace(withScheme, " ").matchAll(numeric), ([host]) => host)
]

/** Hosts that a text links to. */
export const hostsIn = (text: string): ReadonlyArray<string> => linksIn(text).filter((host) => host !== null)

/**
 * Why a link must not go out unseen. Hosts are compared letter by letter, so punycode, look-alike letters and subdomains
 * of a known host are strangers.
 */
export const unknownLinks = (text: string, known: ReadonlySet<string>): ReadonlyArray<string> => [
  ...linksIn(text).flatMap((host) => {
    if (host === null) return ["it holds a link that hides where it leads"]
    return known.has(host) ? [] : [`it links to ${host.slice(0, 80)}, which is neither allowed nor in the conversation`]
  }),
  ...(acting.test(text) ? ["it holds a link that does something instead of leading somewhere"] : [])
]

/** Seven to 19 digits with what people put between them. */
const run = /(?<![\p{L}\d.,])[+(]{0,2}\d(?:[\s().\-–—/·]{0,3}\d){6,18}(?![\d\p{L}])/gu

/** Dates, times, years and version-like numbers: digits that ring nobody. */
const calendar =
  /\b\d{4}-\d{1,2}-\d{1,2}\b|\b\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})\b|\b\d{1,2}:\d{2}(?::\d{2})?\b|\b(?:19|20)\d\d ?[-–] ?(?:19|20)\d\d\b/gu

const digitWord = "(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)"
const spelled = new RegExp(`\\b${digitWord}(?:[\\s,.-]{1,3}${digitWord}){6,}\\b`, "iu")

/** Local numbers as North America writes them, which stand for nothing without an area code. */
const local = /^\d{3}[-. ]\d{4}$/u

/** A number somebody could ring. */
interface Ringable {
  readonly digits: string
  /** Null: it is a number only to those who live there. */
  readonly e164: string | null
}

const ringables = (text: string, country: string): ReadonlyArray<Ringable> =>
  Array.from(text.replace(calendar, " # ").matchAll(run)).flatMap(([found]) => {
    const digits = found.replace(/\D/gu, "")
    const e164 = parsePhone(found.replace(/[–—/·]/gu, "-"), country) ?? parsePhone(digits, country)
    const called = e164 !== null || local.test(found) || /^(?:\+|00|011)/u.test(found)
    return called ? [{ digits, e164 }] : []
  })

/** Numbers that may be named. */
export interface KnownNumbers {
  readonly e164: ReadonlySet<string>
  readonly digits: ReadonlyArray<string>
}

/** The numbers given and those in texts. */
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

/** Why a phone number must not go out unseen. The number itself is not told. */
export const unknownNumbers = (text: string, known: KnownNumbers, country: string): ReadonlyArray<string> => [
  ...ringables(text, country)
    .filter((number) => !isKnown(number, known))
    .map(({ digits }) => `it names a phone number that nobody in this conversation gave (…${digits.slice(-2)})`),
  ...(spelled.test(text) ? ["it spells out a long number in words"] : [])
]
