/** The maximum length of a signature in characters (specification, Limits). */
export const signatureLimit = 4_096

const blocks = "html|head|body|div|p|span|a|b|i|u|em|strong|table|tr|td|ul|ol|li|h[1-6]|blockquote|font|pre|center"
const htmlShape = new RegExp(
  `<!doctype html|</(?:${blocks})\\s*>|<(?:br|hr)\\s*/?>|<(?:p|div|html|body)(?:\\s+[a-z-]+=[^<>]*)?>|<img\\s[^<>]*src=`,
  "iu"
)

/**
 * Returns whether a text is HTML. A text is HTML if it contains a closing tag, a line break tag or an opening block
 * tag. `a <b and c> d` is not HTML.
 */
export const isHtml = (text: string): boolean => htmlShape.test(text)

/** Converts plain text to HTML: escapes characters and keeps line breaks. */
export const escapeHtml = (text: string): string =>
  text
    .replace(/&/gu, "&amp;")
    .replace(/</gu, "&lt;")
    .replace(/>/gu, "&gt;")
    .replace(/"/gu, "&quot;")
    .replace(/\r?\n/gu, "<br>")

/**
 * Inserts the signature into an HTML body: before the last `</body>`, otherwise at the end. Escapes a plain signature.
 */
export const insertHtmlSignature = (html: string, signature: string): string => {
  const block = `<br><div>${isHtml(signature) ? signature : escapeHtml(signature)}</div>`
  const at = html.toLowerCase().lastIndexOf("</body>")
  return at < 0 ? `${html}${block}` : `${html.slice(0, at)}${block}${html.slice(at)}`
}

/** Appends the plain signature to a plain body, below the standard delimiter (`-- `, RFC 3676 section 4.3). */
export const appendTextSignature = (text: string, signature: string): string =>
  `${text.trimEnd()}\n\n${/^-- ?\r?\n/u.test(signature) ? "" : "-- \n"}${signature}`
