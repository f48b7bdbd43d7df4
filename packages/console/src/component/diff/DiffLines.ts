/** A line of a comparison: in both texts, or in one of them. */
export interface DiffLine {
  readonly kind: "same" | "removed" | "added"
  readonly line: string
}

/** Longer texts are compared as a whole, because the comparison takes time in proportion to the product of both lengths. */
const maxLines = 400

const as = (kind: DiffLine["kind"], lines: ReadonlyArray<string>): ReadonlyArray<DiffLine> =>
  lines.map((line) => ({ kind, line }))

/** Returns the lengths of the longest common subsequences of all endings of two lists of lines. */
const commonLengths = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): ReadonlyArray<Uint16Array> => {
  const lengths = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1))
  for (let row = one.length - 1; row >= 0; row--) {
    for (let column = other.length - 1; column >= 0; column--) {
      const below = lengths[row + 1]
      const here = lengths[row]
      if (below === undefined || here === undefined) continue
      here[column] =
        one[row] === other[column] ? (below[column + 1] ?? 0) + 1 : Math.max(below[column] ?? 0, here[column + 1] ?? 0)
    }
  }
  return lengths
}

const changedLines = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): ReadonlyArray<DiffLine> => {
  if (one.length > maxLines || other.length > maxLines) return [...as("removed", one), ...as("added", other)]
  const lengths = commonLengths(one, other)
  const found: Array<DiffLine> = []
  let [row, column] = [0, 0]
  while (row < one.length && column < other.length) {
    const [before = "", after = ""] = [one[row], other[column]]
    if (before === after) {
      found.push({ kind: "same", line: before })
      row++
      column++
    } else if ((lengths[row + 1]?.[column] ?? 0) >= (lengths[row]?.[column + 1] ?? 0)) {
      found.push({ kind: "removed", line: before })
      row++
    } else {
      found.push({ kind: "added", line: after })
      column++
    }
  }
  return [...found, ...as("removed", one.slice(row)), ...as("added", other.slice(column))]
}

/** Compares two texts by lines. The common beginning and the common end are not searched. */
export const diffLines = (before: string, after: string): ReadonlyArray<DiffLine> => {
  const [one, other] = [before.split("\n"), after.split("\n")]
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start++
  let end = 0
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++
  return [
    ...as("same", one.slice(0, start)),
    ...changedLines(one.slice(start, one.length - end), other.slice(start, other.length - end)),
    ...as("same", one.slice(one.length - end))
  ]
}
