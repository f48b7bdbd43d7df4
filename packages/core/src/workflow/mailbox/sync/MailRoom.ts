import { Context, Effect, PartitionedSemaphore, type Scope, Semaphore } from "effect"
import { maxMailboxMailBytes } from "../../../domain/mailbox/MailboxSync.ts"

/**
 * The maximum size in bytes of the mails that a process downloads and ingests concurrently. Many mailboxes stay
 * connected, but only this much of their mail is in memory.
 */
export const maxMailBytesInFlight = 4 * maxMailboxMailBytes

/** The part of the room in bytes that the mailboxes of one tenant may hold together. */
export const maxTenantMailBytes = maxMailBytesInFlight / 2

/**
 * Larger mails, in bytes, share `maxLargeBytesInFlight`. The rest of the room is for ordinary mail, so that slow
 * downloads of large mails never stop it, however many tenants have them.
 */
export const minLargeMailBytes = 8 * 1_048_576
export const maxLargeBytesInFlight = (maxMailBytesInFlight * 3) / 4

/** A mail counts at least this much, in bytes, because its parsed form and its statements need memory too. */
export const minMailBytes = 262_144

/** The part of one tenant, and the number of its mails that hold or request room. */
interface TenantRoom {
  readonly part: Semaphore.Semaphore
  users: number
}

/** The bytes of mail that this process may still read. Waiting tenants get room in turn. */
interface Room {
  readonly all: PartitionedSemaphore.PartitionedSemaphore<string>
  readonly large: PartitionedSemaphore.PartitionedSemaphore<string>
  readonly tenants: Map<string, TenantRoom>
}

/** Creates the room of a process. */
export const makeMailRoom = (): Room => ({
  all: PartitionedSemaphore.makeUnsafe<string>({ permits: maxMailBytesInFlight }),
  large: PartitionedSemaphore.makeUnsafe<string>({ permits: maxLargeBytesInFlight }),
  tenants: new Map()
})

/** The room of this process. */
export const MailRoom = Context.Reference<Room>("core/workflow/mailbox/sync/MailRoom", { defaultValue: makeMailRoom })

const interruptible = { interruptible: true }

const join = ({ tenants }: Room, tenantId: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const tenant = tenants.get(tenantId) ?? { part: Semaphore.makeUnsafe(maxTenantMailBytes), users: 0 }
      tenants.set(tenantId, tenant)
      tenant.users += 1
      return tenant
    }),
    (tenant) =>
      Effect.sync(() => {
        tenant.users -= 1
        if (tenant.users === 0) tenants.delete(tenantId)
      })
  )

const takePart = ({ part }: TenantRoom, bytes: number) =>
  Effect.acquireRelease(part.take(bytes), () => part.release(bytes), interruptible)

const takeShared = (room: PartitionedSemaphore.PartitionedSemaphore<string>, tenantId: string, bytes: number) =>
  Effect.acquireRelease(room.take(tenantId, bytes), () => room.release(bytes), interruptible)

/**
 * Takes room for mails of `bytes` until the scope closes. Waits for room if necessary. All callers take the parts in the
 * same order and need no further room to release theirs, so that they cannot wait for each other.
 */
export const takeMailRoom = Effect.fnUntraced(function* (
  tenantId: string,
  bytes: number
): Effect.fn.Return<void, never, Scope.Scope> {
  const room = yield* MailRoom
  yield* takePart(yield* join(room, tenantId), bytes)
  if (bytes > minLargeMailBytes) yield* takeShared(room.large, tenantId, bytes)
  yield* takeShared(room.all, tenantId, bytes)
})
