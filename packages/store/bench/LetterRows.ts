import { contentFingerprint, referencesFingerprint } from "@leadloom/core/internal/domain/email/Fingerprint"
import { preview } from "@leadloom/core/internal/domain/conversation/Message"
import { encodeId } from "@leadloom/core/internal/domain/Id"
import { type Letter, personOf } from "./Correspondence.ts"
import { tagsOf, tierOf } from "./InboxWork.ts"

/** A row by column name. Missing columns are null. */
export type Values = Readonly<Record<string, string | number | null>>

/** Adds a row to a table. */
export type Add = (table: string, values: Values) => void

/** The tenant of the mails, and its address. */
export interface Recipient {
  readonly tenantId: string
  readonly address: string
}

/** The state of a person's conversation so far. */
export interface Correspondent {
  readonly contactId: string
  readonly letters: number
  readonly firstAt: number
  readonly last: Letter
  readonly messageId: string
  readonly lead: Values
}

/** Returns the bytes that replace randomness in an id. */
export const random = (seed: number): Uint8Array =>
  Uint8Array.from({ length: 10 }, (_, index) => Math.imul(seed + 1, 2_654_435_761 + index * 40_503) >>> 24)

/** The payload of an event. */
type EventData = Readonly<Record<string, unknown>> & { readonly contact_id: Values[string] | undefined }

const isoOf = (time: number): string => new Date(time).toISOString()

/** Returns the row of the conversation list after a mail, as events carry it. */
const listRow = (
  { at, body, person }: Letter,
  {
    contact_id,
    lead_id
  }: { readonly contact_id: Values[string] | undefined; readonly lead_id: Values[string] | undefined },
  { firstAt, letters: unread }: Pick<Correspondent, "firstAt" | "letters">
) => {
  const { email, name } = personOf(person)
  return {
    contact_id,
    contact_name: name,
    contact_email: email,
    last_message: preview(body),
    last_channel: "email",
    last_timestamp: isoOf(at),
    lead_id,
    lead_state: "open",
    score_tier: null,
    unread,
    state: "open",
    assignee_id: null,
    team_id: null,
    tags: [],
    priority: "normal",
    snooze_until: null,
    waiting_since: isoOf(firstAt)
  }
}

/** Creates the outbound events of mails, with sequence numbers. */
export const makeEvents = (add: Add, { tenantId }: Recipient) => {
  let sequence = 0
  const event = (letter: Letter, part: number, type: string, data: EventData): void =>
    add("events", {
      tenant_id: tenantId,
      sequence: (sequence += 1),
      event_id: encodeId("evt", letter.at, random(letter.number * 8 + part)),
      type,
      timestamp: letter.at,
      data: JSON.stringify(data),
      contact_id: data.contact_id ?? null
    })
  return {
    count: () => sequence,
    met: (letter: Letter, contactId: string): void => {
      const { email, name } = personOf(letter.person)
      const data = {
        contact_id: contactId,
        name,
        email,
        phone: null,
        company: null,
        company_id: null,
        tags: [],
        custom_fields: {},
        archived: false,
        merged_into: null
      }
      event(letter, 1, "contact.created", data)
    },
    said: (
      letter: Letter,
      messageId: string,
      { contact_id, lead_id, subject, thread_id }: Values,
      so: Pick<Correspondent, "firstAt" | "letters">
    ): void => {
      const shown = preview(letter.body)
      const facts = { channel: "email", source: "import", subject, state: "open", score: null, tier: null }
      event(letter, 2, letter.place === 0 ? "lead.received" : "lead.contact_replied", {
        lead_id,
        contact_id,
        thread_id,
        ...facts,
        message_id: messageId,
        preview: shown
      })
      event(letter, 3, "conversation.updated", {
        contact_id,
        message_id: messageId,
        lead_id,
        channel: "email",
        actor: "contact",
        preview: shown,
        conversation: listRow(letter, { contact_id, lead_id }, so)
      })
    }
  }
}

/** Adds a new contact. */
export const addPerson = (add: Add, { tenantId }: Recipient, letter: Letter, contactId: string): void => {
  const { email, name } = personOf(letter.person)
  const ids = { tenant_id: tenantId, contact_id: contactId }
  add("contacts", {
    ...ids,
    name,
    email,
    tags: "[]",
    attributes: "{}",
    custom_fields: "{}",
    company_removed: 0,
    created_at: letter.at,
    updated_at: letter.at
  })
  add("identities", { ...ids, identity: `email:${email}`, created_at: letter.at })
}

