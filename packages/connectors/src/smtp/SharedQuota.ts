/** The part of a quota that one owner, for example a network, may use. */
export interface Share {
  readonly owner: string
  readonly limit: number
}

/** An amount with a total limit and a limit per owner. */
export interface SharedQuota {
  /**
   * Reserves an amount for these owners. If this would exceed the total limit or the limit of an owner, reserves
   * nothing and returns false.
   */
  readonly take: (shares: ReadonlyArray<Share>, amount: number) => boolean
  readonly give: (shares: ReadonlyArray<Share>, amount: number) => void
  /** Returns the reserved amount, in total or of one owner. */
  readonly used: (owner?: string) => number
}

/** Creates a quota with this total limit. */
export const sharedQuota = (total: number): SharedQuota => {
  const byOwner = new Map<string, number>()
  let all = 0
  const used = (owner?: string): number => (owner === undefined ? all : (byOwner.get(owner) ?? 0))
  const add = (shares: ReadonlyArray<Share>, amount: number): void => {
    all += amount
    for (const { owner } of shares) {
      const now = used(owner) + amount
      if (now === 0) byOwner.delete(owner)
      else byOwner.set(owner, now)
    }
  }
  return {
    used,
    take: (shares, amount) => {
      const fits = all + amount <= total && shares.every(({ limit, owner }) => used(owner) + amount <= limit)
      if (fits) add(shares, amount)
      return fits
    },
    give: (shares, amount) => add(shares, -amount)
  }
}
