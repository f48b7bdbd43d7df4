/**
 * Returns the items of a list that are not null. This file has no imports, because mail parsers in child processes load
 * it.
 */
export const present = <A>(list: ReadonlyArray<A | null> | null | undefined): ReadonlyArray<A> =>
  (list ?? []).filter((item) => item !== null)