/** Adds a thread. Returns its lead, which changes with every mail. */
export const addThread = (add: Add, { address, tenantId }: Recipient, letter: Letter, contactId: string): Values => {
  const seed = random(letter.number)
  const [threadId, leadId] = [encodeId("thr", letter.at, seed), encodeId("lead", letter.at, seed)]
  const ids = { tenant_id: tenantId, thread_id: threadId }
  add("threads", {
    ...ids,
    lead_id: leadId,
    created_at: letter.at,
    base_subject: letter.subject.toLowerCase(),
    corrected: 0
  })
  for (const email of [personOf(letter.person).email, address]) add("thread_participants", { ...ids, email })
  return {
    ...ids,
    lead_id: leadId,
    contact_id: contactId,
    channel: "email",
    source: "import",
    state: "open",
    created_at: letter.at,
    subject: letter.subject,
    factors: "[]",
    pipeline_id: "pip_default",
    tags: "[]",
    custom_fields: "{}"
  }
}

const hashOf = (letter: Letter, from: string, address: string): string => {
  const content = { from, recipients: [address], subject: letter.subject, text: letter.body }
  const tied = referencesFingerprint(letter.inReplyTo === null ? [] : [letter.inReplyTo])
  return contentFingerprint({ ...content, dateSeconds: letter.at / 1_000 }) + tied
}

/** Adds the message of a mail with its dedup keys and its line in the ledger. */
export const addMessage = (
  add: Add,
  { address, tenantId }: Recipient,
  letter: Letter,
  messageId: string,
  { contact_id = null, lead_id = null, thread_id = null }: Values
): void => {
  const { email } = personOf(letter.person)
  const ids = { tenant_id: tenantId, message_id: messageId }
  add("messages", {
    ...ids,
    contact_id,
    lead_id,
    thread_id,
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
    reference_ids: JSON.stringify(letter.inReplyTo === null ? [] : [letter.inReplyTo]),
    thread_rule: letter.inReplyTo === null ? "new_without_reference" : "in_reply_to",
    thread_via: letter.inReplyTo,
    flags: "[]",
    attachments: "[]",
    metadata: "{}",
    subject: letter.subject,
    body: letter.body
  })
  for (const key of [`mid:${letter.messageId}`, `hash:${hashOf(letter, email, address)}`]) {
    add("dedup_keys", { ...ids, dedup_key: key })
  }
  add("thread_ids", { tenant_id: tenantId, message_id: letter.messageId, thread_id, seen: 1, weak: 0 })
  add("arrivals", {
    ...ids,
    arrival_id: encodeId("arr", letter.at, random(letter.number)),
    channel: "email",
    source: "import",
    outcome: "message",
    received_at: letter.at
  })
}

/** Adds a lead in the state after its last mail. */
export const addLead = (add: Add, lead: Values, { at }: Letter): void =>
  add("leads", { ...lead, updated_at: at, last_message_at: at })

/** The inbox state of a conversation that nobody has worked on. */
const untouched = ({ firstAt, letters: unread }: Correspondent): Values => ({
  state: "open",
  tags: "[]",
  priority: "normal",
  waiting_since: firstAt,
  answered_at: 0,
  unread
})

/** Adds the head of a person's conversation, and the alias at which it arrived. `work` has the inbox state. */
export const addConversation = (
  add: Add,
  { address, tenantId }: Recipient,
  whom: Correspondent,
  work: Values = untouched(whom)
): void => {
  const { contactId, last, lead, messageId } = whom
  const ids = { tenant_id: tenantId, contact_id: contactId, last_timestamp: last.at }
  add("conversations", {
    ...ids,
    last_message_id: messageId,
    last_message: preview(last.body),
    last_channel: "email",
    lead_id: lead["lead_id"] ?? null,
    ...work
  })
  add("conversation_aliases", { ...ids, alias: address })
}

/** Adds the tags of a person's conversation, and the row of the contact list. */
export const addInboxRows = (add: Add, { tenantId }: Recipient, { contactId, last }: Correspondent): void => {
  const ids = { tenant_id: tenantId, contact_id: contactId }
  for (const tag of tagsOf(last.person)) add("conversation_tags", { ...ids, last_timestamp: last.at, tag })
  const flags = { archived: 0, has_email: 1, has_phone: 0 }
  const tier = tierOf(last.person)
  add("contact_list", { ...ids, ...flags, last_activity_at: last.at, channel: "email", state: "open", tier })
}
