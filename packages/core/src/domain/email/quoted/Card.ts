import type { BodyLine } from "./BodyLine.ts"
import { closings, originWords, thanks } from "./QuoteMarks.ts"

const widestCardLine = 80
const widestClosing = 48

const particles =
  "de|da|di|do|du|des|van|von|der|den|la|le|del|dos|das|und|and|et|en|y|e|i|og|och|ja|ve|és|и|of|at|for|für|för|pour|para|" +
  "per|voor|ds|dla|pro|po|по|the|&|\\||-|–|/|,"
const particle = new RegExp(`^(?:${particles})$`, "u")
const nameWord = `(?:\\p{Lu}[\\p{L}'’.,-]*|${particles})`
const nameLine = new RegExp(`^[-–—~]{0,2} ?${nameWord}(?: +${nameWord}){0,7}$`, "u")
/** Matches a short line in a script that has no capital letters. */
const plainName =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai} ・]{2,20}$/u
/** Contact data: an address, a website, or a number of at least seven digits. */
export const contact = /@|https?:|www\.|\.(?:com|org|net|de|fr|it|es|nl|uk|io)\b|(?:\d[ ().+/-]{0,3}){7,}/i
/** Matches the legal form in a company name. */
export const company =
  /(?:^|[\s,(])(?:gmbh|ag|kg|ug|e\.? ?v|ltd|limited|inc|llc|llp|plc|corp|co|company|group|sarl|sas|s\.a|s\.?r\.?l|s\.?p\.?a|s\.l|bv|b\.v|nv|n\.v|ab|oy|aps|a\/s|as|s\.?r\.?o|a\.s|sp\. z o\.o|kft|lda|ltda|ооо|ltd\. şti)(?:[.,)\s]|$)|株式会社|有限|公司|주식회사/iu
/** Words of direct speech in the first or second person. A line with such a word is not part of a contact card. */
const speech =
  /(?:^|[^\p{L}])(?:I|I'm|me|my|we|us|our|you|your|ich|mich|mir|mein|meine|wir|uns|sie|ihnen|dich|dir|moi|nous|vous|yo|nosotros|usted|io|noi|voi|eu|você|ik|mij|wij|jag|mig|jeg|meg|mnie|mi|мне|меня|вы|мы|please|bitte|merci|prego|grazie|gracias)(?![\p{L}])/iu

/** Returns a line without the marks for bold and italic that mail programs add to parts of a contact card. */
export const bare = (line: BodyLine | undefined): string => (line?.content ?? "").replace(/[*_]+/g, "").trim()

/** Returns whether a line looks like a name: every word except particles starts with a capital letter. */
export const isName = (content: string): boolean =>
  content.length <= widestCardLine && !/[?!:;]$/.test(content) && (nameLine.test(content) || plainName.test(content))

/**
 * Counts the words that start in lower case, without particles. A job title has at most one such word (`Head of
 * purchasing`), but a sentence has more.
 */
const plainWords = (content: string): number =>
  content.split(/\s+/).filter((word) => /^\p{Ll}/u.test(word) && !particle.test(word)).length

/**
 * Returns whether a line can belong to a contact card: contact data, a title, a company or a place. A sentence cannot.
 */
export const isCardLine = (content: string): boolean => {
  if (content.length > widestCardLine || /[?!:;。？！]$/u.test(content) || speech.test(content)) return false
  if (isName(content)) return true
  return contact.test(content)
    ? plainWords(content) <= 3
    : /^[\p{Lu}\p{Lo}\d+]/u.test(content) && plainWords(content) <= 1
}

const isListed = (phrase: string): boolean => closings.has(phrase) || thanks.has(phrase)

/**
 * Returns whether a line is a closing (`Best regards,`), two closings (`Thanks and best regards`), or a closing with a
 * place (`Grüße aus Köln`).
 */
export const isClosing = (content: string): boolean => {
  if (content.length > widestClosing) return false
  const phrase = content.toLowerCase().replace(/(?<![\s,.!–-])[\s,.!–-]+$/u, "")
  if (isListed(phrase)) return true
  const parts = phrase.split(/(?: und | and | et | y | e | en | och | og | & |[,.!/] ?)/u)
  if (parts.length > 1 && parts.every((part) => isListed(part.trim()))) return true
  const words = phrase.split(" ")
  const origin = words.findIndex((word) => originWords.has(word))
  return origin > 0 && words.length - origin <= 4 && closings.has(words.slice(0, origin).join(" "))
}

/**
 * Returns whether a line is a closing followed by a name: `Best regards, Tom`. Two similar forms do not count: `Thanks,
 * Tom` may address Tom, and `Best` without a comma may belong to the next words.
 */
export const isSignedClosing = (content: string): boolean => {
  if (content.length > widestClosing) return false
  const words = content.split(" ")
  for (let count = Math.max(1, words.length - 3); count < words.length; count++) {
    const phrase = words.slice(0, count).join(" ")
    const closing = closings.has(phrase.toLowerCase().replace(/[,.!]$/u, ""))
    const apart = phrase.endsWith(",") || (!content.includes(",") && phrase.toLowerCase() !== "best")
    if (closing && apart && nameLine.test(words.slice(count).join(" "))) return true
  }
  return false
}
