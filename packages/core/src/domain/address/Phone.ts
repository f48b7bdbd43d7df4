import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js"

/**
 * Reads a phone number as E.164; null when it is none. `defaultCountry` (ISO 3166-1 alpha-2) is the country of a number
 * without a country code; with null, or with a country nobody knows, such a number is none. Never throws.
 */
export type PhoneParser = (text: string, defaultCountry: string | null) => string | null

/** Nothing longer is a phone number; the bound keeps hostile input out of the parser and the cache. */
const maxTextLength = 64

/** URI schemes that providers put before a number. */
const scheme = /^(?:tel|sms|whatsapp):/iu

/** Mexican numbers with the mobile 1 that was abolished in 2019 and that some networks still send. */
const legacyMexico = /^\+521\d{10}$/u

/**
 * Reads without a cache (about 170,000 a second). A number passes when its length is possible in its country, because a
 * range too new for our tables must not lose a contact. Short codes and vanity letters are none.
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
 * A parser that remembers up to `capacity` answers of another. It keeps two generations: what has not been asked for while
 * `capacity / 2` other numbers were new is forgotten.
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
  // Brazil: the ninth digit of mobile numbers
  [/^\+55(\d{2})9([6-9]\d{7})$/u, "+55$1$2"],
  [/^\+55(\d{2})([6-9]\d{7})$/u, "+55$19$2"],
  // Mexico: the mobile 1
  [/^\+521(\d{10})$/u, "+52$1"],
  [/^\+52(\d{10})$/u, "+521$1"],
  // Argentina: the mobile 9
  [/^\+549(\d{10})$/u, "+54$1"],
  [/^\+54(\d{10})$/u, "+549$1"]
]

/**
 * Other spellings under which networks deliver the same number (E.164 in, E.164 out). For looking up only: a stored
 * number is never rewritten.
 */
export const phoneVariants = (e164: string): ReadonlyArray<string> =>
  twoSpellings.filter(([from]) => from.test(e164)).map(([from, to]) => e164.replace(from, to))

/** `parsePhone` with a bounded memory of its answers: the same numbers come again and again. */
export const parsePhoneMemoized: PhoneParser = makePhoneParser()
