import { escapeHtml } from "../email/InsertSignature.ts"
import { maxTrackedLinks, maxTrackedUrlLength } from "./TrackedLink.ts"

/** The WHATWG URL parser. It is a global of every JavaScript runtime. */
declare const URL: {
  readonly canParse: (url: string) => boolean
  new (url: string): { readonly href: string; readonly username: string; readonly password: string }
}

/** Matches the target of an anchor in HTML that the server has sanitised: values have quotes, and no `"`, `<` or `>`. */
const anchors = /(<a\b[^<>]* href=")([^"<>]*)(")/giu

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }

const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/gu, (whole, name: string) => entities[name] ?? whole)

/**
 * Returns the absolute URL of an anchor as a browser requests it. Null if the link is not tracked: another scheme than
 * http and https, a URL with credentials, a URL that is too long, or a link to this server, such as one to unsubscribe.
 */
const urlOf = (href: string, publicUrl: string): string | null => {
  const text = unescaped(href).trim()
  if (!/^https?:\/\//iu.test(text) || text.length > maxTrackedUrlLength || !URL.canParse(text)) return null
  const url = new URL(text)
  const isLong = url.href.length > maxTrackedUrlLength
  if (isLong || url.username !== "" || url.password !== "") return null
  const own = new URL(publicUrl).href.replace(/\/$/u, "")
  return url.href === own || url.href.startsWith(`${own}/`) ? null : url.href
}

/** Returns the URLs of the anchors in sanitised HTML that can be tracked, each once, up to `maxTrackedLinks`. */
export const linksIn = (html: string, publicUrl: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const [, , href = ""] of html.matchAll(anchors)) {
    const url = urlOf(href, publicUrl)
    if (url !== null) found.add(url)
    if (found.size >= maxTrackedLinks) break
  }
  return [...found]
}

/**
 * Replaces the targets of anchors. `targets` has the new URL for each URL of `linksIn`. Everything else stays the same,
 * also the texts of the links. Equal arguments give equal HTML, so a retry sends the same.
 */
export const rewriteLinks = (html: string, publicUrl: string, targets: ReadonlyMap<string, string>): string =>
  html.replace(anchors, (whole, before: string, href: string, after: string) => {
    const url = urlOf(href, publicUrl)
    const target = url === null ? undefined : targets.get(url)
    return target === undefined ? whole : before + escapeHtml(target) + after
  })
