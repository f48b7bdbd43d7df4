import type { MailHeader } from "@leadloom/core/internal/domain/email/ParsedMail"
import { visibleText } from "@leadloom/core/internal/domain/email/VisibleText"
import { htmlToText, sanitizeHtml, textCharactersKept } from "../mime/Html.ts"
import type { MessageJson } from "./MessageJson.ts"

/** The text and HTML of a message, and the errors found in them. */
interface JsonBody {
  readonly text: string
  readonly html: string | null
  readonly defects: ReadonlyArray<string>
}

/**
 * Tags that mail programs write. Other text in angle brackets, such as `<jo@x.io>` and `<http://x.io>`, is plain text.
 */
const markup =
  /<(?:!doctype|\/?(?:html|head|body|div|span|p|br|table|tr|td|a|b|i|u|strong|em|font|img|ul|ol|li|pre|blockquote|style|script|h[1-6]|hr|center|meta))(?:\s[^<>]*)?\/?>/iu

const isPlainMail = (headers: ReadonlyArray<MailHeader>): boolean =>
  headers.some(({ name, value }) => name === "content-type" && /^text\/plain\b/iu.test(value))

/**
 * Returns whether `body` is HTML. For a mail without HTML, `body` may contain plain text. Entities alone count as HTML,
 * unless the headers show that the mail is plain text.
 */
const isHtml = (body: string, headers: ReadonlyArray<MailHeader>): boolean =>
  markup.test(body) || (!isPlainMail(headers) && /&(?:[a-z]{2,8}|#\d{2,6});/iu.test(body))

/** Returns sanitised HTML and its text, processed like a MIME mail. */
export const readJsonBody = (json: MessageJson, headers: ReadonlyArray<MailHeader>): JsonBody => {
  const { body } = json
  if (body === null || body === undefined) {
    const text = visibleText(json.snippet ?? "").slice(0, textCharactersKept)
    return { text, html: null, defects: ["The provider returned no body."] }
  }
  if (!isHtml(body, headers)) {
    const text = visibleText(body.slice(0, textCharactersKept))
    const cut = body.length > textCharactersKept
    return { text, html: null, defects: cut ? ["The text is too long; the rest was dropped."] : [] }
  }
  const { cut, html } = sanitizeHtml(body)
  const text = htmlToText(html)
  return { text, html, defects: cut ? ["The HTML body is too long or has too many tags; the rest was dropped."] : [] }
}
