import { parse } from "tldts"
import { runInOneStretch, unlimited } from "../budget/Budget.ts"
import { plainPasses } from "./PlainText.ts"
import { type Look, looking } from "./TextLook.ts"

/** A scheme with its slashes, also with the letters apart and with `hxxp`, as people write what must not be clicked. */
const scheme =
  /\bh\s?[tx]\s?[tx]\s?p\s?s?\s?:\s?\/\s?\/|\b[a-z][a-z0-9+.-]{1,20}:\/\/|(?<![\p{L}\p{N}:/])\/\/[\p{L}\p{N}-]{1,63}\./giu

/** What begins a link without a scheme, or makes one of a word. */
const marked = /\bwww\s?\.\s?[\p{L}\p{N}]|<a\s[^<>]{0,300}href|\]\(\s?[^)\]\s]{1,300}\)/giu

const label = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?"

/** A host with plain dots, what stands before it, and what follows. The bound on labels bounds the work. */
const host = new RegExp(`(?<![\\p{L}\\p{N}.@-])(?<name>${label}(?:\\.${label}){1,8})(?<rest>[/:?#][^\\s.,;]|)`, "gu")

/** A host behind an `@`: the domain of an address, unless a path follows. */
const addressed = new RegExp(`@${label}(?:\\.${label}){1,8}(?::\\d{1,5})?/[^\\s]`, "giu")

/** A dot in disguise: in brackets, or as a word in brackets. */
const bracketedDot = /\s?[[({<]\s?(?:\.|dot|d0t|punkt|punto|ponto|point|точка)\s?[\])}>]\s?/giu

/** A dot as a word, or with space around it, before an ending that is hardly ever a word. */
const looseDot =
  /(?:\s(?:dot|d0t|punkt|punto|ponto|точка)\s|\s\.\s?|\.\s)(?<ending>com|net|org|biz|info)(?![\p{L}\p{N}])/gu

/** The word at the end of a text, as long as a label of a host may be. */
const lastWord = /[\p{L}\p{N}-]{1,63}$/u

const articles = ["the", "a", "an", "this", "that", "of", "el", "la", "un", "der", "die", "das", "ein"]

/** Endings that are taken for one however they are written; the others are words of some language. */
const endings = ["com", "net", "org", "biz", "info", "io", "app", "dev", "shop", "online", "xyz", "site", "store"]

const isDigits = (part: string): boolean => /^\d+$/u.test(part)

/** Whether a name with dots is a host of the public internet, and not two sentences without a space between them. */
const isHost = (name: string, rest: string): boolean => {
  const labels = name.split(".")
  const ending = labels.at(-1) ?? ""
  if (labels.every(isDigits)) return labels.length === 4 && rest !== "" && labels.every((part) => Number(part) < 256)
  const { domain, isIcann } = parse(name, { allowPrivateDomains: false })
  if (domain === null || isIcann !== true) return false
  if (endings.includes(ending.toLowerCase()) || rest.startsWith("/")) return true
  // "10.am", "B.Sc", "Thanks.Me too": a time, a title, a new sentence.
  const begins = /^\p{Lu}/u.test(ending) && !/^[\p{Lu}\p{N}.-]{4,}$/u.test(name)
  return !begins && !labels.slice(0, -1).every(isDigits)
}

/**
 * Makes dots of words that stand for them. The word before a dot is looked up when a dot was found: an expression that began
 * with it would try every character of a long word 63 times.
 */
const withLooseDots = (text: string): string =>
  text.replace(looseDot, (found: string, ending: string, at: number, whole: string) => {
    const before = lastWord.exec(whole.slice(Math.max(0, at - 63), at))?.[0]
    return before === undefined || articles.includes(before.toLowerCase()) ? found : `.${ending}`
  })

/**
 * Looks for a web address: one that a mail program makes a link of, or one in disguise that a reader understands. Addresses of
 * email are none.
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

/** Whether a text holds a web address, looked for at once. */
export const containsLink = (text: string): boolean => runInOneStretch(looking(text, lookForLink, unlimited(), 0))
