/** Returns the position of the first occurrence of a pattern at or after `from`, or -1. */
export type TextSearch = (text: string, from: number) => number

/**
 * The maximum pattern length for which the search of the JavaScript engine is linear. V8 uses Boyer-Moore with tables
 * for the last 250 characters of the pattern. With a longer pattern, it may compare the same characters repeatedly (140
 * ns instead of 3 ns per character of the text).
 */
const maxNativeSearchLength = 250

/**
 * Computes for each position of the pattern the position at which the search continues after a mismatch (Knuth, Morris,
 * Pratt 1977).
 */
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

/** Builds a search whose time is linear in the text, for any text and pattern. */
export const textSearch = (pattern: string): TextSearch =>
  pattern.length <= maxNativeSearchLength ? (text, from) => text.indexOf(pattern, from) : longSearch(pattern)

/** Builds a test for the occurrence of a pattern, in linear time. */
export const textTest = (pattern: string): ((text: string) => boolean) => {
  if (pattern.length <= maxNativeSearchLength) return (text) => text.includes(pattern)
  const find = longSearch(pattern)
  return (text) => find(text, 0) >= 0
}

/**
 * Returns the cost of searching for a pattern: constant steps, and half steps for each character of the text. The
 * engine's search usually takes 0.5 ns and at most 7 ns per character. The search for long patterns takes 6 ns.
 */
export const searchCost = (pattern: string): { readonly base: number; readonly halfSteps: number } => ({
  base: 8,
  halfSteps: pattern.length <= maxNativeSearchLength ? 1 : 4
})

/** Returns the steps of searching a text of this length for a pattern of at most `maxNativeSearchLength` characters. */
export const searchSteps = (length: number): number => 8 + (length >>> 1)
