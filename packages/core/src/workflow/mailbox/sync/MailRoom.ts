import { Context, Effect, PartitionedSemaphore } from "effect"
import { maxMailboxMailBytes } from "../../../domain/mailbox/MailboxSync.ts"

/**
 * The maximum size in bytes of the mails that a process downloads and ingests concurrently. Many mailboxes stay
 * connected, but only this much of their mail is in memory.
 */
export const maxMailBytesInFlight = 4 * maxMailboxMailBytes

/** A mail counts at least this much, in bytes, because its parsed form and its statements need memory too. */
export const minMailBytes = 262_144

/** The bytes of mail that this process may still read. Waiting tenants get room in turn. */
const MailRoom = Context.Reference("core/workflow/mailbox/sync/MailRoom", {
  defaultValue: () => PartitionedSemaphore.makeUnsafe<string>({ permits: maxMailBytesInFlight })
})

/** Reads a mail of at most `bytes` while it has room in memory. Waits for room if necessary. */
export const withMailRoom =
  (tenantId: string, bytes: number) =>
  <A, E, R>(read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(MailRoom, (room) =>
      room.withPermits(tenantId, Math.min(Math.max(bytes, minMailBytes), maxMailboxMailBytes))(read)
    )
