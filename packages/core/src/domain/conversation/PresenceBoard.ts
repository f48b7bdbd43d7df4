import {
  maxPresencesPerTenant,
  maxPresencesPerUser,
  type Presence,
  presenceKey,
  type PresenceReport
} from "./Presence.ts"

/** The present users of all tenants, in memory. */
export interface PresenceBoard {
  /** Applies a report, and removes expired presences. */
  readonly apply: (report: PresenceReport, now: number) => void
  /** Returns the users who are present in a conversation, first the one that was renewed first. */
  readonly list: (tenantId: string, contactId: string, now: number) => ReadonlyArray<Presence>
}

const isPresent = (report: PresenceReport): report is Presence => report.state !== "left"

/** Deletes the first entries of a map while a condition holds. */
const dropWhile = <Key, Value>(map: Map<Key, Value>, isStale: (value: Value) => boolean): void => {
  for (const [key, value] of map) {
    if (!isStale(value)) return
    map.delete(key)
  }
}

/** Removes the oldest presence above the limits of the user and the tenant. */
const limit = (presences: Map<string, Presence>, userId: string): void => {
  const own = [...presences].filter(([, presence]) => presence.userId === userId)
  const [oldest] = own.length > maxPresencesPerUser ? own : presences.size > maxPresencesPerTenant ? [...presences] : []
  if (oldest !== undefined) presences.delete(oldest[0])
}

/**
 * Creates an empty board. Each renewal moves a presence to the end of its tenant, and the tenant to the end of the
 * board. All presences last equally long, so the expired ones are always at the beginning.
 */
export const makePresenceBoard = (): PresenceBoard => {
  const tenants = new Map<string, Map<string, Presence>>()
  return {
    apply: (report, now) => {
      const isExpired = ({ expiresAt }: Presence): boolean => expiresAt <= now
      const presences = tenants.get(report.tenantId) ?? new Map<string, Presence>()
      tenants.delete(report.tenantId)
      presences.delete(presenceKey(report))
      if (isPresent(report)) presences.set(presenceKey(report), report)
      dropWhile(presences, isExpired)
      limit(presences, report.userId)
      if (presences.size > 0) tenants.set(report.tenantId, presences)
      dropWhile(tenants, (others) => [...others.values()].every(isExpired))
    },
    list: (tenantId, contactId, now) =>
      [...(tenants.get(tenantId)?.values() ?? [])].filter(
        (presence) => presence.contactId === contactId && presence.expiresAt > now
      )
  }
}
