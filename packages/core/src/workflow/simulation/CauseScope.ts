import type { PlannedCause, QueuedRule } from "../../domain/run/Cause.ts"
import type { Period } from "../../domain/simulation/Simulation.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { AsOf } from "./AsOf.ts"
import type { SimulatedTime } from "./SimulatedTime.ts"

/** What the causes of a rule depend on. */
export interface CauseScope {
  /** The tenant with the simulated rule. */
  readonly tenant: Tenant
  readonly rule: QueuedRule
  readonly period: Period
  readonly limit: number
  readonly time: SimulatedTime
  readonly asOf: AsOf
}

/** Causes that a source has found, and whether it has examined all records. */
export interface FoundCauses {
  readonly found: ReadonlyArray<PlannedCause & { readonly at: number }>
  readonly more: boolean
}
