import { TaggedError } from "../TaggedError.ts"

/** A kind of use that plans limit per month. */
export type CappedKind = "actions" | "ai_calls"

/** A kind of use that is counted per tenant and month. */
export type UsageKind = CappedKind | "ai_input_tokens" | "ai_output_tokens"

/** The use of a tenant in one month. */
export type UsageCounts = Readonly<Record<UsageKind, number>>

/** Returns the calendar month (UTC) of a time in epoch milliseconds, as `YYYY-MM`. */
export const usageMonth = (millis: number): string => new Date(millis).toISOString().slice(0, 7)

/** Every plan, smallest first. */
export const plans = ["trial", "starter", "growth", "scale"] as const

/** The plan of a tenant. It determines the monthly caps and the available features. */
export type Plan = (typeof plans)[number]

/** The allowed uses per month. */
export type Caps = Readonly<Record<CappedKind, number>>

/** Caps that replace those of the plan; null keeps the plan's cap. */
export type CapOverrides = Readonly<Record<CappedKind, number | null>>

/** The monthly caps of each plan; see docs/decisions/0037-plans-usage-and-batches.md. */
export const planCaps: Readonly<Record<Plan, Caps>> = {
  trial: { actions: 500, ai_calls: 200 },
  starter: { actions: 5_000, ai_calls: 2_000 },
  growth: { actions: 50_000, ai_calls: 20_000 },
  scale: { actions: 500_000, ai_calls: 200_000 }
}

/** No individual caps. */
export const noOverrides: CapOverrides = { actions: null, ai_calls: null }

/** The values that determine the caps of a tenant. */
export interface Planned {
  readonly plan: Plan
  readonly capOverrides: CapOverrides
}

/** Returns the caps of a tenant. */
export const capsOf = ({ capOverrides, plan }: Planned): Caps => ({
  actions: capOverrides.actions ?? planCaps[plan].actions,
  ai_calls: capOverrides.ai_calls ?? planCaps[plan].ai_calls
})

/** Returns whether a plan includes the features of `needed`. */
export const includesPlan = (plan: Plan, needed: Plan): boolean => plans.indexOf(plan) >= plans.indexOf(needed)

/** The tenant's plan does not include the feature. */
export class PlanRestricted extends TaggedError("PlanRestricted")<{
  readonly tenantId: string
  readonly plan: Plan
  readonly needed: Plan
  /** The feature as the subject of a sentence, for example `Batches`. */
  readonly what: string
}> {}
