import { visibleText } from "../email/VisibleText.ts"
import { normalizedLength } from "../guardrail/PlainText.ts"

/** Nothing longer is looked into; a reply is far shorter. Normalised, a text may have twice as many characters. */
const maxTextLength = 40_000

/** Whether a text is longer than what `readable` reads, as it stands or normalised. */
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
 * A text the way somebody who wants to understand it reads it: compatibility forms and entities resolved, what nobody
 * sees gone, and the usual ways to write an address so that no program finds it (`jane [at] acme dot com`, `hxxp`)
 * undone. For looking things up only: it is not the text any more.
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
