/**
 * Looks through a long text in pieces, with the same result as looking through all of it at once: passes that rewrite the text,
 * then searches window by window. Each piece spends its share of what the look costs.
 */
import type { Budget, Pieces } from "../budget/Budget.ts"

/** Characters of a window: an expression takes a few milliseconds at most to look through it. */
const windowLength = 16_384

/** No expression here matches more characters, spaces before `of` left out. */
const maxMatchLength = 1_024

/** An expression with the flag `g`, and whether a match of it counts. */
export interface Search {
  readonly pattern: RegExp
  readonly counts?: (match: RegExpExecArray) => boolean
}

/** How a text is looked through. */
export interface Look {
  /** What rewrites the text, one after another. Each goes over it once. */
  readonly passes: ReadonlyArray<(text: string) => string>
  readonly searches: ReadonlyArray<Search>
}

/**
 * Whether a match that counts begins in a window. The expression sees the text before the window, and a little of the text
 * behind it. Answers where the search goes on, or true.
 */
const searchWindow = ({ counts, pattern }: Search, text: string, begin: number, end: number): number | true => {
  const seen = text.slice(0, end + maxMatchLength)
  let at = begin
  while (at < end) {
    // Expressions are shared, and another look may have used this one since.
    pattern.lastIndex = at
    const match = pattern.exec(seen)
    if (match === null || match.index >= end) return end
    if (counts === undefined || counts(match)) return true
    at = Math.max(match.index + match[0].length, at + 1)
  }
  return at
}

const searching = function* (search: Search, text: string, spend: (characters: number) => void): Pieces<boolean> {
  for (let at = 0; at < text.length;) {
    const end = Math.min(at + windowLength, text.length)
    spend(end - at)
    const next = searchWindow(search, text, at, end)
    if (next === true) return true
    at = next
    yield
  }
  return false
}

/** Whether any of the searches finds something. It spends `steps` at most: half for the passes, half for the searches. */
export const looking = function* (text: string, look: Look, budget: Budget, steps: number): Pieces<boolean> {
  const { passes, searches } = look
  let read = text
  for (const pass of passes) {
    budget.spend(Math.floor(steps / 2 / passes.length))
    read = pass(read)
    yield
  }
  const perCharacter = steps / 2 / searches.length / Math.max(1, read.length)
  for (const search of searches) {
    const spend = (characters: number): void => budget.spend(Math.floor(characters * perCharacter))
    if (yield* searching(search, read, spend)) return true
  }
  return false
}
