import { Resolver } from "node:dns/promises"
import { DnsFailure, type DnsRecords, isAbsence, type Resolve } from "./BoundedResolver.ts"

/** The limits of the cache. */
export interface CacheLimits {
  /** The maximum size of all names and answers, in characters. */
  readonly characters: number
  /** The maximum size of one answer, in characters. A larger answer counts as a failed query. */
  readonly answerCharacters: number
  /** The time in milliseconds for which an answer is used. Node.js reports no lifetime of TXT records. */
  readonly millis: number
  /** The time in milliseconds for which the absence of a record is used. */
  readonly absenceMillis: number
}

export const defaultCacheLimits: CacheLimits = {
  characters: 8_000_000,
  answerCharacters: 16_384,
  millis: 300_000,
  absenceMillis: 60_000
}

type Answer = { readonly records: DnsRecords } | { readonly code: string }

interface Entry {
  readonly answer: Answer
  readonly size: number
  readonly expiresAt: number
}

/** Returns a resolver that remembers answers and absences, and removes the oldest entries. Failures are not remembered. */
export const cachedResolver = (
  resolve: Resolve,
  now: () => number = Date.now,
  limits: CacheLimits = defaultCacheLimits
): Resolve => {
  const entries = new Map<string, Entry>()
  let characters = 0
  const remove = (key: string): void => {
    characters -= entries.get(key)?.size ?? 0
    entries.delete(key)
  }
  const add = (key: string, answer: Answer): void => {
    const size = key.length + JSON.stringify(answer).length
    remove(key)
    entries.set(key, { answer, size, expiresAt: now() + ("code" in answer ? limits.absenceMillis : limits.millis) })
    characters += size
    for (const oldest of entries.keys()) {
      if (characters <= limits.characters) return
      remove(oldest)
    }
  }
  return async (name, type) => {
    const key = `${type} ${name.toLowerCase()}`
    const found = entries.get(key)
    if (found !== undefined && found.expiresAt > now()) {
      if ("code" in found.answer) throw new DnsFailure(found.answer.code)
      return found.answer.records
    }
    try {
      const records = await resolve(name, type)
      if (JSON.stringify(records).length > limits.answerCharacters) throw new DnsFailure("EBADRESP")
      add(key, { records })
      return records
    } catch (error) {
      const code = error instanceof DnsFailure ? error.code : "ESERVFAIL"
      if (isAbsence(code)) add(key, { code })
      throw new DnsFailure(code)
    }
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "ESERVFAIL"

/** Returns a resolver that asks the DNS servers of the system, or the given ones. */
export const systemResolver = (servers?: ReadonlyArray<string>): Resolve => {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  const ask = (name: string, type: Parameters<Resolve>[1]): Promise<DnsRecords> => {
    switch (type) {
      case "TXT":
        return resolver.resolveTxt(name)
      case "MX":
        return resolver.resolveMx(name)
      default:
        return resolver.resolve(name, type)
    }
  }
  return (name, type) => ask(name, type).catch((error: unknown) => Promise.reject(new DnsFailure(codeOf(error))))
}
