import { Context, Effect, PartitionedSemaphore } from "effect"
import type { OutgoingAttachment } from "../../domain/email/OutgoingMail.ts"

/**
 * The maximum size in bytes of the attachments that a process sends concurrently: four mails of the maximum size. A
 * transport needs up to three times this memory, because it encodes the files.
 */
export const maxFileBytesInFlight = 100 * 1_048_576

/** The bytes of attachments that this process may still read. Waiting tenants get room in turn. */
export const FileRoom = Context.Reference("core/workflow/sending/FileRoom", {
  defaultValue: () => PartitionedSemaphore.makeUnsafe<string>({ permits: maxFileBytesInFlight })
})

/**
 * Runs a send while its attachments have room in memory. Waits for room if necessary. A send whose lease ends meanwhile
 * is not lost: another worker claims it, and this attempt then has no effect.
 */
export const withFileRoom =
  (tenantId: string, attachments: ReadonlyArray<Pick<OutgoingAttachment, "size">>) =>
  <A, E, R>(send: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const bytes = attachments.reduce((sum, { size }) => sum + size, 0)
    if (bytes === 0) return send
    return Effect.flatMap(FileRoom, (room) => room.withPermits(tenantId, Math.min(bytes, maxFileBytesInFlight))(send))
  }
