import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { ContactId } from "../Id.ts"
import { hmacHex } from "../text/HmacHex.ts"
import { canonical, hashOf } from "../text/Json.ts"
import { Time } from "../Field.ts"

/**
 * The erasure of a contact. After its completion, it is a receipt that contains the numbers of erased rows but none of
 * their content.
 */
export class Erasure extends Schema.Opaque<Erasure>()(
  Schema.Struct({
    erasureId: Schema.String.annotate({ description: "Id of the erasure, for the tenant's records" }),
    tenantId: Schema.String,
    contactId: ContactId.annotate({ description: "The former id of the contact. Requests with this id receive 404" }),
    /** The name of the principal that requested the erasure, from `principalName`. */
    requestedBy: Schema.String.annotate({
      description: "The caller: `admin`, `user:<subject>` or the id of an API key"
    }),
    requestedAt: Time.annotate({ description: "The time of the first request (ISO 8601 in UTC)" }),
    completedAt: Schema.NullOr(Time).annotate({ description: "null: the erasure was interrupted; request it again" }),
    erased: Schema.Record(Schema.String, Schema.Int).annotate({ description: "The number of erased rows by kind" }),
    /** The contact's email addresses while the erasure still needs them. Empty when it is complete. */
    emails: Schema.Array(Schema.String).annotate({ secret: true }),
    receiptHash: Schema.NullOr(Schema.String).annotate({ description: "SHA-256 of the receipt, in hexadecimal" })
  })
) {}

/** FROZEN, because stored receipts contain the hash. Returns the hash of a receipt. */
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

/** Adds `more` to the count of one kind of row. */
export const counted = (erased: Erasure["erased"], kind: string, more: number): Erasure["erased"] =>
  more === 0 ? erased : { ...erased, [kind]: (erased[kind] ?? 0) + more }

/** The request does not repeat the id of the contact to confirm the erasure. */
export class ErasureNotConfirmed extends TaggedError("ErasureNotConfirmed")<{ readonly contactId: string }> {}

const prefix = "erased:"

/**
 * FROZEN. Returns the tombstone of an erased key: its HMAC-SHA256 under the deployment's secret, in hexadecimal. By the
 * tombstone, the server recognises the key if it appears again. Without the secret, the key can be neither read nor
 * guessed.
 */
export const tombstone = (text: string, pepper: Uint8Array): string =>
  prefix + hmacHex(pepper, `leadloom/erased/1\n${text}`)

/** Returns true for a tombstone. */
export const isTombstone = (text: string): boolean => text.startsWith(prefix)
