import { text } from "./Shared.ts"

const nameIn = (names: Readonly<Record<string, string>>, value: string | null): string | null =>
  value === null ? null : (names[value] ?? value)

/** Returns the name of a tier. A newer server may send others than these texts name. */
export const tierName = (tier: string | null): string | null => nameIn(text.tiers, tier)

/** Returns the name of the state of a lead. */
export const leadStateName = (state: string | null): string | null => nameIn(text.leadStates, state)

/** Returns the caller of a change for people. */
export const callerName = (caller: string, userName: string | null = null): string => {
  if (userName !== null) return userName
  if (caller === "admin") return "The operator"
  if (caller.startsWith("session:")) return "A console session without a user"
  if (caller.startsWith("user:")) return caller.slice("user:".length)
  return caller.startsWith("key_") ? "An API key" : caller
}
