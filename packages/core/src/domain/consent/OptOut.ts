/** How it became known that somebody does not want to be written to or called any more, or does again. */
export const optOutSources = ["keyword", "wording", "provider", "crm", "person"] as const
export type OptOutSource = (typeof optOutSources)[number]

/** What somebody wanted from a moment on. */
export interface ConsentChange {
  readonly optedOut: boolean
  readonly source: OptOutSource
  /** Epoch milliseconds. */
  readonly at: number
}

/** What the holder of a number wants of a tenant, and wanted before. */
export interface OptOut extends ConsentChange {
  readonly tenantId: string
  /** The contact's number, E.164. */
  readonly phone: string
  /** The tenant's number that it is about, E.164; empty: all of them. */
  readonly ownPhone: string
  /** Earlier wishes, newest first. */
  readonly history: ReadonlyArray<ConsentChange>
}

/** About every number of the tenant. */
export const allNumbers = ""

/** Earlier wishes that are kept: who changes their mind more often is no better understood by all of it. */
export const maxConsentHistory = 50

/**
 * What is kept once a wish is known; the one before goes into the history. A repeated wish changes nothing, unless it is
 * `renewed`: said again against what has been said since.
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

/** Whether something else than what was known of one number of ours, or of all, has been said since of some of the same. */
export const isContradicted = (known: OptOut, all: ReadonlyArray<OptOut>): boolean =>
  all.some(
    ({ at, optedOut, ownPhone }) =>
      optedOut !== known.optedOut &&
      at >= known.at &&
      (ownPhone === allNumbers || known.ownPhone === allNumbers || ownPhone === known.ownPhone)
  )

/** Whether nothing may go from one number of ours, by the newest of the wishes about it and about all of them. */
export const isOptedOut = (optOuts: ReadonlyArray<OptOut>, ownPhone: string | null): boolean => {
  const about = optOuts.filter(
    (consentChange) => consentChange.ownPhone === allNumbers || consentChange.ownPhone === ownPhone
  )
  const newest = about.toSorted((one, other) => other.at - one.at || Number(other.optedOut) - Number(one.optedOut))
  return newest[0]?.optedOut ?? false
}

/** A number that a tenant does not want to hear from or write to. */
export interface BlockedNumber {
  readonly tenantId: string
  /** E.164. */
  readonly phone: string
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** Blocked numbers of a tenant at most. */
export const maxBlockedNumbers = 10_000
