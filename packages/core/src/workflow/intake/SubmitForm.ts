import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { identityKey } from "../../domain/contact/Identity.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { acceptClaimed, placeMessage } from "./AcceptMessage.ts"
import { type Inbound, plainInbound } from "./Inbound.ts"
import { Arrivals } from "../../port/repository/conversation/Arrivals.ts"
import { HumanCheck, HumanCheckFailed } from "../../port/provider/HumanCheck.ts"
import { Ids } from "../../port/system/Ids.ts"
import { ProviderEvents } from "../../port/repository/webhook/ProviderEvents.ts"
import { IdempotencyConflict } from "../../domain/sending/Reservation.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { proofOfWork } from "./ProofOfWork.ts"
import { readsOf } from "./ReadsOf.ts"
import { claimMessage, recognise, type Recognised } from "./Recognise.ts"
import { FormInvalid, type FormFields, isHoneypotFilled, readSubmission, type Submission } from "./Submission.ts"
import { withSpan } from "../WithSpan.ts"

/** The `source` of messages from forms, and the provider name under which their proofs are stored. */
export const formSource = "form"

/**
 * An equal form from the same browser counts as a double click within this time, and in some cases up to twice this
 * time.
 */
export const doubleSubmitMillis = 5 * 60 * 1000

/** The server's information about the visitor. */
export interface Visitor {
  /** The client's network address. Null when it is unknown. */
  readonly address: string | null
  readonly userAgent: string | null
  /** The client's idempotency key. Null when the request has none. */
  readonly idempotencyKey: string | null
}

/** FROZEN, because the results are stored. Returns a keyed hash of a value that is only compared. */
const keyed = (label: string, parts: ReadonlyArray<unknown>, pepper: Uint8Array): string =>
  bytesToHex(hmac(sha256, pepper, utf8ToBytes(`leadloom/form-${label}/1\n${JSON.stringify(parts)}`))).slice(0, 40)

/** Returns the parts of a form that make up its content. */
const saidIn = (of: Submission): ReadonlyArray<unknown> => [
  of.identities.map(identityKey),
  of.profile.name,
  of.profile.company,
  of.subject,
  of.body,
  of.more
]

/**
 * Returns the fingerprint of a form that has an `Idempotency-Key`. It covers all parts of the form that are stored. It
 * does not cover the proof, because every attempt has another one.
 */
const fingerprintOf = (of: Submission, pepper: Uint8Array): string =>
  keyed("fingerprint", [saidIn(of), of.consent], pepper)

/**
 * Returns the dedup keys of a submission. The id of a submission is its `Idempotency-Key`, otherwise the id that the
 * page sends. The id is combined with the content, because pages are copied with their ids. The `Idempotency-Key` is
 * also a dedup key of its own.
 *
 * Without an id, the browser identifies the submission for some minutes. The keys of two overlapping time spans are
 * used, so that no span ends between two clicks.
 */
const dedupKeysOf = (of: Submission, visitor: Visitor, pepper: Uint8Array, now: number): ReadonlyArray<string> => {
  const said = saidIn(of)
  const key = visitor.idempotencyKey
  const id = key ?? of.submissionId
  const byId = id === null ? [] : [`form:id:${keyed("submission", [id, said], pepper)}`]
  if (key !== null) return [`form:key:${keyed("key", [key], pepper)}`, ...byId]
  if (id !== null) return byId
  const span = Math.floor(now / doubleSubmitMillis)
  return [span, span + 1].map(
    (at) => `form:click:${keyed("click", [visitor.address, visitor.userAgent, said, at], pepper)}`
  )
}

const metadataOf = (of: Submission, { address }: Visitor, tenant: Tenant, pepper: Uint8Array, now: number) => ({
  ...of.more,
  ...(of.consent === null
    ? {}
    : {
        consent: {
          ...of.consent,
          at: new Date(now).toISOString(),
          address_hash: address === null ? null : keyed("address", [tenant.tenantId, address], pepper)
        }
      })
})

