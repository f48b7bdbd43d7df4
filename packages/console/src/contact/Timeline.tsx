import type { TimelineEntry } from "@leadloom/client"
import { Link } from "@tanstack/react-router"
import { useConnection } from "../app/Connection.ts"
import { ShownRows, useRows } from "../app/Rows.tsx"
import { Empty, Section } from "../component/Page.tsx"
import { longTime } from "../design/Time.ts"
import { contactText } from "../text/Contact.ts"
import { leadStateName, tierName } from "../text/Names.ts"
import { text } from "../text/Shared.ts"
import blocks from "../design/Blocks.module.css"
import styles from "./Contact.module.css"
import { timelineOptions } from "./ContactData.ts"

/** The details of an entry that a person can read without a lookup. */
const shownDetails = ["from", "to", "tier", "state", "previous_state", "stage", "reason", "value"] as const

/** Returns the name of a tier or of a state of a lead. Other values are texts of people. */
const wordOf = (value: string): string | null => leadStateName(tierName(value))

const detailOf = ({ data, message, note, task }: TimelineEntry): string => {
  if (message !== undefined) return message.body
  if (note !== undefined) return note.body
  if (task !== undefined) return task.title
  return shownDetails
    .flatMap((name) => {
      const value = data?.[name]
      const shown = typeof value === "string" ? wordOf(value) : value
      return typeof shown === "string" || typeof shown === "number" ? [`${name.replaceAll("_", " ")}: ${shown}`] : []
    })
    .join(", ")
}

const Entry = ({ entry }: { readonly entry: TimelineEntry }) => (
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
    <p className={blocks.body}>{detailOf(entry)}</p>
  </li>
)

/** Everything that happened with a contact, newest first. */
export const Timeline = ({ contactId }: { readonly contactId: string }) => {
  const list = useRows(timelineOptions(useConnection(), contactId))
  return (
    <Section title={contactText.timeline.title}>
      <ShownRows list={list} empty={<Empty>{contactText.timeline.none}</Empty>}>
        {(entries) => (
          <ol className={blocks.list}>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
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
