import { parsePhone, phoneVariants } from "../address/Phone.ts"

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
export const strangeNumbers = (text: string, known: KnownNumbers, country: string): ReadonlyArray<string> => [
  ...ringables(text, country)
    .filter((number) => !isKnown(number, known))
    .map(({ digits }) => `it names a phone number that nobody in this conversation gave (…${digits.slice(-2)})`),
  ...(spelled.test(text) ? ["it spells out a long number in words"] : [])
]
