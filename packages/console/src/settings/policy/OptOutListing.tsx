import type { ConsentRecord, EnrichedContact, IdentityConsent } from "@leadloom/client"
import { Link } from "@tanstack/react-router"
import type { Connection } from "../../app/Connection.ts"
import type { RowPage } from "../../app/Rows.tsx"
import { longTime } from "../../design/Time.ts"
import { policyText } from "../../text/Policies.ts"
import { text } from "../../text/Shared.ts"
import type { Action, FormField, Listing, Values } from "../Listing.ts"
import { optionOf } from "../Values.ts"

const { optOuts: shown } = policyText

/** The contacts per page. The consent of each one is a request, because the list of contacts does not contain it. */
const contactsPerPage = 20

/** An address or number that has opted out. */
interface OptOut {
  readonly contactId: string
  readonly contactName: string
  readonly consent: IdentityConsent
  /** The newest record of the opt-out. */
  readonly record: ConsentRecord | undefined
}

const optOutsOf = async (
  { client, tenantId }: Connection,
  { id, name }: EnrichedContact,
  signal: AbortSignal
): Promise<ReadonlyArray<OptOut>> => {
  const { consents } = await client.contactConsent.get(tenantId, id, { signal })
  return consents
    .filter(({ status }) => status === "opted_out")
    .map((consent) => ({
      contactId: id,
      contactName: name ?? text.unknownContact,
      consent,
      record: consent.records.find(({ status }) => status === "opted_out")
    }))
}

const read = async (
  connection: Connection,
  cursor: string | undefined,
  signal: AbortSignal
): Promise<RowPage<OptOut>> => {
  const { client, tenantId } = connection
  const filter = { consent: "opted_out", limit: contactsPerPage, ...(cursor === undefined ? {} : { cursor }) } as const
  const { contacts, next_cursor: next } = await client.contactViews.enriched(tenantId, filter, { signal })
  const rows = await Promise.all(contacts.map((contact) => optOutsOf(connection, contact, signal)))
  return { rows: rows.flat(), next }
}

const sourceField: FormField = { name: "source", label: shown.source, options: shown.sources }

const declarationOf = ({ proof = "", source }: Values) => ({
  source: optionOf(shown.sources, source) ?? "person",
  ...(proof === "" ? {} : { proof })
})

const contactOf = ({ client, tenantId }: Connection, value: string) => {
  const identity = value.includes("@") ? { email: value } : { phone: value }
  return client.contacts.resolve(tenantId, { ...identity, create: true })
}

/** Returns whether a consent belongs to an entered value. Numbers are stored in E.164 and entered in any notation. */
const isValueOf = (consent: IdentityConsent, value: string): boolean => {
  if (consent.kind === "email") return consent.value.toLowerCase() === value
  const digits = value.replaceAll(/\D/gu, "").replace(/^0+/u, "")
  return digits !== "" && consent.value.endsWith(digits)
}

/** Records an opt-out. An unknown address becomes a contact, because an opt-out belongs to a contact. */
const record: Action = {
  label: shown.record,
  message: shown.recordNote,
  operation: "contactConsent.record",
  fields: [
    { name: "value", label: shown.value },
    sourceField,
    { name: "proof", label: shown.proof, hint: shown.proofHint, isRequired: false }
  ],
  send: async (connection, values) => {
    const { client, tenantId } = connection
    const value = (values["value"] ?? "").toLowerCase()
    const { contact } = await contactOf(connection, value)
    const { consents } = await client.contactConsent.get(tenantId, contact.id)
    const found = consents.find((each) => isValueOf(each, value))
    if (found === undefined) throw new Error(shown.notFound(value))
    await client.contactConsent.record(tenantId, contact.id, {
      identity_id: found.identity_id,
      status: "opted_out",
      ...declarationOf(values)
    })
    return null
  }
}

const lift = ({ consent, contactId }: OptOut): Action => ({
  label: shown.lift,
  message: shown.liftNote(consent.value),
  operation: "contactConsent.record",
  fields: [sourceField, { name: "proof", label: shown.proof, hint: shown.proofHint }],
  send: async ({ client, tenantId }, values) => {
    await client.contactConsent.record(tenantId, contactId, {
      identity_id: consent.identity_id,
      status: "opted_in",
      ...declarationOf(values)
    })
    return null
  }
})

/** The addresses and numbers that have opted out of messages. */
export const optOutListing: Listing<OptOut> = {
  title: shown.title,
  empty: shown.empty,
  operation: "contactViews.enriched",
  read,
  keyOf: ({ consent }) => consent.identity_id,
  nameOf: ({ consent }) => consent.value,
  columns: () => [
    { header: shown.value, cell: ({ consent }) => consent.value },
    {
      header: shown.contact,
      cell: ({ contactId, contactName }) => (
        <Link to="/contacts/$contactId" params={{ contactId }} search={{ tab: "identities" }}>
          {contactName}
        </Link>
      ),
      isDetail: true
    },
    {
      header: shown.channels,
      cell: ({ consent }) => consent.channels.map((channel) => text.channels[channel]).join(", "),
      isDetail: true
    },
    {
      header: shown.origin,
      cell: ({ record: found }) => (found === undefined ? null : shown.origins[found.source]),
      isDetail: true
    },
    {
      header: shown.since,
      cell: ({ record: found }) => (found === undefined ? null : longTime(found.at)),
      isDetail: true
    }
  ],
  general: [record],
  actions: (row) => [lift(row)]
}
