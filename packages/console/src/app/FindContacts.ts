import type { Contact } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import type { Choice } from "../dialog/Palette.tsx"
import { useConnection } from "./Connection.ts"
import { nameOf } from "./ContactNames.ts"

/** The fewest characters for which the palette searches contacts. The server needs three digits of a number. */
const minTyped = 3
const pauseMillis = 150
const shownContacts = 8

/** Returns a text after the person has stopped typing. */
const useSettled = (typed: string): string => {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), pauseMillis)
    return () => clearTimeout(timer)
  }, [typed])
  return settled
}

/** Returns the contacts that match the typed name, address or digits of a number. */
export const useMatchingContacts = (typed: string): ReadonlyArray<Contact> => {
  const { client, tenantId } = useConnection()
  const query = useSettled(typed.trim())
  const found = useQuery({
    queryKey: [tenantId, "find-contacts", query] as const,
    queryFn: ({ signal }) =>
      client.search.search(tenantId, { query, types: ["contacts"], limit: shownContacts }, { signal }),
    enabled: query.length >= minTyped,
    gcTime: 0
  })
  return found.data?.contacts.map(({ contact }) => contact) ?? []
}

/** Returns the palette entry of a contact. */
export const contactChoice = (contact: Contact, pick: () => void): Choice => ({
  id: contact.id,
  label: nameOf(contact),
  hint: [contact.email, contact.phone].filter((one) => one !== null).join(" "),
  isFound: true,
  pick
})

/** Returns palette entries that open the contacts that match the typed text. */
export const useFoundContacts = (typed: string): ReadonlyArray<Choice> => {
  const navigate = useNavigate()
  return useMatchingContacts(typed).map((contact) =>
    contactChoice(contact, () => void navigate({ to: "/contacts/$contactId", params: { contactId: contact.id } }))
  )
}
