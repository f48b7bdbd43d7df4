/** A run that does not take place, or takes place later. */
export interface NotNow {
  readonly reason: string
  /** Epoch milliseconds. Null: never. */
  readonly until: number | null
}

/** A run that never takes place. */
export const never = (reason: string): NotNow => ({ reason, until: null })

/** The delay of work whose tenant is archived and may be restored, in milliseconds. */
export const archivedMillis = 3_600_000
