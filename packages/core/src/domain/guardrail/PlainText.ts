/** Invisible characters (UTS 39 section 3.1.1): joiners, soft hyphens, fillers, selectors, direction marks. */
const invisible = /[\p{Cf}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0]/gu

/**
 * Combining marks that form no letter with a Latin, Greek or Cyrillic letter, for example the strokes of struck-out
 * text.
 */
const overlaid = /[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]/gu

/** Characters that look like a full stop (UTS 39, confusables of U+002E) or that browsers treat as one. */
const dots = /[\u2024\ua4f8\ua60e\u0701\u0702\u{10a50}\u{1d16d}\uff0e\u00b7\u2027\u2219\u22c5\u30fb]/gu

/**
 * Matches U+3002 between Latin letters. This character ends sentences in Chinese and Japanese, but between Latin
 * letters it is a dot, also for browsers.
 */
const ideographicDot = /(?<=[\p{sc=Latn}\d])\u3002(?=\p{sc=Latn})/gu

const slashes = /[\u2044\u2215\u29f8\u3033]/gu
const colons = /[\u02d0\u2236\ua789\u05c3]/gu

const valueOf = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero--
  return String(code - zero)
}

/** A cache of converted digits. It stays small, because the category Nd has about 700 characters. */
const digits = new Map<string, string>()

/** Converts a character of the Unicode category Nd to its ASCII digit. In each script, the digits follow the zero. */
const digit = (character: string): string => {
  const known = digits.get(character)
  if (known !== undefined) return known
  const value = valueOf(character)
  digits.set(character, value)
  return value
}

/** The passes of `plainText` in order. Each one reads the text once. */
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
 * Converts a text to the form that a reader sees. Removes disguises: compatibility forms such as full-width letters
 * (NFKC), invisible characters, decorative marks, characters that look like dots, slashes and colons, and digits of
 * other scripts. Letters keep their script and case.
 */
export const plainText = (text: string): string => plainPasses.reduce((read, pass) => pass(read), text)

/** Characters that may change under normalisation. */
const beyondAscii = /[\u0080-\uffff]/u

/** The size of the parts in which a long text is normalised to determine its length, in characters. */
const countedAtOnce = 16_384

/** The length at which counting stops, because the check of such a text exceeds every budget. */
const maxCounted = 1_000_000

/**
 * Returns the length of a text in normalization form NFKC, in UTF-16 code units. Normalization can turn one character
 * into eighteen. A text above `countedAtOnce` is counted in parts, so its result may be a few units too high. For a
 * text above `maxCounted`, the result is at least `maxCounted`.
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
 * Returns the steps of searching a text in the form of `plainText`. ASCII text takes a quarter of the steps of other
 * text.
 */
export const lookSteps = (text: string, perCharacter: number): number =>
  beyondAscii.test(text)
    ? perCharacter * Math.max(text.length, normalizedLength(text))
    : (perCharacter * text.length) >>> 2
