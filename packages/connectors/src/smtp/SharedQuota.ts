/** A part of a quota that one owner, for example a network, may use. */
export interface Share {
  readonly owner: string
  readonly limit: number
}

/** An amount that is limited in all and for each owner. */
export interface SharedQuota {
  /** Takes an amount on account of these owners. False when there is no room; then nothing is taken. */
  readonly take: (shares: ReadonlyArray<Share>, amount: number) => boolean
  readonly give: (shares: ReadonlyArray<Share>, amount: number) => void
  /** The amount taken by everybody, or by one owner. */
  readonly used: (owner?: string) => number
}

/** A quota of this much in all. */
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
