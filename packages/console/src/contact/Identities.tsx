import type { ContactIdentity, UpdateIdentity } from "@leadloom/client"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { Confirm } from "../dialog/Confirm.tsx"
import { Fields } from "../component/Field.tsx"
import { Row, Section } from "../component/Page.tsx"
import { textIn } from "../form/FormValues.ts"
import { NamedField, SentForm } from "../form/FormDialog.tsx"
import { contactText } from "../text/Contact.ts"
import { text } from "../text/Shared.ts"
import blocks from "../design/Blocks.module.css"
import styles from "./Contact.module.css"
import { refreshContact, useContactAction } from "./ContactData.ts"

const texts = contactText.identities

interface IdentityProps {
  readonly contactId: string
  readonly identity: ContactIdentity
}

const IdentityActions = ({ contactId, identity }: IdentityProps) => {
  const [isRemoving, setRemoving] = useState(false)
  const [change] = useContactAction(contactId, ({ client, tenantId }, body: UpdateIdentity) =>
    client.contactIdentities.update(tenantId, contactId, identity.id, body)
  )
  const [remove] = useContactAction(contactId, ({ client, tenantId }, id: string) =>
    client.contactIdentities.remove(tenantId, contactId, id)
  )
  const { kind, primary, undeliverable, value, verified } = identity
  return (
    <Row>
      {primary || kind === "external" ? null : (
        <button type="button" onClick={() => change({ primary: true })}>
          {texts.makePrimary(value)}
        </button>
      )}
      {kind === "external" ? null : (
        <button type="button" onClick={() => change({ verified: !verified })}>
          {verified ? texts.unverify(value) : texts.verify(value)}
        </button>
      )}
      {undeliverable === null ? null : (
        <button type="button" onClick={() => change({ undeliverable: null })}>
          {texts.clear(value)}
        </button>
      )}
      <button type="button" onClick={() => setRemoving(true)}>
        {texts.remove(value)}
      </button>
      {isRemoving ? (
        <Confirm
          title={texts.remove(value)}
          message={texts.removeMessage}
          action={text.remove}
          onConfirm={() => remove(identity.id)}
          onClose={() => setRemoving(false)}
        />
      ) : null}
    </Row>
  )
}

const AddIdentity = ({ contactId }: { readonly contactId: string }) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const { client, tenantId } = connection
  const identityIn = (data: FormData) =>
    ({ kind: data.get("kind") === "phone" ? "phone" : "email", value: textIn(data, "value") ?? "" }) as const
  return (
    <SentForm
      action={texts.add}
      send={(data) => client.contactIdentities.add(tenantId, contactId, identityIn(data))}
      onDone={() => refreshContact(queries, connection, contactId)}
      onSaved={(_, form) => form.reset()}
    >
      <Fields>
        <NamedField name="kind" label={texts.kind}>
          {(control) => (
            <select {...control}>
              <option value="email">{texts.kinds.email}</option>
              <option value="phone">{texts.kinds.phone}</option>
            </select>
          )}
        </NamedField>
        <NamedField name="value" label={texts.value}>
          {(control) => <input {...control} required maxLength={320} />}
        </NamedField>
      </Fields>
    </SentForm>
  )
}

interface IdentitiesProps {
  readonly contactId: string
  readonly identities: ReadonlyArray<ContactIdentity>
}

/** The addresses, numbers and external ids of a contact. */
export const Identities = ({ contactId, identities }: IdentitiesProps) => (
  <Section title={texts.title}>
    <ul className={blocks.list}>
      {identities.map((identity) => (
        <li key={identity.id} className={blocks.card}>
          <div className={styles.head}>
            <strong>{identity.value}</strong>
            <span className={blocks.muted}>
              {identity.source === null ? texts.kinds[identity.kind] : texts.idIn(identity.source)}
            </span>
            {identity.primary ? <span>{texts.primary}</span> : null}
            {identity.verified ? <span>{texts.verified}</span> : null}
            {identity.undeliverable === null ? null : (
              <span className={styles.warning}>{texts.undeliverable(identity.undeliverable)}</span>
            )}
          </div>
          <IdentityActions contactId={contactId} identity={identity} />
        </li>
      ))}
    </ul>
    <AddIdentity contactId={contactId} />
  </Section>
)
