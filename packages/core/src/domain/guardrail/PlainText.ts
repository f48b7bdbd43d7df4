/** Characters that nobody sees (UTS 39 section 3.1.1): joiners, soft hyphens, fillers, selectors, marks of direction. */
const invisible = /[\p{Cf}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0]/gu

/** Marks laid over Latin, Greek and Cyrillic letters that make no letter with them, as in text that is struck out. */
const overlaid = /[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]/gu

/** What looks like a full stop and is none (UTS 39, confusables of U+002E), and what browsers take for one. */
const dots = /[\u2024\ua4f8\ua60e\u0701\u0702\u{10a50}\u{1d16d}\uff0e\u00b7\u2027\u2219\u22c5\u30fb]/gu

/** U+3002 ends sentences in Chinese and Japanese; between Latin letters it is a dot, for browsers too. */
const ideographicDot = /(?<=[\p{sc=Latn}\d])\u3002(?=\p{sc=Latn})/gu

const slashes = /[\u2044\u2215\u29f8\u3033]/gu
const colons = /[\u02d0\u2236\ua789\u05c3]/gu

const valueOf = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero--
  return String(code - zero)
}

/** Digits met before. There are some seven hundred characters of the category, so it stays small. */
const digits = new Map<string, string>()

/** Characters of the Unicode category Nd by their value: every script counts from its zero upwards. */
const digit = (character: string): string => {
  const known = digits.get(character)
  if (known !== undefined) return known
  const value = valueOf(character)
  digits.set(character, value)
  return value
}

/** What `plainText` does, one after another. Each goes over the text once. */
export const plainPasses: ReadonlyArray<(text: string) => string> = [
  (text) => text.replace(invisible, ""),
  (text) => text.normalize("NFKC"),
  (text) => text.replace(overlaid, ""),
  (text) => text.replace(ideographicDot, "."),
  (text) => text.replace(dots, "."),
  (text) => text.replace(slashes, "/").replace(colons, ":"),
  (text) => text.replace(/(?![0-9])\p{Nd}/gu, digit)
]

/**
 * A text as a reader sees it, with the tricks taken out that make a program see another one: compatibility forms such as
 * full-width letters (NFKC), characters without a shape, marks that only decorate, look-alikes of dots, slashes and
 * colons, digits of other scripts. Letters stay in their script and case.
 */
export const plainText = (text: string): string => plainPasses.reduce((read, pass) => pass(read), text)

/** Anything that Unicode has to be asked about. */
const beyondAscii = /[\u0080-\uffff]/u

/** Characters that are normalised at once to count them. */
const countedAtOnce = 16_384

/** Characters after which counting ends: looking through so many exceeds every budget. */
const maxCounted = 1_000_000

/**
 * Length of a text in normalization form NFKC, in UTF-16 code units. Some characters become eighteen. It is counted in parts, so
 * a text beyond `countedAtOnce` may count a few more than it has; one beyond `maxCounted` counts as at least that.
 */
export const normalizedLength = (text: string): number => {
  if (!beyondAscii.test(text)) return text.length
  let length = 0
  for (let at = 0; at < text.length && length < maxCounted; at += countedAtOnce) {
    length += text.slice(at, at + countedAtOnce).normalize("NFKC").length
  }
  return length
}

/**
 * Steps that looking through a text costs that is read as `plainText` reads it. Looking at ASCII takes a quarter of the time.
 */
export const lookSteps = (text: string, perCharacter: number): number =>
  beyondAscii.test(text)
    ? perCharacter * Math.max(text.length, normalizedLength(text))
    : (perCharacter * text.length) >>> 2
