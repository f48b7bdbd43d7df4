/**
 * The removal of invisible characters. They are removed before a text is stored, searched, compared or sent to a
 * language model. They can hide words from filters, inject instructions and reorder text. Databases also reject NUL.
 * Joiners stay where a script requires them (Persian, Indic scripts, emoji sequences).
 */

/**
 * Controls, soft hyphens, bidi marks and overrides, zero-width and filler characters, tags (which can encode whole
 * hidden sentences), and supplementary variation selectors (which can encode arbitrary bytes).
 */
const unseen =
  /[\0-\x08\x0B-\x1F\x7F-\x9F\xAD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFC\u{13430}-\u{1343F}\u{16FE4}\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]|[\uD800-\uDFFF]/u

/**
 * Builds the flags of England, Scotland and Wales. They are the only visible use of tag characters (UTS 51, RGI emoji).
 */
const tagged = (word: string): string =>
  word.replace(/./gu, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
const flags = `\u{1F3F4}(?:${["gbeng", "gbsct", "gbwls"].map(tagged).join("|")})\u{E007F}`
const everyUnseen = new RegExp(`${flags}|${unseen.source}`, "gu")

/** Scripts that need no joiners. Between their letters, a joiner can only hide data. */
const plainScript = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{N}]/u
const joinable = /[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]/u

const joins = (char: string): boolean => joinable.test(char) && !plainScript.test(char)

const before = (text: string, offset: number): string => {
  const code = text.charCodeAt(offset - 1)
  return code >= 0xdc00 && code <= 0xdfff ? text.slice(offset - 2, offset) : text.slice(Math.max(0, offset - 1), offset)
}

const after = (text: string, offset: number): string => {
  const code = text.codePointAt(offset)
  return code === undefined ? "" : String.fromCodePoint(code)
}

/**
 * Returns whether a variation selector may follow a character. U+FE0E and U+FE0F select text or emoji form. U+FE00 to
 * U+FE02 select variants of some characters. In other places, or repeated, selectors carry hidden data.
 */
const mayVary = (selector: string, char: string): boolean =>
  selector >= "\uFE0E"
    ? /[\p{Emoji}\p{S}]/u.test(char)
    : selector <= "\uFE02" && /[\p{S}\p{Script=Han}\p{Script=Myanmar}\p{Script=Phags_Pa}]/u.test(char)

const keepOrDrop = (char: string, offset: number, text: string): string => {
  // A match of more than one character is a flag emoji, which stays.
  if (char.length > 2) return char
  if (char === "\u200C" || char === "\u200D") {
    return joins(before(text, offset)) && joins(after(text, offset + 1)) ? char : ""
  }
  if (char >= "\uFE00" && char <= "\uFE0F" && char.length === 1) {
    return mayVary(char, before(text, offset)) ? char : ""
  }
  return ""
}

/**
 * Combining marks beyond the 30th on one letter. Unicode normalisation sorts the marks of a letter in quadratic time,
 * so their number is limited. No language needs more than 30 (UAX #15, Stream-Safe Text Format).
 */
const stackedMarks = /(\p{M}{30})\p{M}+/gu
const manyMarks = /\p{M}{31}/u

/**
 * Returns the visible text. Line breaks become `\n`. Invisible characters, unpaired surrogates, and marks after the
 * 30th on one letter are removed. Tabs and spaces stay.
 */
export const visibleText = (text: string): string => {
  const lines = /[\r\u2028\u2029\v\f\x85]/u.test(text) ? text.replace(/\r\n?|[\u2028\u2029\v\f\x85]/gu, "\n") : text
  const seen = unseen.test(lines) ? lines.replace(everyUnseen, keepOrDrop) : lines
  return manyMarks.test(seen) ? seen.replace(stackedMarks, "$1") : seen
}

/** Returns visible text in one line, for subjects, names and file names. */
export const visibleLine = (text: string): string => visibleText(text).replace(/\s+/gu, " ").trim()
