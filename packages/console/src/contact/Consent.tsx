import type { ConsentRecord, IdentityConsent, RecordConsent } from "@leadloom/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { Loaded } from "../app/Loaded.tsx"
import { Row, Section } from "../component/Page.tsx"
import { longTime } from "../design/Time.ts"
import { FormDialog, NamedField } from "../form/FormDialog.tsx"
import { textIn } from "../form/FormValues.ts"
import { contactText } from "../text/Contact.ts"
import { text } from "../text/Shared.ts"
import blocks from "../design/Blocks.module.css"
import styles from "./Contact.module.css"
import { consentOptions, refreshContact } from "./ContactData.ts"

const texts = contactText.consentPart
const maxProofLength = 2_000

type Declaration = Required<Pick<RecordConsent, "purpose" | "status">>
type Source = keyof typeof texts.sources

const titleOf = ({ status, value }: IdentityConsent, next: Declaration): string => {
  if (next.purpose === "tracking") return texts.tracking[next.status](value)
  if (next.status === "opted_out") return texts.optOut(value)
  return status === "opted_out" ? texts.lift(value) : texts.record(value)
}

const isSource = (value: unknown): value is Source => typeof value === "string" && value in texts.sources

interface ConsentDialogProps {
  readonly contactId: string
  readonly consent: IdentityConsent
  readonly declaration: Declaration
  readonly onClose: () => void
}

/** Asks how the contact declared it. A consent needs a proof. */
const ConsentDialog = ({ consent, contactId, declaration, onClose }: ConsentDialogProps) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const { client, tenantId } = connection
  const recordIn = (data: FormData): RecordConsent => {
    const [source, proof] = [data.get("source"), textIn(data, "proof")]
    return {
      identity_id: consent.identity_id,
      ...declaration,
      ...(isSource(source) ? { source } : {}),
      ...(proof === null ? {} : { proof })
    }
  }
  return (
    <FormDialog
      title={titleOf(consent, declaration)}
      action={text.save}
      send={(data) => client.contactConsent.record(tenantId, contactId, recordIn(data))}
      onDone={() => refreshContact(queries, connection, contactId)}
      onClose={onClose}
    >
      <NamedField name="source" label={texts.source}>
        {(control) => (
          <select {...control}>
            {Object.entries(texts.sources).map(([name, shown]) => (
              <option key={name} value={name}>
                {shown}
              </option>
            ))}
          </select>
        )}
      </NamedField>
      <NamedField name="proof" label={texts.proof} hint={texts.proofHint}>
        {(control) => (
          <textarea {...control} required={declaration.status === "opted_in"} maxLength={maxProofLength} rows={3} />
        )}
      </NamedField>
    </FormDialog>
  )
}

interface RecordProps {
  readonly name: string
  readonly record: Pick<ConsentRecord, "at" | "proof" | "source">
}

const RecordLine = ({ name, record: { at, proof, source } }: RecordProps) => (
  <li>
    {name}, {source}, <time dateTime={at}>{longTime(at)}</time>
    {proof === null ? "" : `: “${proof}”`}
  </li>
)

/** Records the next declaration about messages and, for an email address, about tracked links. */
const Declarations = ({
  consent,
  onAsk
}: {
  readonly consent: IdentityConsent
  readonly onAsk: (next: Declaration) => void
}) => {
  const { kind, status, tracking } = consent
  const ofMessages = (["opted_in", "opted_out"] as const).filter((next) => next !== status)
  const declarations: ReadonlyArray<Declaration> = [
    ...ofMessages.map((next) => ({ purpose: "messages" as const, status: next })),
    ...(kind === "email"
      ? [
          {
            purpose: "tracking" as const,
            status: tracking?.status === "opted_out" ? ("opted_in" as const) : ("opted_out" as const)
          }
        ]
      : [])
  ]
  return (
    <Row>
      {declarations.map((next) => (
        <button key={titleOf(consent, next)} type="button" onClick={() => onAsk(next)}>
          {titleOf(consent, next)}
        </button>
      ))}
    </Row>
  )
}

const ConsentCard = ({ consent, contactId }: { readonly contactId: string; readonly consent: IdentityConsent }) => {
  const [asked, setAsked] = useState<Declaration | null>(null)
  return (
    <li className={blocks.card}>
      <div className={styles.head}>
        <strong>{consent.value}</strong>
        <span>{contactText.consents[consent.status]}</span>
        <span className={blocks.muted}>{consent.channels.map((channel) => text.channels[channel]).join(", ")}</span>
      </div>
      {consent.needs_manager ? <p className={styles.warning}>{texts.needsManager}</p> : null}
      {consent.records.length === 0 && consent.tracking === null ? null : (
        <ul>
          {consent.records.map((one) => (
            <RecordLine
              key={`${one.own_number ?? ""} ${one.at}`}
              name={contactText.consents[one.status]}
              record={one}
            />
          ))}
          {consent.tracking === null ? null : (
            <RecordLine name={texts.tracking.states[consent.tracking.status]} record={consent.tracking} />
          )}
        </ul>
      )}
      <Declarations consent={consent} onAsk={setAsked} />
      {asked === null ? null : (
        <ConsentDialog contactId={contactId} consent={consent} declaration={asked} onClose={() => setAsked(null)} />
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
