import { type Context, Effect } from "effect"
import type { Kind } from "../domain/privacy/Kind.ts"
import { kindsByName } from "../domain/privacy/Kinds.ts"
import { type Row, rowKey, textOf } from "../domain/text/Record.ts"
import type { HoldingsShape } from "../port/repository/HoldingsShape.ts"
import { type Mirror, mirrorsOf } from "./HoldingsMirrors.ts"
import { by, keyOf, type MemoryState, ofTenant } from "./MemoryState.ts"

type Memory = Context.Service.Shape<typeof MemoryState>

/** What a message is found by, as a kind that belongs to one names it. */
const fieldOf = (message: Row, field: "message_id" | "thread_id" | "signal_id"): string =>
  field === "signal_id" ? `sig_${textOf(message, "message_id").slice("msg_".length)}` : textOf(message, field)

const belongsTo = (mirrors: Readonly<Record<string, Mirror>>, tenantId: string, kind: Kind, contactId: string) => {
  const { belongs } = kind
  const rows = (name: string): ReadonlyArray<Row> => mirrors[name]?.rows(tenantId) ?? []
  if (belongs.by === "contact") return (row: Row) => belongs.columns.some((column) => row[column] === contactId)
  const own = (name: string) => rows(name).filter((row) => row["contact_id"] === contactId)
  const held = {
    message: () => own("messages").map((row) => (belongs.by === "message" ? fieldOf(row, belongs.field) : "")),
    merge: () =>
      rows("contact_merges").flatMap((row) =>
        row["primary_id"] === contactId || row["duplicate_id"] === contactId ? [textOf(row, "merge_id")] : []
      ),
    lead: () => own("leads").map((row) => textOf(row, "lead_id")),
    address: () => own("identities").map((row) => textOf(row, "identity").replace(/^(?:email|phone):/u, ""))
  }[belongs.by]()
  const values = new Set(held.filter((value) => value !== ""))
  return (row: Row) => values.has(textOf(row, belongs.column))
}

/** A column that rows are walked by: a text or a time. */
const placeOf = (row: Row, column: string): string | number => {
  const { [column]: value = null } = row
  return typeof value === "number" ? value : textOf(row, column)
}

/** In the order of some columns, one after the other. */
const inOrder = (columns: ReadonlyArray<string>) =>
  by<Row>(...columns.map((column) => (row: Row) => placeOf(row, column)))

type Rows = "page" | "keys" | "some" | "dedupKeys" | "present" | "insert" | "remove"
type Threads = "inUse" | "dropThreads" | "leaveThreads" | "releaseLeads"

const stopping = (state: Memory): Omit<HoldingsShape, Rows | Threads> => ({
  stopWork: (tenantId, contactId) =>
    Effect.sync(() => {
      for (const [key, { signal, state: stage }] of state.signals) {
        if (signal.tenantId === tenantId && signal.contactId === contactId && stage === "queued")
          state.signals.delete(key)
      }
      for (const [key, send] of state.sends) {
        const open = send.state === "reserved" || send.state === "handed_over"
        if (send.tenantId === tenantId && send.contactId === contactId && open) state.sends.delete(key)
      }
    }),
  redactEvents: (tenantId, contactId, limit) =>
    Effect.sync(() => {
      const events = state.events.get(tenantId) ?? []
      const told = [...events.entries()].filter(([, { data }]) => data["contact_id"] === contactId).slice(0, limit)
      for (const [index, event] of told) events[index] = { ...event, data: { redacted: true } }
      const sequences = new Set(told.map(([index]) => index + 1))
      for (const [key, row] of state.deliveries) {
        if (row.tenantId === tenantId && sequences.has(row.sequence))
          state.deliveries.set(key, { ...row, attempts: [] })
      }
      return told.length
    }),
  redactArrivals: (tenantId, messageIds) =>
    Effect.sync(() => {
      for (const [key, arrival] of state.arrivals) {
        const about = arrival.messageId !== null && messageIds.includes(arrival.messageId)
        if (arrival.tenantId === tenantId && about) state.arrivals.set(key, { ...arrival, detail: null })
      }
    })
})

const release = <A extends { readonly tenantId: string; readonly leadId: string | null }>(
  all: Map<string, A>,
  tenantId: string,
  gone: ReadonlySet<string | null>,
  isMeant: (one: A) => boolean = () => true
): void => {
  for (const [key, one] of all) {
    if (one.tenantId !== tenantId || one.leadId === null || !gone.has(one.leadId) || !isMeant(one)) continue
    all.set(key, { ...one, leadId: null })
  }
}

