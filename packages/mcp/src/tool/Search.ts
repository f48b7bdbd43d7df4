import type { Contact, SearchHighlight } from "@leadloom/client"
import { Schema } from "effect"
import { page } from "../Input.ts"
import { defineTool, readOnly } from "../Tool.ts"

const query = Schema.String.check(Schema.isMinLength(1)).annotate({
  description: "Words, or parts of a phone number or an email address. There is no query syntax"
})

const about = ({ company, email, id, name, phone, tags, archived }: Contact) => ({
  contact_id: id,
  name,
  email,
  phone,
  company,
  tags,
  archived
})

const excerpts = (highlights: ReadonlyArray<SearchHighlight>) => highlights.slice(0, 3).map(({ text }) => text)

export const searchContacts = defineTool({
  name: "search_contacts",
  title: "Search contacts",
  description:
    "Find contacts by name, email address, phone number, company, notes or tags, best match first. Use the contact_id with get_conversation.",
  rights: ["read"],
  hints: readOnly,
  output: { untrusted: true, maxText: 300 },
  input: Schema.Struct({ query, ...page(25, 10) }),
  run: async ({ limit = 10, ...rest }, { client, tenantId }) => {
    const found = await client.search.search(tenantId, { ...rest, limit, types: ["contacts"] })
    return {
      contacts: found.contacts.map(({ contact, highlights }) => ({
        ...about(contact),
        excerpts: excerpts(highlights)
      })),
      next_cursor: found.next_cursor
    }
  }
})

export const searchConversations = defineTool({
  name: "search_conversations",
  title: "Search messages",
  description:
    "Find messages of all conversations by their text, subject or addresses, best match first. Searches the last six months unless `deep` is true. Use the contact_id with get_conversation to read the conversation.",
  rights: ["read"],
  hints: readOnly,
  output: { untrusted: true, maxText: 300 },
  input: Schema.Struct({
    query,
    deep: Schema.optionalKey(Schema.Boolean.annotate({ description: "true: search all messages; default: false" })),
    ...page(25, 10)
  }),
  run: async ({ limit = 10, ...rest }, { client, tenantId }) => {
    const found = await client.search.search(tenantId, { ...rest, limit, types: ["conversations"] })
    return {
      messages: found.conversations.map(({ highlights, score: _, thread_id: __, ...hit }) => ({
        ...hit,
        excerpts: excerpts(highlights)
      })),
      since: found.since,
      next_cursor: found.next_cursor
    }
  }
})
