import type { ContactIdentity, UpdateIdentity } from "@leadloom/client"
import { type FormEvent, useState } from "react"
import { Confirm } from "../dialog/Confirm.tsx"
import { Field, Fields } from "../component/Field.tsx"
import { Row, Section } from "../component/Page.tsx"
import { contactText } from "../text/Contact.ts"
import { text } from "../text/Shared.ts"
import blocks from "../design/Blocks.module.css"
import styles from "./Contact.module.css"
import { useContactAction } from "./ContactData.ts"

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
  const [add, isAdding] = useContactAction(
    contactId,
    ({ client, tenantId }, { kind, value }: { readonly kind: "email" | "phone"; readonly value: string }) =>
      client.contactIdentities.add(tenantId, contactId, { kind, value })
  )
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    add({ kind: data.get("kind") === "phone" ? "phone" : "email", value: String(data.get("value")).trim() })
    event.currentTarget.reset()
  }
  return (
    <form onSubmit={submit}>
      <Fields>
        <Field label={texts.kind}>
          {(control) => (
            <select {...control} name="kind">
              <option value="email">{texts.kinds.email}</option>
              <option value="phone">{texts.kinds.phone}</option>
            </select>
          )}
        </Field>
        <Field label={texts.value}>{(control) => <input {...control} name="value" required maxLength={320} />}</Field>
      </Fields>
      <button type="submit" disabled={isAdding}>
        {texts.add}
      </button>
    </form>
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
