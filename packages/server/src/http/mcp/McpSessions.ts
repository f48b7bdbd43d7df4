/** The limits of sessions. */
export interface SessionLimits {
  /** The maximum number of sessions of one credential in one tenant. */
  readonly maxPerOwner: number
  /** The maximum number of sessions of the server. */
  readonly maxTotal: number
  /** The time without requests after which a session ends, in milliseconds. */
  readonly idleMillis: number
}

/** One session needs a few kilobytes. A client that reconnects without ending its session opens a new one. */
export const sessionLimits: SessionLimits = { maxPerOwner: 20, maxTotal: 1_000, idleMillis: 3_600_000 }

interface Session {
  readonly owner: string
  readonly usedAt: number
}

/** The open sessions with their owners. An owner is a credential in a tenant. */
export interface McpSessions {
  /** Records a use. Returns false for an unknown or expired session, and for the session of another owner. */
  readonly use: (id: string, owner: string, now: number) => boolean
  /**
   * Adds a session. Returns the sessions that end because they expired or because their owner has too many, least
   * recently used first. Returns null if the server has too many sessions of other owners; the session is not added.
   */
  readonly add: (id: string, owner: string, now: number) => ReadonlyArray<string> | null
  readonly remove: (id: string) => void
}

/** Creates an empty list of sessions. The map keeps the order of use. */
export const makeMcpSessions = ({ idleMillis, maxPerOwner, maxTotal }: SessionLimits): McpSessions => {
  const open = new Map<string, Session>()
  const isExpired = ({ usedAt }: Session, now: number): boolean => now - usedAt >= idleMillis
  const put = (id: string, session: Session): void => {
    open.delete(id)
    open.set(id, session)
  }
  const ending = (owner: string, now: number): ReadonlyArray<string> => {
    const expired = [...open].filter(([, session]) => isExpired(session, now)).map(([id]) => id)
    const own = [...open].filter(([, session]) => session.owner === owner && !isExpired(session, now))
    return [...expired, ...own.slice(0, Math.max(0, own.length - maxPerOwner + 1)).map(([id]) => id)]
  }
  return {
    use: (id, owner, now) => {
      const session = open.get(id)
      if (session === undefined || session.owner !== owner || isExpired(session, now)) return false
      put(id, { owner, usedAt: now })
      return true
    },
    add: (id, owner, now) => {
      const ended = ending(owner, now)
      if (open.size - ended.length >= maxTotal) return null
      for (const one of ended) open.delete(one)
      put(id, { owner, usedAt: now })
      return ended
    },
    remove: (id) => void open.delete(id)
  }
}