const threading = (state: Memory): Pick<HoldingsShape, Threads> => ({
  inUse: (tenantId, field, ids) =>
    Effect.sync(() => {
      const asked = new Set(ids)
      const found = ofTenant(state.messages, tenantId).map(({ messageId, threadId }) =>
        field === "message_id" ? messageId : threadId
      )
      return new Set(found.filter((id) => id !== null && asked.has(id)).map(String))
    }),
  dropThreads: (tenantId, threadIds) =>
    Effect.sync(() => {
      for (const [key, { tenantId: owner, value }] of state.threadIds) {
        if (owner === tenantId && threadIds.includes(value.threadId)) state.threadIds.delete(key)
      }
      for (const threadId of threadIds) {
        state.threads.delete(keyOf(tenantId, threadId))
        state.participants.delete(keyOf(tenantId, threadId))
      }
    }),
  leaveThreads: (tenantId, threadIds, emails, internetMessageIds) =>
    Effect.sync(() => {
      for (const threadId of threadIds) {
        const key = keyOf(tenantId, threadId)
        const left = [...(state.participants.get(key) ?? [])].filter((email) => !emails.includes(email))
        state.participants.set(key, new Set(left))
        for (const id of internetMessageIds) state.threadIds.delete(keyOf(tenantId, id, threadId))
      }
    }),
  releaseLeads: (tenantId, contactId, leadIds) =>
    Effect.sync(() => {
      const gone = new Set<string | null>(leadIds)
      for (const [key, lead] of state.leads) {
        if (lead.tenantId !== tenantId || lead.mergedInto === null || !gone.has(lead.mergedInto)) continue
        state.leads.set(key, { ...lead, mergedInto: null })
      }
      release(state.messages, tenantId, gone, (message) => message.contactId !== contactId)
      release(state.heads, tenantId, gone)
      release(state.threads, tenantId, gone)
    })
})

/** `Holdings` on what the memory twins keep. */
export const memoryHoldings = (state: Memory): HoldingsShape => {
  const mirrors = mirrorsOf(state)
  const rowsOf = (tenantId: string, { name }: Kind): ReadonlyArray<Row> => mirrors[name]?.rows(tenantId) ?? []
  const walk =
    (columns: ReadonlyArray<string>): HoldingsShape["page"] =>
    (tenantId, kind, contactId, after, limit) =>
      Effect.sync(() => {
        const order = inOrder(columns)
        const mine = contactId === null ? () => true : belongsTo(mirrors, tenantId, kind, contactId)
        return rowsOf(tenantId, kind)
          .filter((row) => mine(row) && (after === null || order(row, after) > 0))
          .toSorted(order)
          .slice(0, limit)
      })
  const page: HoldingsShape["page"] = (tenantId, kind, contactId, after, limit) =>
    walk(contactId === null ? kind.key : (kind.walk ?? kind.key))(tenantId, kind, contactId, after, limit)
  return {
    ...stopping(state),
    ...threading(state),
    keys: (tenantId, kind, contactId, after, limit) =>
      Effect.map(walk(kind.key)(tenantId, kind, contactId, after, limit), (rows) =>
        rows.map((row) => Object.fromEntries(kind.key.map((column) => [column, row[column] ?? null])))
      ),
    some: (tenantId, kind, contactId, limit) => page(tenantId, kind, contactId, null, limit),
    dedupKeys: (tenantId, messageIds) =>
      Effect.sync(() => {
        const asked = new Set(messageIds)
        return rowsOf(tenantId, kindsByName.dedup_keys).filter((row) => asked.has(textOf(row, "message_id")))
      }),
    page,
    present: (tenantId, kind, rows) =>
      Effect.sync(() => {
        const asked = new Set(rows.map((row) => rowKey(kind, row)))
        return rowsOf(tenantId, kind).filter((row) => asked.has(rowKey(kind, row)))
      }),
    insert: (tenantId, { name }, rows) =>
      Effect.sync(() => {
        for (const row of rows) mirrors[name]?.put(tenantId, row)
      }),
    remove: (tenantId, { name }, rows) =>
      Effect.sync(() => {
        for (const row of rows) mirrors[name]?.remove(tenantId, row)
      })
  }
}
