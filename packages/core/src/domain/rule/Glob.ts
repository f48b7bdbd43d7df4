import { type TextSearch, textSearch } from "./TextSearch.ts"

/** The number of characters of a text that are compared with a pattern. The rest is ignored. */
const maxTextLength = 4_096

/** A pattern in which `*` matches any characters and `?` matches one character. */
export interface Glob {
  readonly test: (text: string) => boolean
  /**
   * The maximum cost of a comparison: base steps, half steps for each character, and the maximum number of characters
   * that are read.
   */
  readonly cost: { readonly base: number; readonly halfSteps: number; readonly maxChars: number }
}

/** The number of characters of a part that one integer represents as bits. */
const bitsPerWord = 31

/** Returns true when a part occurs at a position. `?` matches any character. */
const standsAt = (part: string, text: string, at: number): boolean => {
  for (let index = 0; index < part.length; index++) {
    if (part[index] !== "?" && part[index] !== text[at + index]) return false
  }
  return true
}

/**
 * Builds the search for a part with `?`, by the algorithm Shift-And (Baeza-Yates and Gonnet 1992). One bit represents
 * each prefix of the part that ends at the current character, so each character of the text is read once.
 */
const wildSearch = (part: string): TextSearch => {
  const words = Math.ceil(part.length / bitsPerWord)
  const any = new Int32Array(words)
  const masks = new Map<number, Int32Array>()
  for (let index = 0; index < part.length; index++) {
    const bit = 1 << (index % bitsPerWord)
    const word = Math.floor(index / bitsPerWord)
    if (part[index] === "?") any[word] = (any[word] ?? 0) | bit
    else {
      const code = part.charCodeAt(index)
      const mask = masks.get(code) ?? new Int32Array(words)
      mask[word] = (mask[word] ?? 0) | bit
      masks.set(code, mask)
    }
  }
  const carryBit = 1 << (bitsPerWord - 1)
  const last = 1 << ((part.length - 1) % bitsPerWord)
  return (text, from) => {
    const state = new Int32Array(words)
    for (let at = from; at < text.length; at++) {
      const mask = masks.get(text.charCodeAt(at))
      let carry = 1
      for (let word = 0; word < words; word++) {
        const before = state[word] ?? 0
        state[word] = ((before << 1) | carry) & ((mask?.[word] ?? 0) | (any[word] ?? 0))
        carry = (before & carryBit) === 0 ? 0 : 1
      }
      if (((state[words - 1] ?? 0) & last) !== 0) return at + 1 - part.length
    }
    return -1
  }
}

/** Returns the search for a part between two stars. */
const partSearch = (part: string): TextSearch => (part.includes("?") ? wildSearch(part) : textSearch(part))

/** Returns the steps of searching one character for the part. */
const weightOf = (part: string): number => (part.includes("?") ? 2 + Math.ceil(part.length / bitsPerWord) : 1)

/**
 * Compiles a pattern that must match the whole text. Text beyond the maximum length is cut before the comparison. The
 * part before the first star must match at the start, and the part after the last star at the end. The parts between
 * them are searched from left to right. The first match of each part leaves the most text for the following parts, so
 * the search never goes back, and its time is linear.
 */
export const compileGlob = (pattern: string): Glob => {
  const [head = "", ...rest] = pattern.split("*")
  const tail = rest.pop()
  const inner = rest.filter((part) => part !== "")
  const searches = inner.map((part) => ({ find: partSearch(part), length: part.length }))
  const weight = inner.reduce((max, part) => Math.max(max, weightOf(part)), 1)
  const base = 8 + pattern.length + 16 * inner.length
  const test = (whole: string): boolean => {
    const text = whole.length > maxTextLength ? whole.slice(0, maxTextLength) : whole
    if (tail === undefined) return text.length === head.length && standsAt(head, text, 0)
    const end = text.length - tail.length
    if (end < head.length || !standsAt(head, text, 0) || !standsAt(tail, text, end)) return false
    let at = head.length
    for (const { find, length } of searches) {
      const found = find(text, at)
      if (found < 0 || found + length > end) return false
      at = found + length
    }
    return true
  }
  return { test, cost: { base, halfSteps: 2 * weight, maxChars: maxTextLength } }
}

/** Compiles a pattern to a predicate without its cost. */
export const globTest = (pattern: string): ((text: string) => boolean) => compileGlob(pattern).test
