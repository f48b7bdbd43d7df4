import { contentFingerprint, referencesFingerprint } from "@leadloom/core/email/Fingerprint"
import { preview } from "@leadloom/core/conversation/Message"
import { encodeId } from "@leadloom/core/Id"
import type { StoreUnavailable } from "@leadloom/core/port/StoreUnavailable"
import { Effect } from "effect"
import { type CatalogTable, catalog } from "../src/admin/Catalog.ts"
import type { RowsCollided, Target } from "../src/admin/Side.ts"
import { type Letter, letters, personOf } from "./Correspondence.ts"

/** Whose letters they are, and the address they went to. */
export interface Recipient {
  readonly tenantId: string
  readonly address: string
}

type Values = Readonly<Record<string, string | number | null>>

/** Rows on their way into a database, a thousand of a table at a time. */
const makeSink = (target: Target, tables: ReadonlyMap<string, CatalogTable>) => {
  const waiting = new Map<string, Array<ReadonlyArray<string | null>>>()
  const flush = (name: string): Effect.Effect<void, StoreUnavailable | RowsCollided> =>
    Effect.suspend(() => {
      const [table, rows] = [tables.get(name), waiting.get(name) ?? []]
      waiting.delete(name)
      return table === undefined ? Effect.die(new Error(`no table ${name}`)) : target.write(table, rows, null)
    })
  return {
    add: (name: string, values: Values): void => {
      const columns = tables.get(name)?.columns ?? []
      const row = columns.map((column) => {
        const value = values[column]
        return value === undefined || value === null ? null : String(value)
      })
      const rows = waiting.get(name)
      if (rows === undefined) waiting.set(name, [row])
      else rows.push(row)
    },
    flushFull: Effect.suspend(() =>
      Effect.forEach(
        [...waiting].filter(([, rows]) => rows.length >= 1_000).map(([name]) => name),
        flush,
        { discard: true }
      )
    ),
    flushAll: Effect.suspend(() => Effect.forEach([...waiting.keys()], flush, { discard: true }))
  }
}

type Sink = ReturnType<typeof makeSink>

/** What a person has written so far. */
interface Correspondent {
  readonly contactId: string
  readonly letters: number
  readonly last: Letter
  readonly messageId: string
  readonly lead: Values
}

const random = (seed: number): Uint8Array =>
  Uint8Array.from({ length: 10 }, (_, index) => Math.imul(seed + 1, 2_654_435_761 + index * 40_503) >>> 24)

/** The rows that one letter leaves behind, besides those of its person's conversation. */
const makeWriter = ({ add }: Sink, { address, tenantId }: Recipient) => {
  let sequence = 0
  const event = (letter: Letter, part: number, type: string, data: object): void =>
    add("events", {
      tenant_id: tenantId,
      sequence: (sequence += 1),
      event_id: encodeId("evt", letter.at, random(letter.number * 8 + part)),
      type,
      timestamp: letter.at,
      data: JSON.stringify(data)
    })

  const person = (letter: Letter, contactId: string): void => {
    const { email, name } = personOf(letter.person)
    const times = { created_at: letter.at, updated_at: letter.at }
    add("contacts", { tenant_id: tenantId, contact_id: contactId, name, email, tags: "[]", ...times })
    add("identities", {
      tenant_id: tenantId,
      identity: `email:${email}`,
      contact_id: contactId,
      created_at: letter.at
    })
    const data = { contact_id: contactId, name, email, phone: null, company: null, tags: [], archived: false }
    event(letter, 1, "contact.created", data)
  }

  const thread = (letter: Letter, contactId: string, threadId: string, leadId: string): Values => {
    const { email } = personOf(letter.person)
    const base = letter.subject.toLowerCase()
    add("threads", {
      tenant_id: tenantId,
      thread_id: threadId,
      lead_id: leadId,
      created_at: letter.at,
      base_subject: base
    })
    for (const one of [email, address]) {
      add("thread_participants", { tenant_id: tenantId, thread_id: threadId, email: one })
    }
    return {
      tenant_id: tenantId,
      lead_id: leadId,
      contact_id: contactId,
      thread_id: threadId,
      channel: "email",
      source: "import",
      state: "open",
      created_at: letter.at,
      subject: letter.subject,
      factors: "[]"
    }
  }

  const message = (letter: Letter, messageId: string, lead: Values): void => {
    const { email } = personOf(letter.person)
    const ids = { tenant_id: tenantId, message_id: messageId }
    const content = { from: email, recipients: [address], subject: letter.subject, text: letter.body }
    const hash = contentFingerprint({ ...content, dateSeconds: letter.at / 1_000 })
    const tied = referencesFingerprint(letter.inReplyTo === null ? [] : [letter.inReplyTo])
    add("messages", {
      ...ids,
      contact_id: lead["contact_id"] ?? null,
      lead_id: lead["lead_id"] ?? null,
      thread_id: lead["thread_id"] ?? null,
      channel: "email",
      actor: "contact",
      source: "import",
      timestamp: letter.at,
      received_at: letter.at,
      internet_message_id: letter.messageId,
      received_alias: address,
      from_address: email,
      to_addresses: JSON.stringify([address]),
      cc_addresses: "[]",
      reply_to: "[]",
      flags: "[]",
      attachments: "[]",
      metadata: "{}",
      subject: letter.subject,
      body: letter.body
    })
    for (const key of [`mid:${letter.messageId}`, `hash:${hash}${tied}`]) {
      add("dedup_keys", { ...ids, dedup_key: key })
    }
    add("thread_ids", {
      tenant_id: tenantId,
      message_id: letter.messageId,
      thread_id: lead["thread_id"] ?? null,
      seen: 1,
      weak: 0
    })
    add("arrivals", {
      ...ids,
      arrival_id: encodeId("arr", letter.at, random(letter.number)),
      channel: "email",
      source: "import",
      outcome: "message",
      received_at: letter.at
    })
  }

  const said = (letter: Letter, messageId: string, lead: Values): void => {
    const about = { contact_id: lead["contact_id"], message_id: messageId, lead_id: lead["lead_id"] }
    const { contact_id, lead_id, subject, thread_id } = lead
    const shown = { message_id: messageId, preview: preview(letter.body) }
    const facts = { channel: "email", source: "import", subject, state: "open", score: null, tier: null }
    event(letter, 2, letter.place === 0 ? "lead.received" : "lead.contact_replied", {
      lead_id,
      contact_id,
      thread_id,
      ...facts,
      ...shown
    })
    event(letter, 3, "conversation.updated", {
      ...about,
      channel: "email",
      actor: "contact",
      preview: preview(letter.body)
    })
  }
  return { person, thread, message, said, events: () => sequence }
}

