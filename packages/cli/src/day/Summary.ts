import type { Facts } from "./Facts.ts"
import { type Place, places } from "./Place.ts"
import type { Row } from "./World.ts"

/** A number for each name. */
export type Counts = Readonly<Record<string, number>>

/** The result of a tenant's day. */
export interface TenantSummary {
  readonly tenant_id: string
  readonly time_zone: string
  readonly contacts: number
  readonly messages_in: Counts
  readonly messages_out: Counts
  readonly copies: number
  readonly leads_by_state: Counts
  readonly leads_by_tier: Counts
  readonly drafts: Counts
  readonly automatic_replies: number
  /** The number of texts deferred at night, and the local times at which they were sent. */
  readonly held_for_the_night: { readonly texts: number; readonly left_at: ReadonlyArray<string> }
  readonly opt_outs: { readonly stop: number; readonly start: number }
  readonly blocked_numbers: number
  /** Rejected actions of agents, by reason. */
  readonly refused: Counts
  readonly calls: Counts
  readonly tasks: Counts
  readonly events: {
    readonly written: number
    readonly delivered: number
    readonly repeated: number
    readonly unverified: number
  }
}

/** The output of the command with `--json`. */
export interface DaySummary {
  readonly seed: number
  readonly began: string
  readonly ended: string
  readonly wall_seconds: number
  readonly tenants: ReadonlyArray<TenantSummary>
  readonly problems: ReadonlyArray<string>
}

const countBy = (rows: ReadonlyArray<Row>, ...names: ReadonlyArray<string>): Counts => {
  const counts: Record<string, number> = {}
  for (const row of rows) {
    const key = names.map((name) => String(row[name] ?? "none")).join(" ")
    counts[key] = (counts[key] ?? 0) + 1
  }
  return Object.fromEntries(Object.entries(counts).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

const quarterHourMillis = 900_000

const clockIn = (zone: string, time: number): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" }).format(time)

const heldIn = (sends: ReadonlyArray<Row>, { zone }: Place): TenantSummary["held_for_the_night"] => {
  const late = sends.filter(
    (row) => row["channel"] === "sms" && Number(row["ended_at"]) - Number(row["created_at"]) > quarterHourMillis
  )
  const times = late.map((row) => clockIn(zone, Number(row["ended_at"])))
  return { texts: late.length, left_at: [...new Set(times)].toSorted() }
}

const summariseTenant = (facts: Facts, place: Place): TenantSummary => {
  const { tenantId, zone } = place
  const of = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => rows.filter((row) => row["tenant_id"] === tenantId)
  const isMine = (who: string): boolean => who.startsWith(`${tenantId} `)
  const { notes } = facts
  const [messages, sends, leads] = [of(facts.messages), of(facts.sends), of(facts.leads)]
  const consentChanges = notes.consentChanges.filter(({ who }) => isMine(who))
  const received = facts.received.get(tenantId)
  return {
    tenant_id: tenantId,
    time_zone: zone,
    contacts: of(facts.contacts).length,
    messages_in: countBy(
      messages.filter(({ actor }) => actor === "contact"),
      "channel"
    ),
    messages_out: countBy(
      messages.filter(({ actor }) => actor !== "contact"),
      "channel"
    ),
    copies: of(facts.arrivals).filter(({ outcome }) => outcome === "duplicate_of").length,
    leads_by_state: countBy(leads, "state"),
    leads_by_tier: countBy(leads, "tier"),
    drafts: countBy(of(facts.drafts), "state"),
    automatic_replies: sends.filter(({ automatic, state }) => automatic === 1 && state === "confirmed").length,
    held_for_the_night: heldIn(sends, place),
    opt_outs: {
      stop: consentChanges.filter(({ stop }) => stop).length,
      start: consentChanges.filter(({ stop }) => !stop).length
    },
    blocked_numbers: [...notes.blocked.keys()].filter(isMine).length,
    refused: Object.fromEntries(notes.refusals.get(tenantId) ?? []),
    calls: countBy(of(facts.calls), "direction", "status"),
    tasks: countBy(of(facts.tasks), "status"),
    events: {
      written: facts.events.get(tenantId)?.length ?? 0,
      delivered: received?.known.size ?? 0,
      repeated: received?.repeated ?? 0,
      unverified: received?.unverified ?? 0
    }
  }
}

/** Summarises the day of each tenant. */
export const summarise = (facts: Facts): ReadonlyArray<TenantSummary> =>
  places.map((place) => summariseTenant(facts, place))
