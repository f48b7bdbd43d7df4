import { Effect } from "effect"
import { recognise } from "./AcceptMessage.ts"
import type { Accepted, Inbound, MailEnvelope } from "./Inbound.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Objects } from "../../port/system/Objects.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import {
  maxAttachmentBytes,
  attachmentKey,
  type StoredSource,
  type MailSource,
  mimeSource
} from "../../domain/email/MailSource.ts"

/** An inbound message that is a mail and has an envelope. */
export type InboundMail = Inbound & { readonly mail: MailEnvelope }

interface Kept {
  readonly inbound: InboundMail
  readonly source: StoredSource
  /** The keys of all written objects. */
  readonly keys: ReadonlyArray<string>
  /** True when a stored message refers to the source. */
  referred: boolean
}

/** Selects the attachments to store separately: in order, as far as `maxAttachmentBytes` allows. */
const chosen = ({ attachments = [], mediaType }: MailSource): ReadonlyArray<readonly [number, Uint8Array]> => {
  let room = mediaType === mimeSource ? 0 : maxAttachmentBytes
  return [...attachments.entries()].flatMap(([index, bytes]) => {
    if (bytes === null || bytes.length > room) return []
    room -= bytes.length
    return [[index, bytes] as const]
  })
}

const discard = Effect.fnUntraced(function* (tenantId: string, keys: ReadonlyArray<string>) {
  const { remove } = yield* Objects
  yield* Effect.forEach(keys, (key) => remove(tenantId, key), { discard: true })
})

/** Stores the source under a new key. Removes all its objects when one write fails. */
const keep = Effect.fnUntraced(function* (inbound: InboundMail, given: MailSource) {
  const { tenantId } = inbound.tenant
  const { put } = yield* Objects
  const source: StoredSource = {
    key: yield* (yield* Ids).next("raw"),
    size: given.bytes.length,
    mediaType: given.mediaType
  }
  const beside = chosen(given)
  const parts = [
    [source.key, given.bytes] as const,
    ...beside.map(([n, bytes]) => [attachmentKey(source.key, n), bytes] as const)
  ]
  const keys = parts.map(([key]) => key)
  yield* Effect.onError(
    Effect.forEach(parts, ([key, bytes]) => put(tenantId, key, bytes), { discard: true }),
    () => Effect.ignore(discard(tenantId, keys))
  )
  const stored = new Set(beside.map(([index]) => index))
  const attachments = inbound.mail.attachments.map((attachment, index) =>
    stored.has(index) ? { ...attachment, stored: true as const } : attachment
  )
  const kept: Kept = {
    source,
    keys,
    referred: false,
    inbound: { ...inbound, mail: { ...inbound.mail, raw: source, attachments } }
  }
  return kept
})

/**
 * Removes the objects of a mail that no stored message refers to. The keys are unique to this mail, so only its outcome
 * matters. Units of a tenant run one after another, so this unit sees the outcome even when the earlier response was
 * lost. On a failure the objects stay, because a superfluous object is better than a missing one.
 */
const discardUnreferred = ({ inbound, keys, source }: Kept) =>
  Effect.gen(function* () {
    const { tenantId } = inbound.tenant
    const recognised = yield* (yield* Transactions).atomically(tenantId, recognise(inbound))
    if (recognised._tag === "Copy" && recognised.of.raw?.key === source.key) return
    yield* discard(tenantId, keys)
  }).pipe(
    Effect.catch(({ _tag, reason }) =>
      Effect.logWarning("failed to remove unreferenced objects", { _tag, reason, keys })
    )
  )

/**
 * Stores the source of a mail and returns the effect that accepts the mail, now or later within the scope. The source
 * is stored before a message refers to it, and without it no message is stored. A recognised duplicate stores no
 * source. A duplicate that is recognised later, or a mail that is never accepted, has its source removed when the scope
 * closes.
 */
export const prepareWithSource = Effect.fn("prepareWithSource")(function* <E, R>(
  inbound: InboundMail,
  source: MailSource,
  accept: (inbound: InboundMail) => Effect.Effect<Accepted, E, R>
) {
  // A duplicate stays one, because its dedup keys are never freed.
  const { _tag } = yield* recognise(inbound)
  if (_tag === "Copy" || _tag === "Erased") return accept(inbound)
  const kept = yield* Effect.acquireRelease(keep(inbound, source), (held) =>
    held.referred ? Effect.void : discardUnreferred(held)
  )
  return Effect.tap(accept(kept.inbound), ({ outcome }) =>
    Effect.sync(() => void (kept.referred = outcome !== "duplicate_of"))
  )
})

/** Stores the source of a mail and accepts the mail immediately. */
export const acceptWithSource = <E, R>(
  inbound: InboundMail,
  source: MailSource,
  accept: (inbound: InboundMail) => Effect.Effect<Accepted, E, R>
) => Effect.scoped(Effect.flatten(prepareWithSource(inbound, source, accept)))
