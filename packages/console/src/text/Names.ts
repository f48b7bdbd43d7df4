import { text } from "./Shared.ts"

const nameIn = (names: Readonly<Record<string, string>>, value: string | null): string | null =>
  value === null ? null : (names[value] ?? value)

/** Returns the name of a tier. A newer server may send others than these texts name. */
export const tierName = (tier: string | null): string | null => nameIn(text.tiers, tier)

/** Returns the name of the state of a lead. */
export const leadStateName = (state: string | null): string | null => nameIn(text.leadStates, state)