/** What stands once for a person: the head of the conversation, and the addresses it arrived at. */
const conclude = ({ add }: Sink, { address, tenantId }: Recipient, whom: Correspondent): void => {
  const { contactId, last, lead, letters: unread, messageId } = whom
  add("leads", { ...lead, updated_at: last.at, last_message_at: last.at })
  const ids = { tenant_id: tenantId, contact_id: contactId, last_timestamp: last.at }
  add("conversations", {
    ...ids,
    last_message_id: messageId,
    last_message: preview(last.body),
    last_channel: "email",
    lead_id: lead["lead_id"] ?? null,
    unread
  })
  add("conversation_aliases", { ...ids, alias: address })
}

/**
 * Writes letters into an empty tenant of a database, as if they had been imported as they came: the rows of
 * `importEmail`, which a test compares on a sample, through the bulk writer of `db copy`. What is kept of a mail's source
 * is left out. The search index is behind afterwards, as after an import.
 */
export const seed = Effect.fnUntraced(function* (target: Target, count: number, end: number, recipient: Recipient) {
  const tables = new Map((yield* catalog).map((table) => [table.name, table]))
  const sink = makeSink(target, tables)
  const write = makeWriter(sink, recipient)
  const people = new Map<number, Correspondent>()
  for (const letter of letters(count, end)) {
    const { at, number } = letter
    const known = people.get(letter.person)
    const contactId = known?.contactId ?? encodeId("con", at, random(number))
    const messageId = encodeId("msg", at, random(number))
    if (known === undefined) write.person(letter, contactId)
    if (known !== undefined && letter.place === 0) {
      sink.add("leads", { ...known.lead, updated_at: known.last.at, last_message_at: known.last.at })
    }
    const lead =
      known === undefined || letter.place === 0
        ? write.thread(letter, contactId, encodeId("thr", at, random(number)), encodeId("lead", at, random(number)))
        : known.lead
    write.message(letter, messageId, lead)
    write.said(letter, messageId, lead)
    people.set(letter.person, { contactId, letters: (known?.letters ?? 0) + 1, last: letter, messageId, lead })
    if (number % 1_000 === 999) yield* sink.flushFull
  }
  for (const whom of people.values()) conclude(sink, recipient, whom)
  const { tenantId } = recipient
  sink.add("event_sequences", { tenant_id: tenantId, last_sequence: write.events() })
  sink.add("arrival_counts", { tenant_id: tenantId, outcome: "message", arrivals: count })
  yield* sink.flushAll
})
