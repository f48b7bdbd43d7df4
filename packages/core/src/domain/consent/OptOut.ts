import { Schema } from "effect"
import { Time } from "../Field.ts"

/**
 * The origins of a consent that a person records: what the contact said to a person, a form, a telephone call, or a
 * written message.
 */
export const recordedSources = ["person", "form", "call", "writing"] as const
export type RecordedSource = (typeof recordedSources)[number]

/** The origin of an opt-out or opt-in. */
export const optOutSources = ["keyword", "wording", "unsubscribe", "provider", "crm", ...recordedSources] as const
export type OptOutSource = (typeof optOutSources)[number]

/** The limit of characters of a proof. */
export const maxConsentProof = 2_000

/** The proof of a consent change that a person recorded. */
export const ConsentEvidence = Schema.Struct({
  /** For example the words of the contact, or the name of the signed form. */
  proof: Schema.String,
  /** The name of the principal, from `principalName`. */
  recordedBy: Schema.String
})
export type ConsentEvidence = typeof ConsentEvidence.Type

/** A change of consent. */
export class ConsentChange extends Schema.Opaque<ConsentChange>()(
  Schema.Struct({
    optedOut: Schema.Boolean,
    source: Schema.Literals(optOutSources),
    at: Time.annotate({ column: "changed_at" }),
    /** Absent or null if the contact, a provider or the CRM caused the change. */
    evidence: Schema.optionalKey(Schema.NullOr(ConsentEvidence))
  })
) {}

/** The current consent of the holder of a phone number or email address towards a tenant, with its history. */
export class OptOut extends Schema.Opaque<OptOut>()(
  Schema.Struct({
    ...ConsentChange.fields,
    evidence: Schema.NullOr(ConsentEvidence),
    tenantId: Schema.String,
    /** The contact's number in E.164, or its normalised email address. */
    phone: Schema.String,
    /** The tenant's number in E.164. Empty means every number and address of the tenant. */
    ownPhone: Schema.String,
    /** Earlier changes, newest first. */
    history: Schema.Array(ConsentChange)
  })
) {}

/** The current consent without its holder. */
export type ConsentState = Pick<OptOut, "history" | keyof ConsentChange>

/** The value of `ownPhone` that means every number of the tenant. */
export const allNumbers = ""

/** The limit of stored earlier changes. Older changes are dropped, because they have no practical use. */
export const maxConsentHistory = 50

/**
 * Applies a consent change. The previous change moves into the history. A change to the value that is already stored
 * has no effect, unless `renewed` is true. Set `renewed` if a later change contradicted the stored one
 * (`isContradicted`).
 */
export const applyConsentChange = (
  known: ConsentState | null,
  consentChange: ConsentChange,
  renewed = false
): ConsentState => {
  const change = { ...consentChange, evidence: consentChange.evidence ?? null }
  if (known === null) return { ...change, history: [] }
  if (known.optedOut === consentChange.optedOut && !renewed) return known
  const { at, evidence, optedOut, source } = known
  const previous: ConsentChange = { optedOut, source, at, ...(evidence !== null && { evidence }) }
  return { ...change, history: [previous, ...known.history].slice(0, maxConsentHistory) }
}

/** Returns a consent as it was at a time; null if no change was known then, or if its history no longer contains it. */
export const optOutAt = (known: OptOut, at: number): OptOut | null => {
  if (known.at <= at) return known
  const first = known.history.findIndex((change) => change.at <= at)
  const change = known.history[first]
  return change === undefined ? null : { ...known, evidence: null, ...change, history: known.history.slice(first + 1) }
}

/**
 * Returns whether another change for the same number, or for all numbers, contradicts a known change and is not older
 * than it.
 */
export const isContradicted = (known: OptOut, all: ReadonlyArray<OptOut>): boolean =>
  all.some(
    ({ at, optedOut, ownPhone }) =>
      optedOut !== known.optedOut &&
      at >= known.at &&
      (ownPhone === allNumbers || known.ownPhone === allNumbers || ownPhone === known.ownPhone)
  )

/**
 * Returns whether messages from `ownPhone` are forbidden. The newest consent change for this number or for all numbers
 * decides.
 */
export const isOptedOut = (optOuts: ReadonlyArray<OptOut>, ownPhone: string | null): boolean => {
  const about = optOuts.filter(
    (consentChange) => consentChange.ownPhone === allNumbers || consentChange.ownPhone === ownPhone
  )
  const newest = about.toSorted((one, other) => other.at - one.at || Number(other.optedOut) - Number(one.optedOut))
  return newest[0]?.optedOut ?? false
}

const declaredSources: ReadonlySet<OptOutSource> = new Set(["keyword", "wording", "unsubscribe", "provider"])

/** Returns whether the contact itself declared a change, for example by STOP. */
export const isDeclaredSource = (source: OptOutSource): boolean => declaredSources.has(source)

/**
 * Returns whether the contact itself has refused messages and has not taken this back. Only a consent with a proof that
 * a manager records may lift such an opt-out, or the contact's own START.
 */
export const isDeclaredByContact = (optOuts: ReadonlyArray<OptOut>): boolean =>
  optOuts.some(
    ({ optedOut, ownPhone, source }) => optedOut && isDeclaredSource(source) && isOptedOut(optOuts, ownPhone)
  )

/** A number that the tenant does not contact and from which it accepts no messages. */
export class BlockedNumber extends Schema.Opaque<BlockedNumber>()(
  Schema.Struct({
    tenantId: Schema.String,
    phone: Schema.String.annotate({ description: "E.164" }),
    createdAt: Time.annotate({ description: "The time at which the number was blocked (ISO 8601 in UTC)" })
  })
) {}

/** The limit of blocked numbers per tenant. */
export const maxBlockedNumbers = 10_000
