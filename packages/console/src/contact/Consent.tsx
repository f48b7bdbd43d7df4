import type { ConsentRecord, IdentityConsent, RecordConsent } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { Loaded } from "../app/Loaded.tsx"
import { Dialog, DialogActions } from "../dialog/Dialog.tsx"
import { Field } from "../component/Field.tsx"
import { Row, Section } from "../component/Page.tsx"
import { longTime } from "../design/Time.ts"
import { contactText } from "../text/Contact.ts"
import { text } from "../text/Shared.ts"
import blocks from "../design/Blocks.module.css"
import styles from "./Contact.module.css"
import { consentOptions, useContactAction } from "./ContactData.ts"

const texts = contactText.consentPart
const maxProofLength = 2_000

type Status = RecordConsent["status"]
type Source = keyof typeof texts.sources

const titleOf = ({ status, value }: IdentityConsent, next: Status): string => {
  if (next === "opted_out") return texts.optOut(value)
  return status === "opted_out" ? texts.lift(value) : texts.record(value)
}

const isSource = (value: unknown): value is Source => typeof value === "string" && value in texts.sources

interface ConsentDialogProps {
  readonly consent: IdentityConsent
  readonly status: Status
  readonly onRecord: (record: RecordConsent) => void
  readonly onClose: () => void
}

/** Asks how the contact declared it. A consent needs a proof. */
const ConsentDialog = ({ consent, onClose, onRecord, status }: ConsentDialogProps) => {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const [source, proof] = [data.get("source"), String(data.get("proof")).trim()]
    onClose()
    onRecord({
      identity_id: consent.identity_id,
      status,
      ...(isSource(source) ? { source } : {}),
      ...(proof === "" ? {} : { proof })
    })
  }
  return (
    <Dialog title={titleOf(consent, status)} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label={texts.source}>
          {(control) => (
            <select {...control} name="source">
              {Object.entries(texts.sources).map(([name, shown]) => (
                <option key={name} value={name}>
                  {shown}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={texts.proof} hint={texts.proofHint}>
          {(control) => (
            <textarea {...control} name="proof" required={status === "opted_in"} maxLength={maxProofLength} rows={3} />
          )}
        </Field>
        <DialogActions>
          <button type="button" onClick={onClose}>
            {text.confirm.cancel}
          </button>
          <button type="submit">{text.save}</button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

const RecordLine = ({ record: { at, proof, source, status } }: { readonly record: ConsentRecord }) => (
  <li>
    {contactText.consents[status]}, {source}, <time dateTime={at}>{longTime(at)}</time>
    {proof === null ? "" : `: “${proof}”`}
  </li>
)

const ConsentCard = ({ consent, contactId }: { readonly contactId: string; readonly consent: IdentityConsent }) => {
  const [asked, setAsked] = useState<Status | null>(null)
  const [record] = useContactAction(contactId, ({ client, tenantId }, body: RecordConsent) =>
    client.contactConsent.record(tenantId, contactId, body)
  )
  return (
    <li className={blocks.card}>
      <div className={styles.head}>
        <strong>{consent.value}</strong>
        <span>{contactText.consents[consent.status]}</span>
        <span className={blocks.muted}>{consent.channels.map((channel) => text.channels[channel]).join(", ")}</span>
      </div>
      {consent.needs_manager ? <p className={styles.warning}>{texts.needsManager}</p> : null}
      {consent.records.length === 0 ? null : (
        <ul>
          {consent.records.map((one) => (
            <RecordLine key={`${one.own_number ?? ""} ${one.at}`} record={one} />
          ))}
        </ul>
      )}
      <Row>
        {consent.status === "opted_in" ? null : (
          <button type="button" onClick={() => setAsked("opted_in")}>
            {titleOf(consent, "opted_in")}
          </button>
        )}
        {consent.status === "opted_out" ? null : (
          <button type="button" onClick={() => setAsked("opted_out")}>
            {titleOf(consent, "opted_out")}
          </button>
        )}
      </Row>
      {asked === null ? null : (
        <ConsentDialog consent={consent} status={asked} onRecord={record} onClose={() => setAsked(null)} />
      )}
    </li>
  )
}

/** The consent of each address and number, and how it came about. */
export const Consent = ({ contactId }: { readonly contactId: string }) => {
  const consent = useQuery(consentOptions(useConnection(), contactId))
  return (
    <Section title={texts.title}>
      <Loaded query={consent}>
        {({ consents }) => (
          <ul className={blocks.list}>
            {consents.map((one) => (
              <ConsentCard key={one.identity_id} contactId={contactId} consent={one} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}
