import type { Received } from "./Receiver.ts"
import type { PlacedCall, SentText } from "./TwilioStandIn.ts"
import type { Notes, Row, World } from "./World.ts"

/**
 * The content of the store, and the observations outside the server, at the end of a simulated day. The checks compare
 * the two.
 */
export interface Facts {
  readonly messages: ReadonlyArray<Row>
  readonly arrivals: ReadonlyArray<Row>
  readonly contacts: ReadonlyArray<Row>
  readonly leads: ReadonlyArray<Row>
  readonly threads: ReadonlyArray<Row>
  readonly conversations: ReadonlyArray<Row>
  readonly signals: ReadonlyArray<Row>
  readonly sends: ReadonlyArray<Row>
  readonly drafts: ReadonlyArray<Row>
  readonly calls: ReadonlyArray<Row>
  readonly tasks: ReadonlyArray<Row>
  /** The events of each tenant as the API returns them, with sequence number and id, in order. */
  readonly events: ReadonlyMap<string, ReadonlyArray<{ readonly sequence: number; readonly id: string }>>
  readonly received: ReadonlyMap<string, Received>
  readonly texts: ReadonlyArray<SentText>
  readonly placed: ReadonlyArray<PlacedCall>
  readonly refusedCallbacks: ReadonlyArray<string>
  readonly notes: Notes
}

const statements = {
  messages: `SELECT tenant_id, message_id, contact_id, lead_id, thread_id, channel, actor, auto, "timestamp", body,
    provider_message_id, to_addresses, delivery FROM messages`,
  arrivals: "SELECT tenant_id, message_id, outcome FROM arrivals",
  contacts: "SELECT tenant_id, contact_id FROM contacts",
  leads: `SELECT tenant_id, lead_id, contact_id, thread_id, state, tier, last_message_at FROM leads
    WHERE merged_into IS NULL`,
  threads: "SELECT tenant_id, thread_id, lead_id FROM threads",
  conversations: "SELECT tenant_id, contact_id, last_message_id, last_timestamp FROM conversations",
  signals: "SELECT tenant_id, signal_id, state FROM signals",
  sends: `SELECT tenant_id, message_id, send_key, channel, state, automatic, created_at, ended_at, slot_at, reason
    FROM sends`,
  drafts: "SELECT tenant_id, draft_id, signal_id, state FROM drafts",
  calls: "SELECT tenant_id, call_id, provider_call_id, direction, status FROM calls",
  tasks: "SELECT tenant_id, task_id, type, status FROM tasks"
} as const

const eventsOf = async ({ client, place }: World["businesses"][number]) => {
  const events: Array<{ readonly sequence: number; readonly id: string }> = []
  for (let after = 0; ;) {
    const page = await client.eventFeed.list(place.tenantId, { after, limit: 500 })
    events.push(...page.events.map(({ event, sequence }) => ({ sequence, id: event.event_id })))
    if (!page.has_more) return events
    after = page.next_after
  }
}

/** Collects the facts at the end of a day. */
export const gatherFacts = async ({ businesses, notes, receiver, store, twilio }: World): Promise<Facts> => {
  const tenants = new Set(businesses.map(({ place }) => place.tenantId))
  const read = (statement: string): ReadonlyArray<Row> =>
    store.all(statement).filter((row) => tenants.has(String(row["tenant_id"])))
  const events = new Map<string, Awaited<ReturnType<typeof eventsOf>>>()
  for (const business of businesses) events.set(business.place.tenantId, await eventsOf(business))
  return {
    messages: read(statements.messages),
    arrivals: read(statements.arrivals),
    contacts: read(statements.contacts),
    leads: read(statements.leads),
    threads: read(statements.threads),
    conversations: read(statements.conversations),
    signals: read(statements.signals),
    sends: read(statements.sends),
    drafts: read(statements.drafts),
    calls: read(statements.calls),
    tasks: read(statements.tasks),
    events,
    received: new Map(businesses.map(({ place }) => [place.tenantId, receiver.of(place.tenantId)])),
    texts: twilio.texts,
    placed: twilio.calls,
    refusedCallbacks: twilio.refused,
    notes
  }
}
