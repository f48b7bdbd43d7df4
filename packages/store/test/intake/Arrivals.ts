import type { Identity } from "@leadloom/core/internal/domain/contact/Identity"
import { type Inbound, plainInbound } from "@leadloom/core/internal/workflow/intake/Inbound"
import { tenantRecord } from "@leadloom/testkit/suite/Records"

/** One message of a random stream. Small numbers make messages share contacts, threads and keys. */
export interface RandomMessage {
  readonly kind: "mail" | "list" | "own" | "chat" | "form"
  readonly person: number
  /** A further identity of the sender; null if there is none. */
  readonly other: number | null
  /** The number of the Message-ID or of the request's key; null if the message has no dedup key. */
  readonly id: number | null
  readonly references: ReadonlyArray<number>
  readonly thread: number | null
  readonly subject: number
  readonly time: number
  readonly print: string | null
}

const emailOf = (person: number): string => `person.${person}@customer.example`
const identityOf = (person: number): Identity => ({ kind: "email", value: emailOf(person) })
const mailId = (id: number): string => `${id}@mail.customer.example`

/** Returns the unique text of a message, by which tests find its row. */
export const bodyOf = (index: number): string => `This is message ${index}.`

const envelopeOf = (message: RandomMessage, index: number): Inbound["mail"] => ({
  internetMessageId: mailId(message.id ?? 1_000 + index),
  references: message.references.map((id) => ({ id: mailId(id), weak: id % 4 === 3 })),
  repliesTo: new Set(),
  from: emailOf(message.person),
  to: ["sales@tenant.example"],
  cc: message.other === null ? [] : [emailOf(message.other)],
  replyTo: [],
  receivedAlias: message.subject === 0 ? null : `sales.${message.subject}@tenant.example`,
  grantId: null,
  provider: message.thread === null ? null : { messageId: `p${index}`, thread: `thread of grant: ${message.thread}` },
  authentication: null,
  htmlBody: null,
  attachments: [],
  raw: null
})

const channelOf = (kind: RandomMessage["kind"]): Inbound["channel"] =>
  kind === "chat" ? "chat" : kind === "form" ? "webhook" : "email"

/** Builds a message for a tenant. */
export const inboundOf = (message: RandomMessage, index: number, tenantId: string): Inbound => {
  const { id, kind, other, person, print, subject, time } = message
  const isMail = channelOf(kind) === "email"
  const name = time % 2 === 0 ? null : `Person ${person}`
  const profile = { name, email: emailOf(person), phone: null, company: subject === 2 ? "Acme" : null }
  return {
    ...plainInbound,
    tenant: tenantRecord(tenantId),
    channel: channelOf(kind),
    source: "test",
    actor: kind === "own" ? "agent" : "contact",
    auto: kind === "own" ? "own" : kind === "list" ? "list" : null,
    identities: [identityOf(person), ...(other === null || isMail ? [] : [identityOf(other)])],
    ...(kind === "form" ? { unproven: true as const } : {}),
    profile,
    body: bodyOf(index),
    subject: ["Offer", "Re: Offer", 'Roof \\ "new" {a,b}'][subject] ?? null,
    mail: isMail ? envelopeOf(message, index) : null,
    metadata: subject === 2 ? { note: 'quoted " and \\ and NULL' } : {},
    timestamp: time * 1_000,
    dedupKeys: id === null ? [] : isMail ? [`mid:${mailId(id)}`, `hash:${id}:${subject}`] : [`key:${id}`],
    ...(print === null ? {} : { fingerprint: print }),
    pipeline: kind === "own" ? "none" : "queue"
  }
}
