import { Schema } from "effect"
import { Time } from "../Field.ts"

/** The origin of an opt-out or opt-in. */
export const optOutSources = ["keyword", "wording", "provider", "crm", "person"] as const
export type OptOutSource = (typeof optOutSources)[number]

/** A change of consent. */
export class ConsentChange extends Schema.Opaque<ConsentChange>()(
  Schema.Struct({
    optedOut: Schema.Boolean,
    source: Schema.Literals(optOutSources),
    at: Time.annotate({ column: "changed_at" })
  })
) {}

/** The current consent of a phone number's holder towards a tenant, with its history. */
export class OptOut extends Schema.Opaque<OptOut>()(
  Schema.Struct({
    ...ConsentChange.fields,
    tenantId: Schema.String,
    /** The contact's number in E.164. */
    phone: Schema.String,
    /** The tenant's number in E.164; empty means every number of the tenant. */
    ownPhone: Schema.String,
    /** Earlier changes, newest first. */
    history: Schema.Array(ConsentChange)
  })
) {}

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
  known: OptOut | null,
  consentChange: ConsentChange,
  renewed = false
): Pick<OptOut, "history"> & ConsentChange => {
  if (known === null) return { ...consentChange, history: [] }
  if (known.optedOut === consentChange.optedOut && !renewed) return known
  const { at, optedOut, source } = known
  return { ...consentChange, history: [{ optedOut, source, at }, ...known.history].slice(0, maxConsentHistory) }
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
