import type { Contact } from "@leadloom/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useMemo } from "react"
import { text } from "../text/Shared.ts"
import { useConnection } from "./Connection.ts"

/** The contacts that one request may name, as in the API. */
const maxNamedContacts = 100

/** Returns the name of a contact, or what else identifies it. */
export const nameOf = ({ email, name, phone }: Pick<Contact, "name" | "email" | "phone">): string =>
  name ?? email ?? phone ?? text.unknownContact

type Names = ReadonlyMap<string, string>

const noNames: Names = new Map()

/**
 * Returns the names of contacts by id. Rows of leads, tasks and calls contain only ids, so the names of all rows are read
 * together. Names that are already known are not read again.
 */
export const useContactNames = (contactIds: ReadonlyArray<string | null>): Names => {
  const { client, tenantId } = useConnection()
  const queries = useQueryClient()
  const ids = useMemo(() => [...new Set(contactIds.filter((id) => id !== null))].toSorted(), [contactIds])
  const names = useQuery({
    queryKey: [tenantId, "contact-names", ids] as const,
    queryFn: async ({ signal }): Promise<Names> => {
      const known = new Map(
        queries.getQueriesData<Names>({ queryKey: [tenantId, "contact-names"] }).flatMap(([, map]) => [...(map ?? [])])
      )
      const missing = ids.filter((id) => !known.has(id))
      for (let at = 0; at < missing.length; at += maxNamedContacts) {
        const named = missing.slice(at, at + maxNamedContacts).join(",")
        const { contacts } = await client.contacts.list(tenantId, { ids: named, signal })
        for (const contact of contacts) known.set(contact.id, nameOf(contact))
      }
      return known
    },
    enabled: ids.length > 0,
    placeholderData: (former) => former
  })
  return names.data ?? noNames
}
