/** Returns the median, or undefined for an empty list. */
export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
