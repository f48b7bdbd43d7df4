import type { Leadloom } from "@leadloom/client"
import type { Place } from "./Place.ts"
import type { Random } from "./Random.ts"
import type { Receiver } from "./Receiver.ts"
import type { TwilioStandIn } from "./TwilioStandIn.ts"

/** A tenant of the simulation, with the clients and credentials that act for it. */
export interface Business {
  readonly place: Place
  /** The client with the rights of an agent. */
  readonly client: Leadloom
  /** The client with the rights of the operator. It submits inbound mail, as the operator's mail server does. */
  readonly operator: Leadloom
  readonly sourceKey: string
  readonly assistantSecret: string
}

/** Read-only access to the store of the running server. */
export interface Store {
  readonly all: (statement: string, ...params: ReadonlyArray<string | number>) => ReadonlyArray<Row>
}

/** A row of the store. */
export type Row = Readonly<Record<string, unknown>>

/** Observations of the simulation outside the server. */
export interface Notes {
  /** Accepted actions, identified by the reference in their text or by their provider id. */
  readonly accepted: Array<{ readonly tenantId: string; readonly ref: string; readonly providerId: string | null }>
  /** Accepted STOP and START texts. `who` is the key that `tenantNumberKey` returns. */
  readonly consentChanges: Array<{ readonly who: string; readonly at: number; readonly stop: boolean }>
  /** The time at which a number was blocked, by `tenantNumberKey`. */
  readonly blocked: Map<string, number>
  /** Rejected actions of agents, counted by tenant and reason. */
  readonly refusals: Map<string, Map<string, number>>
  /** Failures that the simulation does not expect. A consistent day has none. */
  readonly unexpected: Array<string>
}

/** The state of a simulated day. */
export interface World {
  readonly url: string
  readonly now: () => number
  readonly random: Random
  readonly businesses: ReadonlyArray<Business>
  readonly twilio: TwilioStandIn
  readonly receiver: Receiver
  readonly store: Store
  readonly notes: Notes
}

/**
 * Returns the key under which the notes record a phone number. The key includes the tenant, because contacts of several
 * tenants may have the same number.
 */
export const tenantNumberKey = (tenantId: string, phone: string): string => `${tenantId} ${phone}`

export const newNotes = (): Notes => ({
  accepted: [],
  blocked: new Map(),
  refusals: new Map(),
  unexpected: [],
  consentChanges: []
})

/** Counts a rejected action of an agent by its reason. */
export const recordRefusal = ({ refusals }: Notes, tenantId: string, reason: string): void => {
  const mine = refusals.get(tenantId) ?? new Map<string, number>()
  refusals.set(tenantId, mine.set(reason, (mine.get(reason) ?? 0) + 1))
}
