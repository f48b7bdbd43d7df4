import type { GrantId } from "../../Id.ts"

/** Something to be done at a provider's for one account, kept until it is done. */
export type Errand =
  /** Fetch one mail and take it in. `historical`: it was old when we were told of it, and the pipeline leaves it alone. */
  | {
      readonly kind: "fetch"
      readonly grantId: GrantId
      readonly providerMessageId: string
      readonly historical: boolean
    }
  /**
   * Look for mail that came into the account after `since` (epoch milliseconds) and was never told of. `page` leads on in
   * a list that was begun at `begunAt`; null: it begins.
   */
  | {
      readonly kind: "catch_up"
      readonly grantId: GrantId
      readonly since: number
      readonly page: { readonly next: string; readonly begunAt: number } | null
    }
  /** Give the permission of an account back that was disconnected here. */
  | { readonly kind: "revoke"; readonly providerGrantId: string }

/** An errand and where it stands. */
export interface QueuedErrand {
  readonly tenantId: string
  /** What it is about: the same errand is kept once. */
  readonly errandId: string
  /** How often somebody has taken it; also the fence between one who hung and one who took over. */
  readonly attempts: number
  /** When it may be taken next. Who holds it holds it until then. */
  readonly dueAt: number
  readonly createdAt: number
  /** Why it waits. */
  readonly reason: string | null
  readonly errand: Errand
}

/** How long a server may hold an errand before others see it. A mail and its attachments are fetched in that time. */
export const errandLeaseMillis = 120_000

/** Attempts at what a provider refuses before it is given up. What it does not answer is tried as long as it takes. */
export const errandAttempts = 8

/** How often we look for what nobody told us, and whether the account is still open to us. */
export const catchUpMillis = 10 * 60_000

/** How far before the last look the next one begins: providers list mail minutes after its time. */
export const catchUpOverlapMillis = 15 * 60_000

/** Mail that has lain in the account for longer when we learn of it is old: nobody expects an answer at once any more. */
export const oldMailMillis = 24 * 3_600_000

/** The one errand of an account that looks for missed mail. */
export const catchUpId = (grantId: GrantId): string => `catch_up:${grantId}`

/** The one errand that gives this permission back. */
export const revokeId = (providerGrantId: string): string => `revoke:${providerGrantId}`

/** The one errand that fetches this mail. */
export const fetchId = (grantId: GrantId, providerMessageId: string): string => `fetch:${grantId}:${providerMessageId}`
