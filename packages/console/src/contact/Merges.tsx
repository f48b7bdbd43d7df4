import type { Contact, ContactDetail, MergeSuggestion } from "@leadloom/client"
import { useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { useAction } from "../app/Action.ts"
import { useConnection } from "../app/Connection.ts"
import { nameOf, useContactNames } from "../app/ContactNames.ts"
import { ShownRows, useRows } from "../app/Rows.tsx"
import { Empty, Page, Row, Section } from "../component/Page.tsx"
import { longTime } from "../design/Time.ts"
import { ContactChoice } from "../form/ContactChoice.tsx"
import { contactText } from "../text/Contact.ts"
import { text } from "../text/Shared.ts"
import blocks from "../design/Blocks.module.css"
import styles from "./Contact.module.css"
import { refreshMerged, suggestionsOptions, useUndoMerge } from "./MergeData.tsx"
import { MergeDialog } from "./MergeDialog.tsx"

const texts = contactText.merges

const Candidate = ({ contact }: { readonly contact: Contact }) => (
  <div className={styles.head}>
    <Link to="/contacts/$contactId" params={{ contactId: contact.id }}>
      {nameOf(contact)}
    </Link>
    <span className={blocks.muted}>{[contact.email, contact.phone].filter((one) => one !== null).join(", ")}</span>
  </div>
)

const Suggestion = ({ suggestion }: { readonly suggestion: MergeSuggestion }) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const { client, tenantId } = connection
  const [isMerging, setMerging] = useState(false)
  const { duplicate, duplicate_contact_id, primary, primary_contact_id, reason } = suggestion
  const pair = { primary_contact_id, duplicate_contact_id }
  const [dismiss] = useAction(() => client.contactMerges.dismiss(tenantId, pair), {
    onSuccess: () => refreshMerged(queries, connection, [])
  })
  const names = [nameOf(primary), nameOf(duplicate)] as const
  return (
    <li className={blocks.card}>
      <Candidate contact={primary} />
      <Candidate contact={duplicate} />
      <p className={blocks.muted}>{reason}</p>
      <Row>
        <button type="button" onClick={() => setMerging(true)}>
          {texts.merge(...names)}
        </button>
        <button type="button" onClick={() => dismiss(undefined)}>
          {texts.dismiss(...names)}
        </button>
      </Row>
      {isMerging ? (
        <MergeDialog primaryId={primary.id} duplicateId={duplicate.id} onClose={() => setMerging(false)} />
      ) : null}
    </li>
  )
}

/** The suggestions that name the contact, or all of them. */
const Suggestions = ({ contactId }: { readonly contactId: string | null }) => {
  const list = useRows(suggestionsOptions(useConnection()))
  const none = <Empty>{texts.none}</Empty>
  return (
    <ShownRows list={list} empty={none}>
      {(rows) => {
        const shown = rows.filter(
          (row) => contactId === null || row.primary_contact_id === contactId || row.duplicate_contact_id === contactId
        )
        if (shown.length === 0) return none
        return (
          <>
            <ul className={blocks.list}>
              {shown.map((one) => (
                <Suggestion key={`${one.primary_contact_id} ${one.duplicate_contact_id}`} suggestion={one} />
              ))}
            </ul>
            {contactId === null && list.hasMore ? (
              <button type="button" onClick={() => void list.onMore()}>
                {text.more}
              </button>
            ) : null}
          </>
        )
      }}
    </ShownRows>
  )
}

type Merge = ContactDetail["merges"][number]

/** The merges into a contact. Only the latest one can be undone, because the others are below it. */
const DoneMerges = ({ contactId, merges }: { readonly contactId: string; readonly merges: ReadonlyArray<Merge> }) => {
  const names = useContactNames(useMemo(() => merges.map((merge) => merge.duplicate_contact_id), [merges]))
  const [undo, isUndoing] = useUndoMerge()
  return (
    <ul className={blocks.list}>
      {merges.map(({ duplicate_contact_id: mergedId, merge_id: mergeId, merged_at: mergedAt }, position) => {
        const name = names.get(mergedId) ?? text.unknownContact
        return (
          <li key={mergeId} className={blocks.line}>
            <span>{texts.mergedAt(name, longTime(mergedAt))}</span>
            {position > 0 ? null : (
              <button
                type="button"
                disabled={isUndoing}
                aria-label={texts.undo(name)}
                onClick={() => undo({ mergeId, contactIds: [contactId, mergedId] })}
              >
                {text.shell.undo}
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Merges the contact with another one that the person finds. */
const MergeWith = ({ contactId }: { readonly contactId: string }) => {
  const [step, setStep] = useState<"closed" | "choosing" | Contact>("closed")
  return (
    <p>
      <button type="button" onClick={() => setStep("choosing")}>
        {texts.mergeWith}
      </button>
      {step === "choosing" ? (
        <ContactChoice
          onChoose={(chosen) => setStep(chosen.id === contactId ? "closed" : chosen)}
          onClose={() => setStep("closed")}
        />
      ) : null}
      {typeof step === "string" ? null : (
        <MergeDialog primaryId={contactId} duplicateId={step.id} onClose={() => setStep("closed")} />
      )}
    </p>
  )
}

/** The probable duplicates of a contact, and its merges, which can be undone. */
export const ContactMerges = ({ detail: { contact, merges } }: { readonly detail: ContactDetail }) => (
  <>
    <Section title={texts.title}>
      <Suggestions contactId={contact.id} />
      <MergeWith contactId={contact.id} />
    </Section>
    {merges.length === 0 ? null : (
      <Section title={texts.done}>
        <DoneMerges contactId={contact.id} merges={merges} />
      </Section>
    )}
  </>
)

/** The probable duplicates among all contacts. */
export const DuplicatesPage = () => (
  <Page title={texts.title}>
    <div className={styles.suggestions}>
      <Suggestions contactId={null} />
    </div>
  </Page>
)
