/**
 * Links the contacts that exist when a company gets a domain. The job reads some contacts and continues until it has
 * read all.
 */
export interface LinkJob {
  readonly kind: "link_company"
  readonly domain: string
  /** The last contact that was read; empty at the start. */
  readonly after: string
}

/** Returns the id of the job for a domain. */
export const linkJobId = (domain: string): string => `link_company:${domain}`

/** The number of contacts that one statement reads, and the maximum that one unit of work links. */
export const linkedAtOnce = 250

/** The maximum number of parts of `linkedAtOnce` contacts that one attempt reads. */
export const partsPerAttempt = 20
