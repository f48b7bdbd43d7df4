import { Data } from "effect"

/** What a plan caps by the month. */
export type CappedKind = "actions" | "ai_calls"

/** What is counted of a tenant by the month. */
export type UsageKind = CappedKind | "ai_input_tokens" | "ai_output_tokens"

/** How much a tenant has used in one month. */
export type UsageCounts = Readonly<Record<UsageKind, number>>

/** The calendar month (UTC) of a time in epoch milliseconds, `YYYY-MM`. */
export const usageMonth = (millis: number): string => new Date(millis).toISOString().slice(0, 7)

/** Every plan, smallest first. */
export const plans = ["trial", "starter", "growth", "scale"] as const

/** What a tenant has taken: it decides the monthly caps and what is open to it. */
export type Plan = (typeof plans)[number]

/** Uses a month that are allowed. */
export type Caps = Readonly<Record<CappedKind, number>>

/** What a tenant is allowed instead of its plan's; null: as the plan has it. */
export type CapOverrides = Readonly<Record<CappedKind, number | null>>

/** Uses a month of each plan; see docs/decisions/0037-plans-usage-and-batches.md. */
export const planCaps: Readonly<Record<Plan, Caps>> = {
  trial: { actions: 500, ai_calls: 200 },
  starter: { actions: 5_000, ai_calls: 2_000 },
  growth: { actions: 50_000, ai_calls: 20_000 },
  scale: { actions: 500_000, ai_calls: 200_000 }
}

/** A tenant that has nothing of its own agreed. */
export const noOverrides: CapOverrides = { actions: null, ai_calls: null }

/** What the caps of a tenant are made of. */
export interface Planned {
  readonly plan: Plan
  readonly capOverrides: CapOverrides
}

/** The caps that hold for a tenant. */
export const capsOf = ({ capOverrides, plan }: Planned): Caps => ({
  actions: capOverrides.actions ?? planCaps[plan].actions,
  ai_calls: capOverrides.ai_calls ?? planCaps[plan].ai_calls
})

/** Whether a plan includes what `needed` has. */
export const includesPlan = (plan: Plan, needed: Plan): boolean => plans.indexOf(plan) >= plans.indexOf(needed)

/** The tenant's plan does not include this. */
export class PlanRestricted extends Data.TaggedError("PlanRestricted")<{
  readonly tenantId: string
  readonly plan: Plan
  readonly needed: Plan
  /** For people, the beginning of a sentence, for example `Batches`. */
  readonly what: string
}> {}
