/** The search of the page. The address of the page contains it. */
export interface SearchTerms {
  readonly q?: string | undefined
  readonly deep?: boolean | undefined
}

/** Reads the search from an address. */
export const readSearchTerms = ({ deep, q }: Readonly<Record<string, unknown>>): SearchTerms => ({
  // A number in an address is read as one.
  ...(typeof q === "string" || typeof q === "number" ? { q: String(q) } : {}),
  ...(deep === true ? { deep: true } : {})
})
