import type { RenderedHtml } from "@leadloom/core/port/provider/MailParser"
import { visibleLine, visibleText } from "@leadloom/core/domain/email/VisibleText"
import sanitize from "sanitize-html"
import { boundedTokenizer, type HtmlLimits } from "./BoundedTokenizer.ts"
import { convertHtml } from "./HtmlText.ts"
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

/** Most characters of text kept of one mail. */
export const textCharactersKept = 1_048_576

/** Most characters and tags read of one HTML body. */
export const htmlCharactersRead = 1_048_576
export const htmlTagsRead = 20_000

/** Most characters of sanitized HTML kept of one body: escaping makes it longer than what was read. */
export const htmlCharactersKept = 1_572_864

const limits: HtmlLimits = {
  depth: 1_000,
  attributes: 100,
  attributeCharacters: 4_096,
  outputCharacters: htmlCharactersKept
}

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

/** Sanitizes HTML. Total and linear; what it makes is bounded too. */
export const sanitizeHtml = (source: string): SafeHtml => {
  const input = bounded(source)
  const styled = /<(?:style|link)\b/iu.test(input)
  const visibility: Array<Visibility> = [seen]
  let cut = input.length < source.length
  const current = (): Visibility => visibility[visibility.length - 1] ?? seen
  const document = { source: input, openElements: () => visibility.length - 1, onCut: () => void (cut = true) }
  const html = sanitize(input, {
    parser: { decodeEntities: true, Tokenizer: boundedTokenizer(limits, document) },
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
  return { html: html.trim(), cut }
}

/** Levels of quotes and of lists that mark their lines; nobody reads more `> ` in front of a line. */
const markedLevels = 10

/**
 * Most characters of text that some HTML becomes: marks make every line longer, so a short document of many short lines
 * could become a text many times its size. Four times is more than real mail comes to.
 */
export const textCharactersOf = (html: string): number =>
  Math.min(textCharactersKept, Math.max(16_384, html.length * 4))

/** Plain text of sanitized HTML: paragraphs and line breaks kept, quotes marked with `> `, links as their text. */
export const htmlToText = (html: string): string =>
  convertHtml(html, { characters: textCharactersOf(html), markedLevels }).text

/** Plain text as HTML, for mails that mix both. */
export const textToHtml = (text: string): string =>
  `<div>${text.replace(/&/gu, "&amp;").replace(/</gu, "&lt;").replace(/>/gu, "&gt;").replace(/\n/gu, "<br />")}</div>`

/** Sanitizes HTML and renders its text. */
export const renderHtml = (source: string): RenderedHtml => {
  const { html } = sanitizeHtml(source)
  return { html, text: htmlToText(sanitizeHtml(html).html) }
}
