import type { ContactIdentity } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useConnection } from "../app/Connection.ts"
import { nameOf } from "../app/ContactNames.ts"
import { handleEvents } from "../app/Live.ts"
import { readAgain } from "../app/RowCache.ts"
import { Loaded } from "../app/Loaded.tsx"
import { Factors } from "../component/Factors.tsx"
import { Facts } from "../component/Facts.tsx"
import { consentOptions, contactOptions } from "../contact/ContactData.ts"
import { contactText } from "../text/Contact.ts"
import { leadStateName, tierName } from "../text/Names.ts"
import styles from "./ContactPanel.module.css"

// The counts of the open contact change with its messages.
handleEvents((queries, connection, { data, event_type }) => {
  if (event_type !== "conversation.updated" && event_type !== "contact.updated") return
  if (!("contact_id" in data) || typeof data.contact_id !== "string") return
  const { queryKey } = contactOptions(connection, data.contact_id)
  void readAgain(`panel ${data.contact_id}`, () => queries.invalidateQueries({ queryKey }))
})

/** Returns the words of a list, or null for an empty one. */
const joined = (words: ReadonlyArray<string>): string | null => (words.length === 0 ? null : words.join(", "))

const kinds = ["email", "phone"] as const

const valuesOf = (identities: ReadonlyArray<ContactIdentity>, kind: ContactIdentity["kind"]): string | null =>
  joined(identities.filter((identity) => identity.kind === kind).map(({ value }) => value))

/** The opt-outs of the contact; null if it has none. */
const useOptOuts = (contactId: string): string | null => {
  const consent = useQuery(consentOptions(useConnection(), contactId))
  const optedOut = consent.data?.consents.filter(({ status }) => status === "opted_out") ?? []
  return joined(optedOut.map(({ value }) => value))
}

interface PanelProps {
  readonly contactId: string
  /** Closes the panel, which covers the conversation in a narrow window. */
  readonly onClose: () => void
}

/** Facts about the contact of the open conversation. The page of the contact shows all of them. */
export const ContactPanel = ({ contactId, onClose }: PanelProps) => {
  const detail = useQuery(contactOptions(useConnection(), contactId))
  const optOuts = useOptOuts(contactId)
  return (
    <aside className={styles.panel} aria-label={contactText.panel}>
      <button type="button" className={styles.close} onClick={onClose}>
        {contactText.closePanel}
      </button>
      <Loaded query={detail}>
        {({ contact, counts, identities, open_leads: leads, scoring }) => (
          <>
            <h2>{nameOf(contact)}</h2>
            <Link to="/contacts/$contactId" params={{ contactId }}>
              {contactText.page}
            </Link>
            <Facts
              facts={[
                ...kinds.map((kind) => [contactText.identities.kinds[kind], valuesOf(identities, kind)] as const),
                [contactText.company, contact.company],
                [contactText.tags, joined(contact.tags)],
                [contactText.consents.opted_out, optOuts],
                [contactText.openLeads, joined(leads.map(({ state }) => leadStateName(state) ?? state))],
                [contactText.score, scoring === null ? null : `${scoring.score ?? ""} ${tierName(scoring.tier) ?? ""}`],
                [contactText.counts, counts.messages]
              ]}
            />
            {scoring === null ? null : <Factors label={contactText.factors} factors={scoring.factors} />}
          </>
        )}
      </Loaded>
    </aside>
  )
}
