/** The record types of the verification. */
export const recordTypes = ["TXT", "A", "AAAA", "MX", "PTR", "CNAME"] as const

export type RecordType = (typeof recordTypes)[number]

/** The answer of a DNS query, as `dns.resolve` of Node.js returns it: texts in parts, names, or mail servers. */
export type DnsRecords = ReadonlyArray<string> | ReadonlyArray<ReadonlyArray<string>> | ReadonlyArray<MailHost>

export interface MailHost {
  readonly exchange: string
  readonly priority: number
}

/** Resolves a name. Rejects with a `DnsFailure`. */
export type Resolve = (name: string, type: RecordType) => Promise<DnsRecords>

/** A failed DNS query. `code` is one of Node.js: `ENOTFOUND` and `ENODATA` are answers, the others are failures. */
export class DnsFailure extends Error {
  readonly code: string

  constructor(code: string) {
    super(`The DNS query failed with ${code}.`)
    this.code = code
  }
}

/** Returns whether the code says that a name or a record does not exist. */
export const isAbsence = (code: string): boolean => code === "ENOTFOUND" || code === "ENODATA"

/** The limits of the DNS queries for one mail. */
export const dnsLimits = {
  /**
   * The time in milliseconds from the first step of a verification, after which unanswered queries fail. RFC 7208
   * section 4.6.4 permits 20 s for SPF alone, but the sending server waits.
   */
  millis: 4_000,
  /** SPF needs up to 10 queries and 10 addresses for each of its `mx` terms (RFC 7208 section 4.6.4). */
  queries: 100
} as const

/** The queries of one mail, and whether one of them failed without an answer. */
export interface BoundedResolver {
  readonly resolve: Resolve
  readonly hasFailed: () => boolean
  /** Releases the timer. */
  readonly close: () => void
}

/** Limits the number and the total time of the queries of one mail. */
export const boundedResolver = (resolve: Resolve, limits: typeof dnsLimits = dnsLimits): BoundedResolver => {
  let queries = 0
  let failed = false
  const expired = Promise.withResolvers<never>()
  expired.promise.catch(() => undefined)
  const timer = setTimeout(() => expired.reject(new DnsFailure("ETIMEOUT")), limits.millis)
  return {
    resolve: async (name, type) => {
      try {
        if (++queries > limits.queries) throw new DnsFailure("ETIMEOUT")
        return await Promise.race([resolve(name, type), expired.promise])
      } catch (error) {
        const code = error instanceof DnsFailure ? error.code : "ESERVFAIL"
        failed ||= !isAbsence(code)
        throw new DnsFailure(code)
      }
    },
    hasFailed: () => failed,
    close: () => clearTimeout(timer)
  }
}
