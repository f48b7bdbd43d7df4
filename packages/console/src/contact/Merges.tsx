import type { Contact, ContactDetail, MergeSuggestion } from "@leadloom/client"
import { useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useAction } from "../app/Action.ts"
import { type Connection, useConnection } from "../app/Connection.ts"
import { nameOf } from "../app/ContactNames.ts"
import { refreshRows } from "../app/RowCache.ts"
import { rowsOptions, ShownRows, useRows } from "../app/Rows.tsx"
import { noticeSuccess } from "../component/Notices.tsx"
import { Empty, Page, Row, Section } from "../component/Page.tsx"
import { longTime } from "../design/Time.ts"
import { contactText } from "../text/Contact.ts"
import { text } from "../text/Shared.ts"
import blocks from "../design/Blocks.module.css"
import styles from "./Contact.module.css"
import { contactListsKey, refreshContact, useContactAction } from "./ContactData.ts"

const texts = contactText.merges

/** A contact page searches this many of the newest suggestions for its contact. */
const searchedSuggestions = 100

const suggestionsKey = (tenantId: string) => [tenantId, "merge-suggestions"] as const

const suggestionsOptions = ({ client, tenantId }: Connection) =>
  rowsOptions<MergeSuggestion>(suggestionsKey(tenantId), async (cursor, signal) => {
    const page = await client.contactMerges.suggestions(tenantId, { cursor, limit: searchedSuggestions, signal })
    return { rows: page.suggestions, next: page.next_cursor }
  })

/** Returns the function that reads everything again that a merge changes. */
const useRefresh = () => {
  const queries = useQueryClient()
  const connection = useConnection()
  return async (...contactIds: ReadonlyArray<string>): Promise<void> => {
    const { tenantId } = connection
    await Promise.all([
      refreshRows(queries, suggestionsKey(tenantId)),
      refreshRows(queries, contactListsKey(tenantId)),
      ...contactIds.map((contactId) => refreshContact(queries, connection, contactId))
    ])
  }
}

const Candidate = ({ contact }: { readonly contact: Contact }) => (
  <div className={styles.head}>
    <Link to="/contacts/$contactId" params={{ contactId: contact.id }}>
      {nameOf(contact)}
    </Link>
    <span className={blocks.muted}>{[contact.email, contact.phone].filter((one) => one !== null).join(", ")}</span>
  </div>
)

const Suggestion = ({ suggestion }: { readonly suggestion: MergeSuggestion }) => {
  const { client, tenantId } = useConnection()
  const refresh = useRefresh()
  const { duplicate, duplicate_contact_id, primary, primary_contact_id, reason } = suggestion
  const pair = { primary_contact_id, duplicate_contact_id }
  const onSuccess = () => refresh(primary_contact_id, duplicate_contact_id)
  const [merge, isMerging] = useAction(() => client.contactMerges.merge(tenantId, pair), {
    onSuccess: () => {
      noticeSuccess(texts.merged)
      return onSuccess()
    }
  })
  const [dismiss] = useAction(() => client.contactMerges.dismiss(tenantId, pair), { onSuccess })
  const names = [nameOf(primary), nameOf(duplicate)] as const
  return (
    <li className={blocks.card}>
      <Candidate contact={primary} />
      <Candidate contact={duplicate} />
      <p className={blocks.muted}>{reason}</p>
      <Row>
        <button type="button" disabled={isMerging} onClick={() => merge(undefined)}>
          {texts.merge(...names)}
        </button>
        <button type="button" onClick={() => dismiss(undefined)}>
          {texts.dismiss(...names)}
        </button>
      </Row>
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

const DoneMerge = ({ contactId, merge }: { readonly contactId: string; readonly merge: Merge }) => {
  const refresh = useRefresh()
  const [undo, isUndoing] = useContactAction(contactId, async ({ client, tenantId }, mergeId: string) => {
    await client.contactMerges.undo(tenantId, mergeId)
    await refresh(merge.duplicate_contact_id)
  })
  return (
    <li>
      <button type="button" disabled={isUndoing} onClick={() => undo(merge.merge_id)}>
        {texts.undo(longTime(merge.merged_at))}
      </button>
    </li>
  )
}

/** The probable duplicates of a contact, and its merges, which can be undone. */
export const ContactMerges = ({ detail: { contact, merges } }: { readonly detail: ContactDetail }) => (
  <>
    <Section title={texts.title}>
      <Suggestions contactId={contact.id} />
    </Section>
    {merges.length === 0 ? null : (
      <Section title={texts.done}>
        <ul className={blocks.list}>
          {merges.map((merge) => (
            <DoneMerge key={merge.merge_id} contactId={contact.id} merge={merge} />
          ))}
        </ul>
      </Section>
    )}
  </>
)

/** The probable duplicates among all contacts. */
export const DuplicatesPage = () => (
  <Page title={texts.title}>
    <Section title={texts.all}>
      <Suggestions contactId={null} />
    </Section>
  </Page>
)
