import { visibleText } from "../email/VisibleText.ts"
import { normalizedLength } from "../guardrail/PlainText.ts"

/** The maximum length of a text that is checked. Replies are far shorter. Normalisation may double this length. */
const maxTextLength = 40_000

/** Returns true for a text above the maximum length, before or after normalisation. */
export const isUnreadable = (text: string): boolean =>
  text.length > maxTextLength || normalizedLength(text) > 2 * maxTextLength

const entity = (whole: string, code: string): string => {
  const point = /^x/iu.test(code) ? Number.parseInt(code.slice(1), 16) : Number(code)
  return point > 0 && point <= 0x10_ffff ? String.fromCodePoint(point) : whole
}

const bracketOpen = String.raw`\s?[[({<]\s?`
const bracketClose = String.raw`\s?[\])}>]\s?`
const bracketedAt = new RegExp(`${bracketOpen}(?:at|@)${bracketClose}`, "giu")
const bracketedDot = new RegExp(`${bracketOpen}(?:dot|point|punkt|\\.)${bracketClose}`, "giu")
const spokenAddress = /\b([\w.+-]{1,64}) at ([\w-]{1,63}(?: dot [\w-]{1,63}){1,5})\b/giu
const spokenDomain =
  /\b([\w-]{1,63}) dot (?=(?:com|net|org|info|biz|io|co|app|dev|me|ai|link|site|xyz|ly|example)\b)/giu

/**
 * Converts a text to a form for searches that contains everything a careful reader understands. Resolves compatibility
 * forms and entities, removes invisible text, and restores disguised addresses (`jane [at] acme dot com`, `hxxp`). The
 * result is not suitable for display.
 */
export const readable = (text: string): string =>
  visibleText(
    text
      .slice(0, maxTextLength)
      .replace(/&#(\d{1,7}|x[\da-f]{1,6});/giu, entity)
      .normalize("NFKC")
  )
    .replace(/&commat;|%40/giu, "@")
    .replace(/&period;|%2e/giu, ".")
    .replace(/[。｡]/gu, ".")
    .replace(/\bhxxp/giu, "http")
    .replace(bracketedAt, "@")
    .replace(bracketedDot, ".")
    .replace(spokenAddress, (_, local: string, domain: string) => `${local}@${domain.replace(/ dot /giu, ".")}`)
    .replace(spokenDomain, "$1.")
    .replace(/([\w.+-]) ?@ ?(?=[\w-])/gu, "$1@")
    .replace(/ \. (?=[a-z]{2,})/giu, ".")
