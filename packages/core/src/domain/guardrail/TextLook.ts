/**
 * Searches a long text in pieces, with the same result as a search of the whole text. First, functions ("passes")
 * normalise the whole text one after another. Then the patterns search the normalised text window by window. A piece is
 * one pass or one window, and spends its share of the budget.
 */
import type { Budget, Pieces } from "../budget/Budget.ts"

/** The size of a window in characters. A search takes at most a few milliseconds for one window. */
const windowLength = 16_384

/** The maximum length of a match of the patterns that are used here, except for spaces before `of`. */
const maxMatchLength = 1_024

/** A pattern with the flag `g`, and an optional condition for its matches. */
export interface Search {
  readonly pattern: RegExp
  readonly counts?: (match: RegExpExecArray) => boolean
}

/** The passes that normalise a text, and the patterns of which one must match. */
export interface Look {
  /** The passes that rewrite the text in order. Each one reads the text once. */
  readonly passes: ReadonlyArray<(text: string) => string>
  readonly searches: ReadonlyArray<Search>
}

/**
 * Searches for a match that starts in a window. The pattern also sees the text before the window, and `maxMatchLength`
 * characters after it. Returns true, or the position at which the next search starts.
 */
const searchWindow = ({ counts, pattern }: Search, text: string, begin: number, end: number): number | true => {
  const seen = text.slice(0, end + maxMatchLength)
  let at = begin
  while (at < end) {
    // Several searches share a pattern, so another search may have changed `lastIndex`.
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

/**
 * Returns true when one of the searches finds a match. Spends at most `steps`: half for the passes, half for the
 * searches.
 */
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
