import { type Tokens, tokensOf } from "./Tokens.ts"

/** The meanings that a phrase can have. Nine of them are intents. */
export const categories = [
  "unsubscribe",
  "cancellation",
  "complaint",
  "pricing",
  "booking",
  "purchase",
  "support",
  "information",
  "spam",
  /** A problem that cannot wait. It counts for the intent `support` and for high urgency. */
  "emergency",
  "urgent",
  "unhurried",
  "positive",
  "negative",
  /** A word that negates the phrases after it. */
  "negation",
  /** A phrase with a negating word that negates nothing, such as "I do not know how". */
  "noNegation",
  /** Says that a problem no longer exists. */
  "resolved"
] as const
export type Category = (typeof categories)[number]

/**
 * The phrases of one language for each category, separated by commas. `word*` matches every word with this beginning,
 * which must have at least three letters. `..` matches up to three words of the same clause. Accents and capitals do not
 * matter.
 */
export type WordList = Readonly<Partial<Record<Category, string>>>

type Part = { readonly text: string; readonly isStem: boolean } | "gap"

interface Entry {
  readonly id: number
  readonly category: Category
  readonly first: Exclude<Part, "gap">
  readonly rest: ReadonlyArray<Part>
}

/** Word lists, indexed by the first word of each phrase. */
export interface Lexicon {
  readonly byWord: ReadonlyMap<string, ReadonlyArray<Entry>>
  /** Entries that begin with a stem, by the first letters of the stem. */
  readonly byStem: ReadonlyMap<string, ReadonlyArray<Entry>>
}

const stemKeyLength = 3
const maxGap = 3

const partOf = (text: string): Part => {
  if (text === "..") return "gap"
  const isStem = text.endsWith("*")
  return { text: isStem ? text.slice(0, -1) : text, isStem }
}

const entryOf = (category: Category, phrase: string, id: number): Entry => {
  const parts = phrase
    .split(" ")
    .flatMap((word): ReadonlyArray<string> =>
      word === ".." ? [word] : tokensOf(word.replace("*", "")).words.map((one) => one + (word.endsWith("*") ? "*" : ""))
    )
    .map(partOf)
  const [first, ...rest] = parts
  const isShort = parts.some((part) => part !== "gap" && part.isStem && part.text.length < stemKeyLength)
  if (first === undefined || first === "gap" || rest.at(-1) === "gap" || isShort) {
    throw new Error(`Invalid phrase in the word lists: "${phrase}".`)
  }
  return { id, category, first, rest }
}

/** Compiles word lists. Throws for an invalid phrase, because the lists are part of the program. */
export const compileLexicon = (lists: ReadonlyArray<WordList>): Lexicon => {
  const byWord = new Map<string, Array<Entry>>()
  const byStem = new Map<string, Array<Entry>>()
  const known = new Set<string>()
  for (const list of lists) {
    for (const category of categories) {
      for (const phrase of (list[category] ?? "").split(",").map((one) => one.trim())) {
        // The same phrase in two languages is one entry, so that it counts once.
        if (phrase === "" || known.has(`${category} ${phrase}`)) continue
        known.add(`${category} ${phrase}`)
        const entry = entryOf(category, phrase, known.size)
        const [index, key] = entry.first.isStem
          ? [byStem, entry.first.text.slice(0, stemKeyLength)]
          : [byWord, entry.first.text]
        const entries = index.get(key)
        if (entries === undefined) index.set(key, [entry])
        else entries.push(entry)
      }
    }
  }
  return { byWord, byStem }
}

/** An occurrence of a phrase. `from` and `to` are the positions of its first and last word. */
export interface Occurrence {
  readonly id: number
  readonly category: Category
  readonly from: number
  readonly to: number
}

const fits = (word: string | undefined, { isStem, text }: Exclude<Part, "gap">): boolean =>
  word !== undefined && (isStem ? word.startsWith(text) : word === text)

/** Returns the position of the last word when `parts` follow the position `from` in the same clause, or -1. */
const endOf = (tokens: Tokens, from: number, parts: ReadonlyArray<Part>, next = 0): number => {
  const part = parts[next]
  if (part === undefined) return from
  if (part === "gap") {
    for (let skipped = 0; skipped <= maxGap && tokens.clauses[from + skipped] === tokens.clauses[from]; skipped++) {
      const end = endOf(tokens, from + skipped, parts, next + 1)
      if (end >= 0) return end
    }
    return -1
  }
  const at = from + 1
  if (tokens.clauses[at] !== tokens.clauses[from] || !fits(tokens.words[at], part)) return -1
  return endOf(tokens, at, parts, next + 1)
}

/**
 * Finds the phrases of a lexicon in a text. Each word selects the phrases that begin with it, so the time is linear in
 * the number of words.
 */
export const findPhrases = ({ byStem, byWord }: Lexicon, tokens: Tokens): ReadonlyArray<Occurrence> => {
  const found: Array<Occurrence> = []
  const look = (entries: ReadonlyArray<Entry> | undefined, from: number, word: string): void => {
    for (const { category, first, id, rest } of entries ?? []) {
      const to = fits(word, first) ? endOf(tokens, from, rest) : -1
      if (to >= 0) found.push({ id, category, from, to })
    }
  }
  for (const [from, word] of tokens.words.entries()) {
    look(byWord.get(word), from, word)
    look(byStem.get(word.slice(0, stemKeyLength)), from, word)
  }
  return found
}
