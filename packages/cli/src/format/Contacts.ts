import type { Contact, ContactDetail, ContactPage, EnrichedPage, SearchPage, TimelinePage } from "@leadloom/client"
import { formatMessages } from "./Conversations.ts"
import { card, cell, day, joined, listing, minute } from "./Text.ts"

const addressOf = ({ email, phone }: Pick<Contact, "email" | "phone">): string | null => email ?? phone

/** Formats contacts, one per line. */
export const formatContacts = ({ contacts }: ContactPage): string =>
  listing(
    "No contacts.",
    [["CONTACT", 30], ["NAME", 20], ["ADDRESS"]],
    contacts.map((contact) => [contact.id, contact.name, addressOf(contact)])
  )

/** Formats one contact. */
export const formatContact = (contact: Contact): string =>
  card([
    ["contact", contact.id],
    ["name", contact.name],
    ["email", contact.email],
    ["phone", contact.phone],
    ["company", contact.company],
    ["tags", contact.tags.join(", ")],
    ["notes", contact.notes],
    ...Object.entries(contact.attributes).map(([name, value]) => [name, String(value)] as const),
    ["created", minute(contact.created_at)],
    ["merged into", contact.merged_into],
    ["archived", contact.archived ? "yes" : null]
  ])

/** Formats a contact with its counts, open leads, open tasks and latest messages. */
export const formatContactDetail = ({
  contact,
  counts,
  messages,
  open_leads,
  open_tasks,
  scoring
}: ContactDetail): string =>
  [
    formatContact(contact),
    card([
      ["score", joined(scoring?.score, scoring?.tier)],
      ["summary", scoring?.classification?.summary],
      ["messages", counts.messages],
      ["leads", `${counts.leads}, ${counts.open_leads} open`]
    ]),
    listing(
      "No open leads.",
      [["OPEN LEAD", 31], ["STATE", 9], ["SUBJECT"]],
      open_leads.map(({ id, state, subject }) => [id, state, subject])
    ),
    listing(
      "No open tasks.",
      [["OPEN TASK", 31], ["DUE", 10], ["TITLE"]],
      open_tasks.map(({ due_at, id, title }) => [id, day(due_at), title])
    ),
    formatMessages(messages)
  ].join("\n")

/** Formats the history of a contact, one line per entry. */
export const formatTimeline = ({ entries }: TimelinePage): string =>
  listing(
    "No entries.",
    [["TIME (UTC)", 16], ["ENTRY", 18], ["BY", 9], ["TEXT"]],
    entries.map(({ actor, at, data, message, task, type }) => [
      minute(at),
      type.replaceAll("_", " "),
      actor,
      message?.body ?? task?.title ?? (data === undefined ? null : JSON.stringify(data))
    ])
  )

/** Formats contacts with their activity, one per line. */
export const formatEnrichedContacts = ({ contacts }: EnrichedPage): string =>
  listing(
    "No contacts.",
    [["CONTACT", 30], ["NAME", 16], ["TIER", 4], ["ACTIVE", 10], ["MESSAGE"]],
    contacts.map((contact) => [
      contact.id,
      contact.name ?? addressOf(contact),
      contact.score_tier,
      day(contact.last_activity_at),
      contact.last_message
    ])
  )

/** Formats search results: contacts, and messages and private notes with the text that matches. */
export const formatSearch = ({ complete, contacts, conversations, notes, since }: SearchPage): string => {
  const found = [
    ...contacts.map(({ contact, highlights }) => ({ id: contact.id, name: contact.name, highlights })),
    ...conversations.map(({ contact_id: id, contact_name: name, highlights }) => ({ id, name, highlights })),
    ...notes.map(({ contact_id: id, contact_name: name, highlights }) => ({
      id,
      name,
      highlights: highlights.map(({ text }) => ({ field: "private note", text }))
    }))
  ]
  const blocks = found.map(({ highlights, id, name }) =>
    [`${id}  ${cell(name, 48)}`, ...highlights.map(({ field, text }) => `  ${field}: ${cell(text, 70)}`), ""].join("\n")
  )
  const limit = complete ? "" : `Older messages than ${minute(since)} were not searched. Pass --deep to search them.\n`
  return blocks.length === 0 ? `No results.\n${limit}` : `${blocks.join("\n")}${limit}`
}
