import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js"

/**
 * Parses a phone number to E.164. Returns null for an invalid number. `defaultCountry` (ISO 3166-1 alpha-2) applies to
 * numbers without a country code. If `defaultCountry` is null or unknown, such numbers are invalid. Never throws.
 */
export type PhoneParser = (text: string, defaultCountry: string | null) => string | null

/** In characters. Every phone number is shorter. The limit keeps long hostile input out of the parser and the cache. */
const maxTextLength = 64

/** URI schemes that providers put before a number. */
const scheme = /^(?:tel|sms|whatsapp):/iu

/** Mexican numbers with the mobile prefix 1. Mexico abolished the prefix in 2019, but some networks still send it. */
const legacyMexico = /^\+521\d{10}$/u

/**
 * Parses a number without a cache, about 170,000 numbers per second. A number is valid if its length is possible in its
 * country. Assigned number ranges are not checked, because an outdated table would reject contacts with new numbers.
 * Short codes and numbers with letters are invalid.
 */
export const parsePhone: PhoneParser = (text, defaultCountry) => {
  if (text.length > maxTextLength) return null
  const country = defaultCountry?.toUpperCase() ?? ""
  const options = isSupportedCountry(country) ? { defaultCountry: country, extract: false } : { extract: false }
  const parsed = parsePhoneNumberFromString(text.trim().replace(scheme, ""), options)
  if (parsed === undefined) return null
  return parsed.isPossible() || legacyMexico.test(parsed.number) ? parsed.number : null
}

/**
 * Returns a parser that caches up to `capacity` results of another parser. The cache has a young and an old generation
 * of `capacity / 2` results each. A full young generation replaces the old one, whose results are dropped. A request
 * for a result of the old generation copies it into the young one.
 */
export const makePhoneParser = (capacity = 20_000, parse: PhoneParser = parsePhone): PhoneParser => {
  const generation = Math.max(1, Math.floor(capacity / 2))
  let young = new Map<string, string | null>()
  let old = new Map<string, string | null>()
  return (text, defaultCountry) => {
    if (text.length > maxTextLength) return null
    const key = `${defaultCountry ?? ""}:${text}`
    const known = young.get(key)
    if (known !== undefined) return known
    const kept = old.get(key)
    const answer = kept === undefined ? parse(text, defaultCountry) : kept
    if (young.size >= generation) {
      old = young
      young = new Map()
    }
    young.set(key, answer)
    return answer
  }
}

const twoSpellings: ReadonlyArray<readonly [RegExp, string]> = [
  // Brazil: the ninth digit of mobile numbers.
  [/^\+55(\d{2})9([6-9]\d{7})$/u, "+55$1$2"],
  [/^\+55(\d{2})([6-9]\d{7})$/u, "+55$19$2"],
  // Mexico: the mobile prefix 1.
  [/^\+521(\d{10})$/u, "+52$1"],
  [/^\+52(\d{10})$/u, "+521$1"],
  // Argentina: the mobile prefix 9.
  [/^\+549(\d{10})$/u, "+54$1"],
  [/^\+54(\d{10})$/u, "+549$1"]
]

/**
 * Returns the other E.164 forms under which networks deliver the same number. Use them only for look-ups. Never replace
 * a stored number with one of them.
 */
export const phoneVariants = (e164: string): ReadonlyArray<string> =>
  twoSpellings.filter(([from]) => from.test(e164)).map(([from, to]) => e164.replace(from, to))

/** `parsePhone` with a bounded cache, because the same numbers recur often. */
export const parsePhoneMemoized: PhoneParser = makePhoneParser()
