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

/** A mail on its way in, which always has an envelope. */
export type InboundMail = Inbound & { readonly mail: MailEnvelope }

interface Kept {
  readonly inbound: InboundMail
  readonly source: StoredSource
  /** Everything written. */
  readonly keys: ReadonlyArray<string>
  /** A stored message refers to it. */
  referred: boolean
}

/** Which attachments have their content kept beside the source: the first ones that there is room for. */
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

/** Writes the source under a key of its own. What fails half-way is taken back. */
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
 * Takes away what nothing refers to. Nobody else ever writes under these keys, so it is enough to know what became of
 * this mail; and units of a tenant run one after another, so this one sees the end of the one before, also when that
 * was lost on the way. What cannot be found out stays: an object too many costs less than one too few.
 */
const discardUnreferred = ({ inbound, keys, source }: Kept) =>
  Effect.gen(function* () {
    const { tenantId } = inbound.tenant
    const recognised = yield* (yield* Transactions).atomically(tenantId, recognise(inbound))
    if (recognised._tag === "Copy" && recognised.of.raw?.key === source.key) return
    yield* discard(tenantId, keys)
  }).pipe(Effect.catch(({ _tag, reason }) => Effect.logWarning("an object was left behind", { _tag, reason, keys })))

/**
 * Keeps what a mail was made from, and answers how it is taken in (`accept` does it): at once or later, within the
 * scope. The source is safe before a message refers to it; when it cannot be kept nothing is stored. A copy keeps
 * nothing: what is recognised at once is not even written, what turns out to be one is taken away with the scope, and
 * so is what was never taken in.
 */
export const prepareWithSource = Effect.fn("prepareWithSource")(function* <E, R>(
  inbound: InboundMail,
  source: MailSource,
  accept: (inbound: InboundMail) => Effect.Effect<Accepted, E, R>
) {
  // A copy stays one: the keys that recognise it are never given back.
  const { _tag } = yield* recognise(inbound)
  if (_tag === "Copy" || _tag === "Erased") return accept(inbound)
  const kept = yield* Effect.acquireRelease(keep(inbound, source), (held) =>
    held.referred ? Effect.void : discardUnreferred(held)
  )
  return Effect.tap(accept(kept.inbound), ({ outcome }) =>
    Effect.sync(() => void (kept.referred = outcome !== "duplicate_of"))
  )
})

/** The same for one mail that is taken in at once. */
export const acceptWithSource = <E, R>(
  inbound: InboundMail,
  source: MailSource,
  accept: (inbound: InboundMail) => Effect.Effect<Accepted, E, R>
) => Effect.scoped(Effect.flatten(prepareWithSource(inbound, source, accept)))
