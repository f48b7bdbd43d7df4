import type { RenderedHtml } from "@leadloom/core/internal/port/provider/MailParser"
import { visibleLine, visibleText } from "@leadloom/core/internal/domain/email/VisibleText"
import sanitize from "sanitize-html"
import { boundedTokenizer, type HtmlLimits } from "./BoundedTokenizer.ts"
import { convertHtml } from "./HtmlText.ts"
import { isSeen, seen, type Visibility, visibilityOf } from "./Visibility.ts"

/**
 * Untrusted HTML, made safe for display and readable as text.
 *
 * - Tags and attributes are allow-listed: no scripts, styles, forms, frames, objects or event handlers.
 * - Links keep http, https, mailto and tel, and open without opener and referrer.
 * - Remote content is not loaded, because that would tell the sender that the mail was read. Embedded images (`cid:`)
 *   stay. The URL of a remote image moves to `data-remote-src`, so that a console can load it on request.
 * - Text that the sender hid (`Visibility.ts`) is removed. Without the hiding styles it would become visible, and a
 *   language model would read text that no person sees.
 */

/** The maximum number of characters of text kept from one mail. */
export const textCharactersKept = 1_048_576

/** The maximum numbers of characters and tags read from one HTML body. */
export const htmlCharactersRead = 1_048_576
export const htmlTagsRead = 20_000

/**
 * The maximum number of characters of sanitised HTML kept from one body. It exceeds the input limit, because escaping
 * makes text longer.
 */
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

/** Tags whose content is not text of the mail. */
const nonTextTags = (
  "script style textarea option select xmp noscript noframes noembed template title iframe object applet embed svg math " +
  "audio video canvas"
).split(" ")

/**
 * The classes with which mail programs mark quoted history and signatures. The classes are kept, so that a console can
 * fold the marked parts.
 */
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

const safeLink = ({ href, style, title }: sanitize.Attributes): sanitize.Attributes => ({
  ...(href !== undefined && { href: visibleLine(href), rel: "noopener noreferrer", target: "_blank" }),
  ...(title !== undefined && { title }),
  ...(style !== undefined && { style })
})

/** Truncates HTML at the limits of characters and tags. */
const bounded = (html: string): string => {
  let end = Math.min(html.length, htmlCharactersRead)
  let tags = 0
  for (let at = html.indexOf("<"); at >= 0 && at < end; at = html.indexOf("<", at + 1)) {
    if (++tags > htmlTagsRead) end = at
  }
  return html.slice(0, end)
}

/** Sanitised HTML. `cut`: whether the input was truncated. */
export interface SafeHtml {
  readonly html: string
  readonly cut: boolean
}

/** The properties of harmless formatting. None of them hides or moves text, or loads a resource. */
const formatting = new Set(
  (
    "color background-color font-family font-size font-style font-weight text-align text-decoration text-transform " +
    "line-height letter-spacing vertical-align white-space list-style-type padding padding-top padding-right " +
    "padding-bottom padding-left margin margin-top margin-right margin-bottom margin-left border border-top " +
    "border-right border-bottom border-left border-color border-style border-width border-radius border-collapse " +
    "border-spacing width max-width height"
  ).split(" ")
)

/** A value without functions except colours, without URLs, and without negative lengths, which could cover content. */
const harmlessValue = /^(?:[\w\s#%.,'"]|rgba?\(|\)|(?<=\w)-(?=\w)){1,200}$/u

/** Returns the harmless declarations of a style attribute. */
const safeStyle = (style: string): string =>
  style
    .slice(0, limits.attributeCharacters)
    .split(";")
    .map((declaration) => declaration.split(":", 2).map((part) => part.trim()))
    .filter(([property = "", value = ""]) => formatting.has(property.toLowerCase()) && harmlessValue.test(value))
    .map(([property, value]) => `${property}: ${value}`)
    .join("; ")

/** Returns the attributes with harmless formatting only. */
const withSafeStyle = ({ style, ...rest }: sanitize.Attributes): sanitize.Attributes => {
  const safe = style === undefined ? "" : safeStyle(style)
  return safe === "" ? rest : { ...rest, style: safe }
}

/** Sanitises HTML for display. Never throws; linear; limits the length of the output too. */
export const sanitizeHtml = (source: string): SafeHtml => sanitizeWith(source, false)

/**
 * Sanitises HTML that the tenant itself wrote. Remote images keep their URLs, which `sanitizeHtml` moves to
 * `data-remote-src`, and harmless formatting stays.
 */
export const sanitizeOwnHtml = (source: string): string =>
  sanitizeWith(source, true).html.replace(/(<img\b[^<>]*) data-remote-src="/giu, '$1 src="')

const sanitizeWith = (source: string, isOwn: boolean): SafeHtml => {
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
    allowedAttributes: isOwn
      ? { ...allowedAttributes, "*": [...(allowedAttributes["*"] ?? []), "style"] }
      : allowedAttributes,
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
      ...(isOwn && { "*": (tagName, attributes) => ({ tagName, attribs: withSafeStyle(attributes) }) }),
      a: (tagName, attributes) => ({ tagName, attribs: safeLink(attributes) }),
      img: (tagName, attributes) => ({ tagName, attribs: safeImage(attributes, current().hidden) })
    }
  })
  return { html: html.trim(), cut }
}

/**
 * The maximum number of nested quotes and lists whose lines are marked. More than ten `> ` marks before a line do not
 * help a reader.
 */
const markedLevels = 10

/**
 * Returns the maximum length of the text of an HTML source. Every line repeats its quote marks, so short HTML with many
 * short lines could become a text many times its size. The text of real mail stays below four times the size of its
 * HTML.
 */
export const textCharactersOf = (html: string): number =>
  Math.min(textCharactersKept, Math.max(16_384, html.length * 4))

/**
 * Converts sanitised HTML to plain text. Paragraphs and line breaks stay, quotes are marked with `> `, and a link
 * becomes its text.
 */
export const htmlToText = (html: string): string =>
  convertHtml(html, { characters: textCharactersOf(html), markedLevels }).text

/** Converts plain text to HTML, for mails that mix both. */
export const textToHtml = (text: string): string =>
  `<div>${text.replace(/&/gu, "&amp;").replace(/</gu, "&lt;").replace(/>/gu, "&gt;").replace(/\n/gu, "<br />")}</div>`

/** Sanitizes HTML and renders its text. */
export const renderHtml = (source: string): RenderedHtml => {
  const { html } = sanitizeHtml(source)
  return { html, own: sanitizeOwnHtml(source), text: htmlToText(sanitizeHtml(html).html) }
}
