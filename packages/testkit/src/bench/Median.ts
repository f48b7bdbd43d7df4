/** Returns the upper median, or 0 for an empty list. */
export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

/** Returns the value below which a share of the values lies, or 0 for an empty list. */
export const quantile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Rounds to three significant digits. */
export const short = (value: number): number => Number(value.toPrecision(3))
