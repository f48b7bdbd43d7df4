import type { Leadloom } from "@leadloom/client"
import type { Place } from "./Place.ts"
import type { Random } from "./Random.ts"
import type { Receiver } from "./Receiver.ts"
import type { TwilioStandIn } from "./TwilioStandIn.ts"

/** A tenant that was set up, with what it proves itself by. */
export interface Business {
  readonly place: Place
  /** As its agents. */
  readonly client: Leadloom
  /** As its operator: mail that comes in is handed over by who runs the server. */
  readonly operator: Leadloom
  readonly sourceKey: string
  readonly assistantSecret: string
}

/** A look into the store beside its server, which changes nothing. */
export interface Store {
  readonly all: (statement: string, ...params: ReadonlyArray<string | number>) => ReadonlyArray<Row>
}

/** A row of the store. */
export type Row = Readonly<Record<string, unknown>>

/** What was noted of the day, from outside of the server. */
export interface Notes {
  /** What was taken in: by the reference in its words, or the id at the provider where it has one. */
  readonly accepted: Array<{ readonly tenantId: string; readonly ref: string; readonly providerId: string | null }>
  /** STOP and START as they were taken in, by `tenant number`. */
  readonly consentChanges: Array<{ readonly who: string; readonly at: number; readonly stop: boolean }>
  /** When a number was blocked, by `tenant number`. */
  readonly blocked: Map<string, number>
  /** What an agent wanted to send and was not let, by tenant and reason. */
  readonly refusals: Map<string, Map<string, number>>
  /** What arrived and was refused, which nothing should be. */
  readonly unexpected: Array<string>
}

/** Everything that a simulated day works with. */
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

/** Whose a number is, as notes name it: the same number may be known to several tenants. */
export const tenantNumberKey = (tenantId: string, phone: string): string => `${tenantId} ${phone}`

/** Nothing noted yet. */
export const newNotes = (): Notes => ({
  accepted: [],
  blocked: new Map(),
  refusals: new Map(),
  unexpected: [],
  consentChanges: []
})

/** Notes that an agent was not let, and why. */
export const recordRefusal = ({ refusals }: Notes, tenantId: string, reason: string): void => {
  const mine = refusals.get(tenantId) ?? new Map<string, number>()
  refusals.set(tenantId, mine.set(reason, (mine.get(reason) ?? 0) + 1))
}
