import type { CustomFieldList, TimelineEntry } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useConnection } from "../app/Connection.ts"
import { ShownRows, useRows } from "../app/Rows.tsx"
import { Empty, Section } from "../component/Page.tsx"
import { longTime } from "../design/Time.ts"
import { customFieldsOptions } from "../form/CustomFields.ts"
import { contactText } from "../text/Contact.ts"
import { text } from "../text/Shared.ts"
import blocks from "../design/Blocks.module.css"
import styles from "./Contact.module.css"
import { timelineOptions } from "./ContactData.ts"
import { detailOf } from "./EntryDetail.ts"

interface EntryProps {
  readonly entry: TimelineEntry
  readonly fields: CustomFieldList | undefined
}

const Entry = ({ entry, fields }: EntryProps) => (
  <li className={blocks.card}>
    <div className={styles.head}>
      <strong>{contactText.timeline.entry[entry.type]}</strong>
      {entry.message === undefined ? null : <span>{text.channels[entry.message.channel]}</span>}
      <span className={blocks.muted}>{text.actors[entry.actor]}</span>
      <time className={blocks.muted} dateTime={entry.at}>
        {longTime(entry.at)}
      </time>
      {entry.lead_id === null ? null : (
        <Link to="/leads/$leadId" params={{ leadId: entry.lead_id }}>
          {contactText.lead}
        </Link>
      )}
    </div>
    <p className={blocks.body}>{detailOf(entry, fields)}</p>
  </li>
)

/** Everything that happened with a contact, newest first. */
export const Timeline = ({ contactId }: { readonly contactId: string }) => {
  const connection = useConnection()
  const list = useRows(timelineOptions(connection, contactId))
  const { data: fields } = useQuery(customFieldsOptions(connection))
  return (
    <Section title={contactText.timeline.title}>
      <ShownRows list={list} empty={<Empty>{contactText.timeline.none}</Empty>}>
        {(entries) => (
          <ol className={blocks.list}>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} fields={fields} />
            ))}
          </ol>
        )}
      </ShownRows>
      {list.hasMore ? (
        <button type="button" onClick={() => void list.onMore()}>
          {text.more}
        </button>
      ) : null}
    </Section>
  )
}
