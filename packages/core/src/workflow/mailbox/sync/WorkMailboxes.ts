/**
 * Keeps the mailboxes of all tenants connected: claims them, extends their leases and reads their mail. Connecting an
 * account belongs to `workflow/mailbox`, speaking IMAP to the port `Mailboxes`, and storing mail to `workflow/intake`.
 * Tests: `packages/testkit/src/suite/mailbox/MailboxSyncSuite.ts`, `packages/server/test/mail`.
 */
import { Clock, Deferred, Effect } from "effect"
import {
  defaultMaxMailboxes,
  mailboxLeaseMillis,
  mailboxRenewMillis,
  type MailboxSync
} from "../../../domain/mailbox/MailboxSync.ts"
import { type MailboxClaim, MailboxSyncs } from "../../../port/repository/conversation/MailboxSyncs.ts"
import { defaults, type Queue, type Source, warnUnavailable } from "../../worker/Worker.ts"
import { holdMailbox } from "./HoldMailbox.ts"
import { emptyMemory, type MailboxMemory } from "./OpenMailbox.ts"

/** The number of mailboxes that one claim returns. */
const claimedMailboxes = 32

/** A mailbox that this server holds. `lost` ends its connection. */
interface Held {
  readonly claim: MailboxClaim
  readonly lost: Deferred.Deferred<void>
}

const keyOf = ({ grantId, tenantId }: Pick<MailboxClaim, "grantId" | "tenantId">): string => `${tenantId}/${grantId}`

/** Extends all leases of this server in one statement, and ends the connections of lost mailboxes. */
const renewLeases = Effect.fnUntraced(function* (held: ReadonlyMap<string, Held>) {
  if (held.size === 0) return
  const all = [...held.values()]
  const now = yield* Clock.currentTimeMillis
  const claims = all.map(({ claim: { claim, grantId, tenantId } }) => ({ tenantId, grantId, claim }))
  const renewed = yield* (yield* MailboxSyncs).renew(claims, now + mailboxLeaseMillis)
  const kept = new Map(renewed.map((claim) => [keyOf(claim), Number(claim.claim)]))
  for (const { claim, lost } of all)
    if (kept.get(keyOf(claim)) !== claim.claim) yield* Deferred.succeed(lost, undefined)
})

type HoldServices = Effect.Services<ReturnType<typeof holdMailbox>>

/** Creates the state of one worker: the held mailboxes, and the memory of failing ones. */
const openSource = (maxMailboxes: number) =>
  Effect.gen(function* () {
    const syncs = yield* MailboxSyncs
    const held = new Map<string, Held>()
    const memories = new Map<string, MailboxMemory>()
    const isCrowded = () => held.size >= maxMailboxes
    const hold = Effect.fnUntraced(function* (sync: MailboxSync, mine: Held) {
      const key = keyOf(sync)
      const memory = memories.get(key) ?? emptyMemory()
      memories.set(key, memory)
      const left = Effect.sync(() => {
        if (held.get(key) === mine) held.delete(key)
        if (memory.suspects.size === 0) memories.delete(key)
      })
      const reading = holdMailbox(sync, { memory, isCrowded })
      yield* Effect.ensuring(Effect.raceFirst(reading, Deferred.await(mine.lost)), left)
    })
    const renewal = renewLeases(held).pipe(Effect.catchTag("StoreUnavailable", warnUnavailable))
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(mailboxRenewMillis), renewal)))
    const source: Source<MailboxSync, HoldServices> = {
      claim: (limit, now) =>
        Effect.suspend(() => {
          const free = Math.min(limit, maxMailboxes - held.size)
          return free <= 0 ? Effect.succeed([]) : syncs.claim(free, now, now + mailboxLeaseMillis)
        }),
      run: (sync) =>
        Effect.gen(function* () {
          const mine: Held = { claim: sync, lost: yield* Deferred.make<void>() }
          const former = held.get(keyOf(sync))
          if (former !== undefined) yield* Deferred.succeed(former.lost, undefined)
          held.set(keyOf(sync), mine)
          return hold(sync, mine)
        }),
      wait: syncs.wait
    }
    return source
  })

/**
 * The queue of mailboxes. A claimed mailbox stays with its server until its connection fails, so its whole reading is
 * the rest of its item, which a stopping server interrupts. When `maxMailboxes` are held, each one gives its place up
 * after a look, so that all mailboxes are read in turn.
 */
export const mailboxQueue = (maxMailboxes = defaultMaxMailboxes): Queue<MailboxSync, HoldServices> => ({
  ...defaults,
  name: "mailboxes",
  workers: 1,
  slots: claimedMailboxes,
  batch: claimedMailboxes,
  refill: 1,
  maxRests: maxMailboxes,
  failure: "failed to read a mailbox",
  about: ({ tenantId }) => ({ tenant: tenantId }),
  open: openSource(maxMailboxes)
})
