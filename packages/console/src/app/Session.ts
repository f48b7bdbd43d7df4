/**
 * The session of this tab: who is signed in, and the objects that every page needs. Pages and their requests do not
 * belong in this folder. Tests: `packages/console/test`.
 */
import type { CredentialFacts } from "@leadloom/client"

/** The credential of a tab. It stays in the tab: no other tab reads it, and it ends with the tab. */
export interface Session {
  readonly credential: string
  readonly tenantId: string
  /** The user as whom the session acts; null for an API key. */
  readonly userId: string | null
  /** The facts that determine the permissions of the credential, as the server states them. */
  readonly facts: CredentialFacts
  /** Epoch milliseconds; null for a credential that the console cannot renew. */
  readonly expiresAt: number | null
  /** Whether a one-time link has started the session, so that the person needs another link to return. */
  readonly isFromLink?: boolean
}

const place = "leadloom.session"

const isSession = (value: unknown): value is Session =>
  typeof value === "object" &&
  value !== null &&
  "credential" in value &&
  typeof value.credential === "string" &&
  "tenantId" in value &&
  typeof value.tenantId === "string" &&
  "userId" in value &&
  (value.userId === null || typeof value.userId === "string") &&
  "facts" in value &&
  typeof value.facts === "object" &&
  value.facts !== null &&
  "expiresAt" in value &&
  (value.expiresAt === null || typeof value.expiresAt === "number")

/** Returns the session of this tab; null before the sign-in. */
export const readSession = (): Session | null => {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(place) ?? "null")
    return isSession(value) ? value : null
  } catch {
    return null
  }
}

export const storeSession = (session: Session): void => sessionStorage.setItem(place, JSON.stringify(session))

/**
 * Ends the session. The page loads again, so that no response, draft or open request of the session stays in memory.
 */
export const endSession = (reason: "signed-out" | "expired"): void => {
  sessionStorage.clear()
  location.replace(reason === "expired" ? "/sign-in?reason=expired" : "/sign-in")
}
