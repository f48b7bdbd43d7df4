import { parse } from "tldts"
import { runInOneStretch, unlimited } from "../budget/Budget.ts"
import { plainPasses } from "./PlainText.ts"
import { type Look, looking } from "./TextLook.ts"

/**
 * Matches the scheme of a URL with its slashes. Also matches spaced letters and `hxxp`, because people write links in
 * these forms to avoid a clickable link.
 */
const scheme =
  /\bh\s?[tx]\s?[tx]\s?p\s?s?\s?:\s?\/\s?\/|\b[a-z][a-z0-9+.-]{1,20}:\/\/|(?<![\p{L}\p{N}:/])\/\/[\p{L}\p{N}-]{1,63}\./giu

/** Matches the start of a link without a scheme, or markup that turns a word into a link. */
const marked = /\bwww\s?\.\s?[\p{L}\p{N}]|<a\s[^<>]{0,300}href|\]\(\s?[^)\]\s]{1,300}\)/giu

const label = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?"

/** Matches a host with plain dots, and the character after the host. The limit on labels bounds the work. */
const host = new RegExp(`(?<![\\p{L}\\p{N}.@-])(?<name>${label}(?:\\.${label}){1,8})(?<rest>[/:?#][^\\s.,;]|)`, "gu")

/** Matches a host between an `@` and a path. Without a path, the host is the domain of an email address. */
const addressed = new RegExp(`@${label}(?:\\.${label}){1,8}(?::\\d{1,5})?/[^\\s]`, "giu")

/** Matches a disguised dot: a dot or a word for a dot, in brackets. */
const bracketedDot = /\s?[[({<]\s?(?:\.|dot|d0t|punkt|punto|ponto|point|точка)\s?[\])}>]\s?/giu

/** Matches a dot next to a space, or a word for a dot, before a top-level domain that is rarely an ordinary word. */
const looseDot =
  /(?:\s(?:dot|d0t|punkt|punto|ponto|точка)\s|\s\.\s?|\.\s)(?<ending>com|net|org|biz|info)(?![\p{L}\p{N}])/gu

/** Matches the word at the end of a text, up to the maximum length of a host label (63 characters). */
const lastWord = /[\p{L}\p{N}-]{1,63}$/u

const articles = ["the", "a", "an", "this", "that", "of", "el", "la", "un", "der", "die", "das", "ein"]

/** Top-level domains that always count as the end of a host. Others are also ordinary words in some language. */
const endings = ["com", "net", "org", "biz", "info", "io", "app", "dev", "shop", "online", "xyz", "site", "store"]

const isDigits = (part: string): boolean => /^\d+$/u.test(part)

/** Returns true for a host of the public internet. Returns false for two sentences without a space between them. */
const isHost = (name: string, rest: string): boolean => {
  const labels = name.split(".")
  const ending = labels.at(-1) ?? ""
  if (labels.every(isDigits)) return labels.length === 4 && rest !== "" && labels.every((part) => Number(part) < 256)
  const { domain, isIcann } = parse(name, { allowPrivateDomains: false })
  if (domain === null || isIcann !== true) return false
  if (endings.includes(ending.toLowerCase()) || rest.startsWith("/")) return true
  // Examples of what is no host: "10.am" is a time, "B.Sc" a title, and "Thanks.Me too" a new sentence.
  const begins = /^\p{Lu}/u.test(ending) && !/^[\p{Lu}\p{N}.-]{4,}$/u.test(name)
  return !begins && !labels.slice(0, -1).every(isDigits)
}

/**
 * Replaces words and characters that represent a dot. The preceding word is searched only after a match. A pattern that
 * starts with this word would try each character of a long word 63 times.
 */
const withLooseDots = (text: string): string =>
  text.replace(looseDot, (found: string, ending: string, at: number, whole: string) => {
    const before = lastWord.exec(whole.slice(Math.max(0, at - 63), at))?.[0]
    return before === undefined || articles.includes(before.toLowerCase()) ? found : `.${ending}`
  })

/**
 * Finds web addresses: those that a mail program turns into links, and disguised ones that a reader understands. Email
 * addresses do not count.
 */
export const lookForLink: Look = {
  passes: [...plainPasses, (text) => text.replace(bracketedDot, "."), withLooseDots],
  searches: [
    { pattern: scheme },
    { pattern: marked },
    { pattern: addressed },
    { pattern: host, counts: ({ groups }) => isHost(groups?.["name"] ?? "", groups?.["rest"] ?? "") }
  ]
}

/** Returns true when a text contains a web address. Runs without interruption. */
export const containsLink = (text: string): boolean => runInOneStretch(looking(text, lookForLink, unlimited(), 0))
