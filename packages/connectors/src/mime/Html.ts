import { visibleLine, visibleText } from "@leadloom/core/email/VisibleText"
import { compile } from "html-to-text"
import sanitize from "sanitize-html"
import { isSeen, seen, type Visibility, visibilityOf } from "./Visibility.ts"

/**
 * HTML of strangers, made safe to show and readable as text.
 *
 * - Allow-listed tags and attributes only; no scripts, styles, forms, frames, objects, event handlers.
 * - Links keep http, https, mailto and tel, and open without opener and referrer.
 * - Nothing is loaded from elsewhere: opening a mail must not tell its sender that it was read. Images that came with the
 *   mail (`cid:`) stay; the address of a remote one moves to `data-remote-src` for a console to load on request.
 * - What the sender hid (`Visibility.ts`) is left out: the style that hides it is dropped, so that it would otherwise
 *   become visible, and a language model would read what no person did.
 */

/** Most characters and tags read of one HTML body. Unclosed tags cost quadratic time in the tokeniser. */
export const htmlCharactersRead = 1_048_576
export const htmlTagsRead = 20_000

const allowedTags = (
  "a abbr address article b bdi big blockquote br caption center cite code col colgroup dd del dfn div dl dt em figcaption " +
  "figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p pre q s samp section small span strike " +
  "strong sub sup table tbody td tfoot th thead tr tt u ul var wbr"
).split(" ")

/** Tags whose content is no text of the mail. */
const nonTextTags = (
  "script style textarea option select xmp noscript noframes noembed template title iframe object applet embed svg math " +
  "audio video canvas"
).split(" ")

/** Marks by which mail programs set off quoted history and signatures; kept for whoever folds them. */
const quoteClasses = (
  "gmail_quote gmail_quote_container gmail_attr gmail_extra gmail_signature gmail_signature_prefix yahoo_quoted " +
  "protonmail_quote protonmail_signature_block moz-cite-prefix moz-forward-container moz-signature moz-email-headers-table " +
  "OutlookMessageHeader AppleOriginalContents zmail_extra tutanota_quote hiri_quote front-quote"
).split(" ")
const quoteIds = [
  "divRplyFwdMsg",
  "appendonsend",
  "mail-editor-reference-message-container",
  "reply-intro",
  "isForwardContent"
]

const marks = { name: "id", multiple: false, values: quoteIds }

const allowedAttributes: sanitize.IOptions["allowedAttributes"] = {
  "*": ["dir", "lang", "title", "align", "valign"],
  a: ["href", "rel", "target"],
  img: ["src", "alt", "width", "height", "data-remote-src"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan"],
  ol: ["start", "type"],
  font: ["color"],
  blockquote: ["type"],
  div: [marks],
  span: [marks],
  hr: [marks]
}

const isRemote = (source: string): boolean => /^\s*https:\/\//iu.test(source)

const safeImage = (attributes: sanitize.Attributes, hidden: boolean): sanitize.Attributes => {
  const { src = "", ...rest } = attributes
  delete rest["data-remote-src"]
  if (hidden) return {}
  if (/^\s*cid:/iu.test(src)) return { ...rest, src }
  return isRemote(src) ? { ...rest, "data-remote-src": visibleLine(src) } : rest
}

const safeLink = ({ href, title }: sanitize.Attributes): sanitize.Attributes => {
  const link: sanitize.Attributes =
    href === undefined ? {} : { href: visibleLine(href), rel: "noopener noreferrer", target: "_blank" }
  return title === undefined ? link : { ...link, title }
}

/** Cuts HTML before it gets too long or has too many tags. */
const bounded = (html: string): string => {
  let end = Math.min(html.length, htmlCharactersRead)
  let tags = 0
  for (let at = html.indexOf("<"); at >= 0 && at < end; at = html.indexOf("<", at + 1)) {
    if (++tags > htmlTagsRead) end = at
  }
  return html.slice(0, end)
}

/** Sanitised HTML, and whether the input had to be cut. */
export interface SafeHtml {
  readonly html: string
  readonly cut: boolean
}

/** Sanitises HTML. Total; linear but for the bounds above. */
export const sanitizeHtml = (source: string): SafeHtml => {
  const input = bounded(source)
  const styled = /<(?:style|link)\b/iu.test(input)
  const visibility: Array<Visibility> = [seen]
  const current = (): Visibility => visibility[visibility.length - 1] ?? seen
  const html = sanitize(input, {
    allowedTags,
    nonTextTags,
    allowedAttributes,
    allowedClasses: { "*": quoteClasses },
    allowedSchemes: ["http", "https", "mailto", "tel"],
    allowedSchemesByTag: { img: ["cid"] },
    allowedSchemesAppliedToAttributes: ["href", "src", "cite"],
    allowProtocolRelative: false,
    parseStyleAttributes: false,
    nestingLimit: 200,
    onOpenTag: (name, attributes) => {
      visibility.push(visibilityOf(current(), { name, attributes, styled }))
    },
    onCloseTag: () => {
      if (visibility.length > 1) visibility.pop()
    },
    textFilter: (text) => (isSeen(current()) ? visibleText(text) : ""),
    transformTags: {
      a: (tagName, attributes) => ({ tagName, attribs: safeLink(attributes) }),
      img: (tagName, attributes) => ({ tagName, attribs: safeImage(attributes, current().hidden) })
    }
  })
  return { html: html.trim(), cut: input.length < source.length }
}

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } }))

/** Compiled once: compiling costs more than converting. */
const convert = compile({
  wordwrap: false,
  limits: { maxDepth: 200, maxInputLength: htmlCharactersRead * 2 },
  selectors: [
    { selector: "a", options: { ignoreHref: true } },
    { selector: "img", format: "skip" },
    { selector: "hr", format: "lineBreak" },
    ...headings
  ]
})

/** Plain text of sanitised HTML: paragraphs and line breaks kept, quotes marked with `> `, links as their text. */
export const htmlToText = (html: string): string =>
  visibleText(convert(html))
    .replace(/[ \t\xA0]+$/gmu, "")
    .replace(/\n{3,}/gu, "\n\n")
    .trim()

/** Plain text as HTML, for mails that mix both. */
export const textToHtml = (text: string): string =>
  `<div>${text.replace(/&/gu, "&amp;").replace(/</gu, "&lt;").replace(/>/gu, "&gt;").replace(/\n/gu, "<br />")}</div>`
