import type { GrantId } from "../Id.ts"

/** A job at a mail provider for one account. */
export type MailJob =
  /**
   * Downloads and ingests one mail. `historical`: the mail was already old when the server learned of it, so it does
   * not enter the pipeline.
   */
  | {
      readonly kind: "fetch"
      readonly grantId: GrantId
      readonly providerMessageId: string
      readonly historical: boolean
    }
  /**
   * Searches for mail that arrived after `since` (epoch milliseconds) and that the provider never reported. `page` is
   * the position in a list whose reading began at `begunAt`. If it is null, the job starts a new list.
   */
  | {
      readonly kind: "catch_up"
      readonly grantId: GrantId
      readonly since: number
      readonly page: { readonly next: string; readonly begunAt: number } | null
    }
  /** Revokes the permission of a disconnected account at the provider. */
  | { readonly kind: "revoke"; readonly providerGrantId: string }

/** The interval of the search for unreported mail. The same job checks that the account is still accessible. */
export const catchUpMillis = 10 * 60_000

/**
 * The overlap of the periods of consecutive searches. It is necessary because providers list mail minutes after its
 * arrival.
 */
export const catchUpOverlapMillis = 15 * 60_000

/** The age above which mail counts as old. The sender of old mail no longer expects an immediate reply. */
export const oldMailMillis = 24 * 3_600_000

/** Returns the id of the only job that searches an account for missed mail. */
export const catchUpId = (grantId: GrantId): string => `catch_up:${grantId}`

/** Returns the id of the only job that revokes this permission. */
export const revokeId = (providerGrantId: string): string => `revoke:${providerGrantId}`

/** Returns the id of the only job that downloads this mail. */
export const fetchId = (grantId: GrantId, providerMessageId: string): string => `fetch:${grantId}:${providerMessageId}`
