/**
 * The state of the external providers, as this server sees it: for the operator's page. Metrics count requests over
 * time; this remembers the last ones. Tests: `packages/server/test/http/Deployment.test.ts`.
 */
import type { ProviderService } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { Context, type Effect } from "effect"

/** The services that are observed. */
export const observedServices = [
  "payments",
  "crm",
  "mail",
  "sms",
  "voice",
  "model"
] as const satisfies ReadonlyArray<ProviderService>
export type ObservedService = (typeof observedServices)[number]

/** A failed request. Times are in epoch milliseconds. */
export interface LastFailure {
  readonly at: number
  /** One line for people, without secrets. */
  readonly detail: string
  /** The time before which no request is sent; null if there is none. */
  readonly pausedUntil: number | null
}

/** The requests to one service since the server started. */
export interface ProviderRequests {
  readonly service: ObservedService
  readonly configured: boolean
  /** The failures since the last answer. */
  readonly consecutiveFailures: number
  /** The time of the last answer; null if there was none. */
  readonly lastAnswerAt: number | null
  readonly lastFailure: LastFailure | null
}

/** The providers of this server. */
export class ProviderStates extends Context.Service<
  ProviderStates,
  { readonly read: Effect.Effect<ReadonlyArray<ProviderRequests>> }
>()("server/deployment/ProviderStates") {}
