import type { Contact, ContactDetail } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useConnection } from "../app/Connection.ts"
import { nameOf } from "../app/ContactNames.ts"
import { handleEvents } from "../app/Live.ts"
import { Loaded } from "../app/Loaded.tsx"
import { Page } from "../component/Page.tsx"
import { Tabs } from "../component/Tabs.tsx"
import { ContactEnrolments } from "../sequence/ContactEnrolments.tsx"
import { EnrolButton } from "../sequence/EnrolButton.tsx"
import { contactText } from "../text/Contact.ts"
import { CallButton } from "./call/CallButton.tsx"
import { Consent } from "./Consent.tsx"
import { applyContactEvent, contactOptions, useContactAction } from "./ContactData.ts"
import { ContactLeads } from "./ContactLeads.tsx"
import { DataActions } from "./DataActions.tsx"
import { Identities } from "./Identities.tsx"
import { ContactMerges } from "./Merges.tsx"
import { Profile } from "./Profile.tsx"
import { type Tab, tabs } from "./ContactTabs.ts"
import { Timeline } from "./Timeline.tsx"

handleEvents(applyContactEvent)

const parts: Readonly<Record<Tab, (detail: ContactDetail) => ReactNode>> = {
  profile: ({ contact }) => <Profile contact={contact} />,
  timeline: ({ contact }) => <Timeline contactId={contact.id} />,
  identities: ({ contact, identities }) => (
    <>
      <Identities contactId={contact.id} identities={identities} />
      <Consent contactId={contact.id} />
    </>
  ),
  leads: (detail) => <ContactLeads detail={detail} />,
  sequences: ({ contact }) => <ContactEnrolments contactId={contact.id} />,
  merges: (detail) => <ContactMerges detail={detail} />
}

const Archive = ({ contact }: { readonly contact: Contact }) => {
  const [change] = useContactAction(contact.id, ({ client, tenantId }, archived: boolean) =>
    archived ? client.contacts.archive(tenantId, contact.id) : client.contacts.restore(tenantId, contact.id)
  )
  return (
    <button type="button" onClick={() => change(!contact.archived)}>
      {contact.archived ? contactText.restore : contactText.archive}
    </button>
  )
}

const Detail = ({ detail }: { readonly detail: ContactDetail }) => {
  const { contact } = detail
  const { tab = "profile" } = useSearch({ from: "/signed-in/contacts/$contactId" })
  const navigate = useNavigate()
  return (
    <Page
      title={nameOf(contact) + (contact.archived ? ` (${contactText.archived})` : "")}
      actions={
        <>
          <Link to="/inbox/$contactId" params={{ contactId: contact.id }}>
            {contactText.conversation}
          </Link>
          <CallButton contactId={contact.id} name={nameOf(contact)} />
          <EnrolButton contact={{ contactId: contact.id, name: nameOf(contact) }} />
          <Archive contact={contact} />
          <DataActions contactId={contact.id} name={nameOf(contact)} />
        </>
      }
    >
      <Tabs
        label={contactText.tabs.label}
        tabs={tabs}
        selected={tab}
        onSelect={(next) =>
          void navigate({
            to: "/contacts/$contactId",
            params: { contactId: contact.id },
            search: { tab: next },
            replace: true
          })
        }
      >
        {parts[tab](detail)}
      </Tabs>
    </Page>
  )
}

/** The page of one contact. */
export const ContactPage = () => {
  const { contactId } = useParams({ from: "/signed-in/contacts/$contactId" })
  const detail = useQuery(contactOptions(useConnection(), contactId))
  return <Loaded query={detail}>{(data) => <Detail key={contactId} detail={data} />}</Loaded>
}
