/** Finds one text in another: the position of the first occurrence at or after `from`, or -1. */
export type TextSearch = (text: string, from: number) => number

/**
 * Longest text that the engine's own search finds in linear time. V8 searches by Boyer-Moore with tables for the last 250
 * characters of the pattern; beyond them it compares again and again (140 ns a character instead of 3).
 */
const maxNativeSearchLength = 250

/** How far to fall back in the pattern after a mismatch (Knuth, Morris, Pratt 1977). */
const failuresOf = (pattern: string): Uint32Array => {
  const failures = new Uint32Array(pattern.length)
  let matched = 0
  for (let at = 1; at < pattern.length; at++) {
    while (matched > 0 && pattern.charCodeAt(at) !== pattern.charCodeAt(matched)) matched = failures[matched - 1] ?? 0
    if (pattern.charCodeAt(at) === pattern.charCodeAt(matched)) matched++
    failures[at] = matched
  }
  return failures
}

const longSearch = (pattern: string): TextSearch => {
  const failures = failuresOf(pattern)
  return (text, from) => {
    let matched = 0
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      while (matched > 0 && code !== pattern.charCodeAt(matched)) matched = failures[matched - 1] ?? 0
      if (code === pattern.charCodeAt(matched)) matched++
      if (matched === pattern.length) return at + 1 - matched
    }
    return -1
  }
}

/** A search for one text that takes time in proportion to the text it looks through, whatever both are. */
export const textSearch = (pattern: string): TextSearch =>
  pattern.length <= maxNativeSearchLength ? (text, from) => text.indexOf(pattern, from) : longSearch(pattern)

/** Whether a text holds another one, in the same time. */
export const textTest = (pattern: string): ((text: string) => boolean) => {
  if (pattern.length <= maxNativeSearchLength) return (text) => text.includes(pattern)
  const find = longSearch(pattern)
  return (text) => find(text, 0) >= 0
}

/**
 * What looking through a text for a pattern costs, in steps and in half steps a character: the engine takes 7 ns at worst
 * and usually 0.5, the other search 6 ns.
 */
export const searchCost = (pattern: string): { readonly base: number; readonly halfSteps: number } => ({
  base: 8,
  halfSteps: pattern.length <= maxNativeSearchLength ? 1 : 4
})

/** Steps of a search for a short pattern through a text of this length. */
export const searchSteps = (length: number): number => 8 + (length >>> 1)
