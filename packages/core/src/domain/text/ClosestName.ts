/** The maximum length of a name for which a similar name is searched, because the search is quadratic in the length. */
const maxComparedLength = 64

/** The minimum share of common characters of a suggested name. */
const minSimilarity = 0.6

/** Returns the length of the longest common subsequence, which ignores left-out characters as in abbreviations. */
const commonLength = (one: string, other: string): number => {
  let previous = Array.from({ length: other.length + 1 }, () => 0)
  for (const letter of one) {
    const current = [0]
    for (let column = 1; column <= other.length; column++) {
      const skipped = Math.max(previous[column] ?? 0, current[column - 1] ?? 0)
      current.push(letter === other[column - 1] ? (previous[column - 1] ?? 0) + 1 : skipped)
    }
    previous = current
  }
  return previous[other.length] ?? 0
}

/** Returns the most similar name; null if no name is similar enough. */
export const closestName = (given: string, names: ReadonlyArray<string>): string | null => {
  if (given.length > maxComparedLength) return null
  let best: { readonly name: string; readonly similarity: number } | null = null
  for (const name of names) {
    const similarity = (2 * commonLength(given, name)) / (given.length + name.length)
    if (similarity >= minSimilarity && (best === null || similarity > best.similarity)) best = { name, similarity }
  }
  return best?.name ?? null
}
