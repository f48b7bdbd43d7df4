/** Longest signature of a connected account, in characters. */
export const maxSignatureLength = 4_096

const knownTag =
  /<(?:!doctype|\/?(?:html|head|body|p|div|span|br|a|b|i|u|em|strong|table|tr|td|ul|ol|li|h[1-6]|hr|img|font|blockquote|pre|center)\b)[^<>]*>/iu

/** Whether a body is HTML: it holds a tag that mail is written with. `a < b` and `<ann@example.com>` are not. */
export const isHtml = (body: string): boolean => knownTag.test(body)

const rawText = ["script", "style", "textarea", "title"]
const rawTextStart = /[st]/u

/** Where the content of an element whose content is no markup ends; the end of the text when it is never closed. */
const afterRawText = (lower: string, from: number): number => {
  if (!rawTextStart.test(lower[from + 1] ?? "")) return from + 1
  const name = rawText.find(
    (tag) => lower.startsWith(`<${tag}`, from) && /[\s/>]/u.test(lower[from + tag.length + 1] ?? "")
  )
  if (name === undefined) return from + 1
  const end = lower.indexOf(`</${name}`, from)
  return end < 0 ? lower.length : end + 1
}

/** Position of the last `</body>` that is markup; -1 when there is none. One pass, whatever the input. */
const closingBody = (html: string): number => {
  // ASCII only: the full mapping makes some letters longer, and positions have to stay.
  const lower = html.replace(/[A-Z]+/gu, (letters) => letters.toLowerCase())
  let found = -1
  for (let at = lower.indexOf("<"); at >= 0; at = lower.indexOf("<", at)) {
    if (lower.startsWith("<!--", at)) {
      const end = lower.indexOf("-->", at + 4)
      at = end < 0 ? lower.length : end + 3
    } else {
      if (lower.startsWith("</body", at) && /^<\/body\s*>/u.test(lower.slice(at, at + 32))) found = at
      at = afterRawText(lower, at)
    }
  }
  return found
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " }

const decodeEntity = (whole: string, name: string): string => {
  if (!name.startsWith("#")) return entities[name.toLowerCase()] ?? whole
  const code = /^#x/iu.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : whole
}

/** An HTML signature as text: blocks and breaks become lines, pictures nothing. Good for signatures, not for mail. */
const textOfHtml = (html: string): string =>
  html
    .replace(/<!--[^]*?(?:-->|$)|<(script|style)\b[^]*?(?:<\/\1\s*>|$)/giu, "")
    .replace(/\s+/gu, " ")
    .replace(/<br\b[^<>]*>|<\/(?:p|div|tr|li|h[1-6]|table|ul|ol)\s*>/giu, "\n")
    .replace(/<[^<>]*>/gu, "")
    .replace(/&(#?\w{1,8});/gu, decodeEntity)
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .replace(/\n{3,}/gu, "\n\n")
    .trim()

const escapeHtml = (text: string): string =>
  text.replace(/&/gu, "&amp;").replace(/</gu, "&lt;").replace(/>/gu, "&gt;").replace(/\r?\n/gu, "<br>")

const intoHtml = (body: string, signature: string): string => {
  const block = isHtml(signature) ? signature : `<br><br>${escapeHtml(signature)}`
  const at = closingBody(body)
  const before = at < 0 ? body : body.slice(0, at)
  if (before.trimEnd().endsWith(block)) return body
  return `${before}${block}${at < 0 ? "" : body.slice(at)}`
}

const intoText = (body: string, signature: string): string => {
  const text = isHtml(signature) ? textOfHtml(signature) : signature
  const newline = body.includes("\r\n") ? "\r\n" : "\n"
  const block = text.replace(/\r?\n/gu, newline)
  const before = body.trimEnd()
  if (block === "" || before === block || before.endsWith(`\n${block}`)) return body
  return before === "" ? block : `${before}${newline}${newline}${block}`
}

/**
 * Puts the connected account's signature into a body that is about to be sent. HTML: before the last closing `</body>`
 * tag, or at the end when there is none. Plain text: at the end, after a blank line, an HTML signature turned into text.
 * A body that ends with the signature already, and an empty signature, change nothing.
 */
export const insertSignature = (body: string, signature: string): string => {
  const wanted = signature.trim()
  if (wanted === "") return body
  return isHtml(body) ? intoHtml(body, wanted) : intoText(body, wanted)
}
