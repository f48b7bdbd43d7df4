import { parse } from "tldts"

const withScheme = /\b[a-z][a-z0-9+.-]{1,20}:\/{2}([^\s<>"'`]{0,2000})/giu
const bare =
  /(?<![@\p{L}\p{N}._-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}(?![\p{L}\p{N}@-])/gu
const numeric = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)/gu
/** Schemes that act without a host. */
const acting = /\b(?:javascript|vbscript|data|file|blob|sms|smsto|skype|tg|intent|bitcoin|ethereum|magnet):(?=\S)/iu

/** Top levels that no registry sells and that lead somewhere all the same, or stand for such in examples (RFC 6761). */
const special = new Set(["onion", "example", "test", "invalid", "internal", "local", "lan", "home"])

const leadsSomewhere = (host: string): boolean => {
  const { isIcann, publicSuffix } = parse(host)
  return isIcann === true || special.has(publicSuffix ?? "")
}

/** A host as it is compared: lower case, without `www.` and the dot of the root. */
export const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/(?<!\.)\.+$/u, "")
    .replace(/^www\./u, "")

/** The host of what stands after `://`; null when it is written so that people and programs read another one. */
const hostOf = (rest: string): string | null => {
  const authority = rest.split(/[/?#)\]}]/u, 1)[0] ?? ""
  if (/[@\\%]/u.test(authority)) return null
  return plainHost(authority.replace(/:\d{0,5}$/u, "").replace(/(?<![.,;:!])[.,;:!]+$/u, ""))
}

/** Hosts that a text links to, by a scheme, as a bare name or as a number; null for a disguised one. */
const linksIn = (text: string): ReadonlyArray<string | null> => [
  ...Array.from(text.matchAll(withScheme), ([, rest = ""]) => hostOf(rest)),
  ...Array.from(text.replace(withScheme, " ").matchAll(bare), ([host]) => plainHost(host)).filter(leadsSomewhere),
  ...Array.from(text.replace(withScheme, " ").matchAll(numeric), ([host]) => host)
]

/** Hosts that a text links to. */
export const hostsIn = (text: string): ReadonlyArray<string> => linksIn(text).filter((host) => host !== null)

/**
 * Why a link must not go out unseen. Hosts are compared letter by letter, so punycode, look-alike letters and subdomains
 * of a known host are strangers.
 */
export const strangeLinks = (text: string, known: ReadonlySet<string>): ReadonlyArray<string> => [
  ...linksIn(text).flatMap((host) => {
    if (host === null) return ["it holds a link that hides where it leads"]
    return known.has(host) ? [] : [`it links to ${host.slice(0, 80)}, which is neither allowed nor in the conversation`]
  }),
  ...(acting.test(text) ? ["it holds a link that does something instead of leading somewhere"] : [])
]
