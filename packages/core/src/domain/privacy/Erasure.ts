import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Data } from "effect"
import type { ContactId } from "../Id.ts"
import { canonical, hashOf } from "../text/Json.ts"

/** That a contact was erased. A receipt once it is complete: it says how much went, and nothing of what it was. */
export interface Erasure {
  readonly erasureId: string
  readonly tenantId: string
  /** The id alone: nothing is found under it any more. */
  readonly contactId: ContactId
  /** Who asked for it, as in `principalName`. */
  readonly requestedBy: string
  readonly requestedAt: number
  /** Null: it has begun, and asking again goes on with it. */
  readonly completedAt: number | null
  /** How many rows of each kind went, or were emptied. */
  readonly erased: Readonly<Record<string, number>>
  /** The contact's addresses, for as long as they have to be looked for; none once it is complete. */
  readonly emails: ReadonlyArray<string>
  /** SHA-256 over the canonical JSON of the receipt; null until it is complete. */
  readonly receiptHash: string | null
}

/** FROZEN: what the hash of a receipt is made of. */
export const receiptHash = (erasure: Erasure): string =>
  hashOf(
    canonical({
      erasure_id: erasure.erasureId,
      tenant_id: erasure.tenantId,
      contact_id: erasure.contactId,
      requested_by: erasure.requestedBy,
      requested_at: erasure.requestedAt,
      completed_at: erasure.completedAt,
      erased: erasure.erased
    })
  )

/** Counts with some more of a kind. */
export const counted = (erased: Erasure["erased"], kind: string, more: number): Erasure["erased"] =>
  more === 0 ? erased : { ...erased, [kind]: (erased[kind] ?? 0) + more }

/** The request does not name the contact that it would erase. */
export class ErasureNotConfirmed extends Data.TaggedError("ErasureNotConfirmed")<{ readonly contactId: string }> {}

const prefix = "erased:"

/**
 * FROZEN. What stays of something erased, so that it is known when it comes again: its HMAC-SHA256 under the secret of
 * the deployment, in hex. Nobody without the secret can tell what it stands for, or try whether it is this or that.
 */
export const tombstone = (text: string, pepper: Uint8Array): string =>
  prefix + bytesToHex(hmac(sha256, pepper, utf8ToBytes(`leadloom/erased/1\n${text}`)))

/** Whether a key or an address is no more than what stays of one. */
export const isTombstone = (text: string): boolean => text.startsWith(prefix)
