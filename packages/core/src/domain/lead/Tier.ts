/** Every tier, best first. */
export const tiers = ["hot", "warm", "cold"] as const

/** How promising a lead is, at a glance. */
export type Tier = (typeof tiers)[number]

/** The lowest scores of the two upper tiers. Where `hot` is not above `warm`, hot is asked first. */
export interface Thresholds {
  readonly hot: number
  readonly warm: number
}

/** Thresholds of a tenant that sets none. */
export const defaultThresholds: Thresholds = { hot: 70, warm: 40 }

/** The tier of a score of 0 to 100. */
export const tierOf = (score: number, thresholds: Thresholds = defaultThresholds): Tier => {
  if (score >= thresholds.hot) return "hot"
  return score >= thresholds.warm ? "warm" : "cold"
}
