import { backoffMillis } from "../time/Retry.ts"
import { type MailboxSync, refusedLoginMillis } from "./MailboxSync.ts"

/** A failed connection or a failed look into the folders. */
export interface MailboxFailure {
  /** One line for people, without secrets. */
  readonly detail: string
  /** True when the mail server rejects the login. */
  readonly isLoginRefused: boolean
  /** The delay that the mail server requests, in milliseconds; null if none. */
  readonly retryAfterMillis: number | null
}

/** The length of a stored error in characters. */
const maxErrorCharacters = 500

/**
 * Returns the sync after a failure, with the time of the next attempt. `random` is at least 0 and less than 1: the wait
 * is between half and all of the backoff, so that mailboxes of one provider do not return at the same moment.
 */
export const afterMailboxFailure = (
  sync: MailboxSync,
  { detail, isLoginRefused, retryAfterMillis }: MailboxFailure,
  now: number,
  random: number
): MailboxSync => {
  const failures = sync.failures + 1
  const backoff = isLoginRefused ? refusedLoginMillis : backoffMillis(failures)
  const wait = Math.max(Math.floor(backoff * (0.5 + random / 2)), retryAfterMillis ?? 0)
  return {
    ...sync,
    dueAt: now + wait,
    failingSince: sync.failingSince ?? now,
    failures,
    error: detail.slice(0, maxErrorCharacters)
  }
}

/** Returns the sync after a complete look into all folders. `error` is the problem of a single folder; null if none. */
export const afterLook = (sync: MailboxSync, now: number, error: string | null): MailboxSync => ({
  ...sync,
  lastSyncAt: now,
  failingSince: null,
  failures: 0,
  error: error === null ? null : error.slice(0, maxErrorCharacters),
  isReported: false
})
