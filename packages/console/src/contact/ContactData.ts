/**
 * Contacts: the list, the page of one contact, and the requests that other pages share. Conversations and leads have
 * their own folders. Tests: `packages/console/test`.
 */
import type { Contact, ContactDetail, EnrichedContact, TimelineEntry } from "@leadloom/client"
import { type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query"
import { useAction } from "../app/Action.ts"
import { type Connection, useConnection } from "../app/Connection.ts"
import type { EventHandler } from "../app/Live.ts"
import { cachedRow, putRow, readAgain, refreshRows } from "../app/RowCache.ts"
import { rowsOptions } from "../app/Rows.tsx"
import { type ContactSearch, filterOf } from "./ContactFilter.ts"

const contactsPerPage = 50
const entriesPerPage = 50

/** The lists of contacts. */
export const contactListsKey = (tenantId: string) => [tenantId, "contacts"] as const

/** The request of the list of contacts, page by page. */
export const contactListOptions = ({ client, tenantId }: Connection, search: ContactSearch) =>
  rowsOptions<EnrichedContact>([...contactListsKey(tenantId), search], async (cursor, signal) => {
    const { segment, sort } = search
    const page = { cursor, sort, limit: contactsPerPage }
    const { contacts, next_cursor: next } = await (segment === undefined
      ? client.contactViews.enriched(tenantId, { ...filterOf(search), ...page }, { signal })
      : client.segments.contacts(tenantId, segment, { ...page, signal }))
    return { rows: contacts, next }
  })

/** The request of the facts about a contact. */
export const contactOptions = ({ client, tenantId }: Connection, contactId: string) =>
  queryOptions({
    queryKey: [tenantId, "contact", contactId] as const,
    queryFn: ({ signal }) => client.contactViews.detail(tenantId, contactId, { signal })
  })

/** The request of the consents and opt-outs of a contact. */
export const consentOptions = ({ client, tenantId }: Connection, contactId: string) =>
  queryOptions({
    queryKey: [tenantId, "consent", contactId] as const,
    queryFn: ({ signal }) => client.contactConsent.get(tenantId, contactId, { signal })
  })

/** The request of the timeline of a contact, newest entry first. */
export const timelineOptions = ({ client, tenantId }: Connection, contactId: string) =>
  rowsOptions<TimelineEntry>([tenantId, "timeline", contactId], async (cursor, signal) => {
    const page = await client.contactViews.timeline(tenantId, contactId, { cursor, limit: entriesPerPage, signal })
    return { rows: page.entries, next: page.next_cursor }
  })

/** Reads the parts of a contact that are shown again. The timeline starts with its newest page. */
export const refreshContact = async (queries: QueryClient, connection: Connection, contactId: string) => {
  const { tenantId } = connection
  await Promise.all([
    queries.invalidateQueries({ queryKey: contactOptions(connection, contactId).queryKey }),
    queries.invalidateQueries({ queryKey: consentOptions(connection, contactId).queryKey }),
    refreshRows(queries, [tenantId, "timeline", contactId])
  ])
}

/** A changed contact keeps its place. Whether it still matches the filters of a list only the server can decide. */
const inPlace = { belongs: () => null, compare: () => null }

/** A merged contact leaves all lists. */
const merged = { belongs: () => false, compare: () => null }

/** Applies events to the lists. The page of a contact is read again only while it is shown. */
export const applyContactEvent: EventHandler = (queries, connection, { data, event_type }) => {
  if (!("contact_id" in data) || typeof data.contact_id !== "string") return
  const contactId = data.contact_id
  if (event_type === "contact.updated") {
    const key = contactListsKey(connection.tenantId)
    const row = cachedRow<EnrichedContact>(queries, key, contactId)
    const isMerged = "merged_into" in data && typeof data.merged_into === "string"
    if (row !== undefined) {
      putRow(queries, key, { ...row, ...(data as Partial<EnrichedContact>) }, isMerged ? merged : inPlace)
    }
  }
  void readAgain(contactId, () => refreshContact(queries, connection, contactId))
}

const patchedDetail = (detail: ContactDetail, fields: Partial<Contact>): ContactDetail => ({
  ...detail,
  contact: { ...detail.contact, ...fields }
})

/** Returns the function that sends a change of a contact and then shows its current state. */
export const useContactAction = <Input, Output>(
  contactId: string,
  send: (connection: Connection, input: Input) => Promise<Output>,
  expected: (input: Input) => Partial<Contact> = () => ({})
) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const { queryKey } = contactOptions(connection, contactId)
  return useAction((input: Input) => send(connection, input), {
    expect: (input) => {
      const former = queries.getQueryData(queryKey)
      if (former !== undefined) queries.setQueryData(queryKey, patchedDetail(former, expected(input)))
      return () => queries.setQueryData(queryKey, former)
    },
    onSuccess: () => refreshContact(queries, connection, contactId)
  })
}