const toInbound = (of: Submission, visitor: Visitor, tenant: Tenant, pepper: Uint8Array, now: number): Inbound => ({
  ...plainInbound,
  tenant,
  // A form has the channel `webhook`, because each submission is a separate enquiry and not part of a conversation.
  channel: "webhook",
  source: formSource,
  actor: "contact",
  identities: of.identities,
  unproven: true,
  profile: of.profile,
  body: of.body,
  subject: of.subject,
  metadata: metadataOf(of, visitor, tenant, pepper, now),
  timestamp: now,
  dedupKeys: dedupKeysOf(of, visitor, pepper, now),
  ...(visitor.idempotencyKey === null ? {} : { fingerprint: fingerprintOf(of, pepper) }),
  pipeline: "queue"
})

/**
 * Verifies the visitor's proof, and returns the id under which it is stored. Returns null when the form needs no proof.
 */
const proofOf = Effect.fnUntraced(function* ({ config, tenantId }: Tenant, token: string | null, visitor: Visitor) {
  const { verification } = config.publicForm
  if (verification === "none") return null
  if (token === null)
    return yield* new HumanCheckFailed({ reason: "The human check is missing. Send its token in the field `proof`." })
  const verifier = verification === "proof_of_work" ? yield* proofOfWork(tenantId) : yield* HumanCheck
  return `${verification}:${(yield* verifier.verify(token, visitor.address)).proofId}`
})

/** Counts a submission whose hidden field is filled in. Its content is not stored. */
const noteTrapped = Effect.fnUntraced(function* ({ tenantId }: Tenant) {
  yield* (yield* Arrivals).record({
    arrivalId: yield* (yield* Ids).next("arr"),
    tenantId,
    channel: "webhook",
    source: formSource,
    outcome: "quarantined",
    messageId: null,
    detail: "A hidden field was filled in.",
    receivedAt: yield* Clock.currentTimeMillis
  })
})

/**
 * Accepts the form, and records that its proof is used. The second click of a double click sends the same proof, which
 * does not count as a second use.
 */
const accept = Effect.fnUntraced(function* (inbound: Inbound, recognised: Recognised, proof: string | null) {
  const now = inbound.timestamp
  const claimed = yield* claimMessage(inbound, recognised)
  if (claimed._tag !== "New" && !claimed.sameRequest) return yield* new IdempotencyConflict()
  if (claimed._tag === "New" && proof !== null) {
    const first = yield* (yield* ProviderEvents).receive(inbound.tenant.tenantId, formSource, proof, now)
    if (!first)
      return yield* new HumanCheckFailed({
        reason: "This proof has already been used. Request a new challenge and solve it."
      })
  }
  return yield* acceptClaimed(inbound, claimed, placeMessage(inbound, now), now)
})

/**
 * Accepts a form from a tenant's public page. A visitor can enter any name and address. These values are stored, but
 * they prove nothing (`Inbound.unproven`). The `Idempotency-Key`s of different tenants are independent. Fails with
 * `IdempotencyConflict` for a different form with the same key.
 */
export const submitForm = Effect.fnUntraced(function* (tenant: Tenant, fields: FormFields, visitor: Visitor) {
  const { config, tenantId } = tenant
  if (isHoneypotFilled(fields, config.publicForm)) {
    yield* noteTrapped(tenant)
    return { replayed: false }
  }
  const submission = readSubmission(fields, config.publicForm, config.defaultCountry, parsePhoneMemoized)
  if (submission instanceof FormInvalid) return yield* submission
  const { pepper } = yield* Secrets
  const inbound = toInbound(submission, visitor, tenant, pepper, yield* Clock.currentTimeMillis)
  // This look-up precedes the unit of work, because verifying the proof may need a network request. For a double click,
  // the proof is not verified again.
  const recognised = yield* recognise(inbound)
  const proof = recognised._tag === "New" ? yield* proofOf(tenant, submission.proof, visitor) : null
  const unit = accept(inbound, recognised, proof)
  const { outcome } = yield* (yield* Transactions).atomically(tenantId, unit, readsOf(inbound, recognised))
  return { replayed: visitor.idempotencyKey !== null && outcome === "duplicate_of" }
}, withSpan("submitForm"))
