import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { identityKey } from "../../domain/contact/Identity.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { acceptRequest, recognise } from "./AcceptMessage.ts"
import type { Inbound } from "./Inbound.ts"
import { Arrivals } from "../../port/repository/conversation/Arrivals.ts"
import { HumanCheck, HumanCheckFailed } from "../../port/provider/HumanCheck.ts"
import { Ids } from "../../port/system/Ids.ts"
import { ProviderEvents } from "../../port/repository/webhook/ProviderEvents.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { proofOfWork } from "./ProofOfWork.ts"
import { FormInvalid, type FormFields, isHoneypotFilled, readSubmission, type Submission } from "./Submission.ts"

/** What messages of public forms have as their source, and provider events as their provider. */
export const formSource = "form"

/** Within so long, and up to twice as long, the same from the same browser is a second click. */
export const doubleSubmitMillis = 5 * 60 * 1000

/** Who submits, as far as the server can tell. */
export interface Visitor {
  /** The client's address; null: it is not known. */
  readonly address: string | null
  readonly userAgent: string | null
  /** The key under which the request may be repeated; null: it has none. */
  readonly idempotencyKey: string | null
}

/** FROZEN: stored. What stays of something that is only compared. */
const keyed = (label: string, parts: ReadonlyArray<unknown>, pepper: Uint8Array): string =>
  bytesToHex(hmac(sha256, pepper, utf8ToBytes(`leadloom/form-${label}/1\n${JSON.stringify(parts)}`))).slice(0, 40)

/** What a form says. */
const saidIn = (of: Submission): ReadonlyArray<unknown> => [
  of.identities.map(identityKey),
  of.profile.name,
  of.profile.company,
  of.subject,
  of.body,
  of.more
]

/**
 * What a request says under its `Idempotency-Key`: everything that is kept of the form. What shows a person is another
 * thing each time, and says nothing.
 */
const fingerprintOf = (of: Submission, pepper: Uint8Array): string =>
  keyed("fingerprint", [saidIn(of), of.consent], pepper)

/**
 * By what a repetition is known: the `Idempotency-Key`; else the id that the page gave it, together with what it says,
 * because pages are copied with their ids in them; else the browser, for some minutes. Two spans of time overlap, so that none ends between two clicks.
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
  tenant,
  // Every form is an enquiry of its own; what is said on `chat` would join an open lead.
  channel: "webhook",
  source: formSource,
  actor: "contact",
  auto: null,
  delivery: null,
  identities: of.identities,
  unproven: true,
  profile: of.profile,
  body: of.body,
  quotedText: null,
  subject: of.subject,
  mail: null,
  flags: [],
  metadata: metadataOf(of, visitor, tenant, pepper, now),
  timestamp: now,
  dedupKeys: dedupKeysOf(of, visitor, pepper, now),
  ...(visitor.idempotencyKey === null ? {} : { fingerprint: fingerprintOf(of, pepper) }),
  pipeline: "queue",
  detail: null
})

/** What shows that a person has filled the form in, by the name that it is kept under; null: nothing has to. */
const proofOf = Effect.fnUntraced(function* ({ config, tenantId }: Tenant, token: string | null, visitor: Visitor) {
  const { verification } = config.publicForm
  if (verification === "none") return null
  if (token === null) return yield* new HumanCheckFailed({ reason: "The form has to bring along what shows a person." })
  const verifier = verification === "proof_of_work" ? yield* proofOfWork(tenantId) : yield* HumanCheck
  return `${verification}:${(yield* verifier.verify(token, visitor.address)).proofId}`
})

/** A program has filled in what people do not see: it is counted, and nothing that it wrote is kept. */
const noteTrapped = Effect.fnUntraced(function* ({ tenantId }: Tenant) {
  yield* (yield* Arrivals).record({
    arrivalId: yield* (yield* Ids).next("arr"),
    tenantId,
    channel: "webhook",
    source: formSource,
    outcome: "quarantined",
    messageId: null,
    detail: "A field that people do not see was filled in.",
    receivedAt: yield* Clock.currentTimeMillis
  })
})

/** A proof counts once; a second click brings the same one and is no second use of it. */
const accept = Effect.fnUntraced(function* (inbound: Inbound, proof: string | null) {
  const isNew = (yield* recognise(inbound))._tag === "New"
  if (isNew && proof !== null) {
    const first = yield* (yield* ProviderEvents).receive(inbound.tenant.tenantId, formSource, proof, inbound.timestamp)
    if (!first) return yield* new HumanCheckFailed({ reason: "This has been used. Ask for a new one." })
  }
  return yield* acceptRequest(inbound)
})

/**
 * Takes in what somebody has submitted on a tenant's page. Whoever submits can write any name and address: it is kept as
 * said, and proves nothing (see `Inbound.unproven`). An `Idempotency-Key` is good in its tenant; another form under it
 * fails with `IdempotencyConflict`.
 */
export const submitForm = Effect.fn("submitForm")(function* (tenant: Tenant, fields: FormFields, visitor: Visitor) {
  const { config, tenantId } = tenant
  if (isHoneypotFilled(fields, config.publicForm)) {
    yield* noteTrapped(tenant)
    return { replayed: false }
  }
  const submission = readSubmission(fields, config.publicForm, config.defaultCountry, parsePhoneMemoized)
  if (submission instanceof FormInvalid) return yield* submission
  const { pepper } = yield* Secrets
  const inbound = toInbound(submission, visitor, tenant, pepper, yield* Clock.currentTimeMillis)
  // Asked before the unit of work begins: it may take the network. Of a second click nobody has to be asked again.
  const proof = (yield* recognise(inbound))._tag === "New" ? yield* proofOf(tenant, submission.proof, visitor) : null
  const { outcome } = yield* (yield* Transactions).atomically(tenantId, accept(inbound, proof))
  return { replayed: visitor.idempotencyKey !== null && outcome === "duplicate_of" }
})
