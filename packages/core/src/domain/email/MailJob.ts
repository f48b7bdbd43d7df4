import type { GrantId } from "../Id.ts"

/** Something to be done at a mail provider's for one account. */
export type MailJob =
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

/** How often we look for what nobody told us, and whether the account is still open to us. */
export const catchUpMillis = 10 * 60_000

/** How far before the last look the next one begins: providers list mail minutes after its time. */
export const catchUpOverlapMillis = 15 * 60_000

/** Mail that has lain in the account for longer when we learn of it is old: nobody expects an answer at once any more. */
export const oldMailMillis = 24 * 3_600_000

/** The one job of an account that looks for missed mail. */
export const catchUpId = (grantId: GrantId): string => `catch_up:${grantId}`

/** The one job that gives this permission back. */
export const revokeId = (providerGrantId: string): string => `revoke:${providerGrantId}`

/** The one job that fetches this mail. */
export const fetchId = (grantId: GrantId, providerMessageId: string): string => `fetch:${grantId}:${providerMessageId}`
