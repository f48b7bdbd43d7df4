/** The items of a list that are not null. Without imports: threads that parse mail load it. */
export const present = <A>(list: ReadonlyArray<A | null> | null | undefined): ReadonlyArray<A> =>
  (list ?? []).filter((item) => item !== null)
