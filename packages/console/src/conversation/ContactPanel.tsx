import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { useConnection } from "../app/Connection.ts"
import { problemText } from "../app/Problem.ts"
import { Loading, Problem } from "../component/Problem.tsx"
import { conversationText } from "../text/Conversation.ts"
import { contactOptions } from "../inbox/Cache.ts"
import styles from "./ContactPanel.module.css"

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{children ?? conversationText.contact.none}</dd>
  </>
)

/** Returns the words of a list, or null for an empty one. */
const joined = (words: ReadonlyArray<string>): string | null => (words.length === 0 ? null : words.join(", "))

/** Facts about the contact of the open conversation. */
export const ContactPanel = ({ contactId }: { readonly contactId: string }) => {
  const detail = useQuery(contactOptions(useConnection(), contactId))
  if (detail.data === undefined) {
    const body = detail.isError ? (
      <Problem message={problemText(detail.error)} onRetry={() => void detail.refetch()} />
    ) : (
      <Loading />
    )
    return (
      <aside className={styles.panel} aria-label={conversationText.contact.title}>
        {body}
      </aside>
    )
  }
  const { contact, counts, open_leads: leads, scoring } = detail.data
  return (
    <aside className={styles.panel} aria-label={conversationText.contact.title}>
      <h2>{conversationText.contact.title}</h2>
      <dl className={styles.facts}>
        <Fact label={conversationText.contact.email}>{contact.email}</Fact>
        <Fact label={conversationText.contact.phone}>{contact.phone}</Fact>
        <Fact label={conversationText.contact.company}>{contact.company}</Fact>
        <Fact label={conversationText.contact.tags}>{joined(contact.tags)}</Fact>
        <Fact label={conversationText.contact.score}>
          {scoring === null ? null : `${scoring.score} (${scoring.tier})`}
        </Fact>
        <Fact label={conversationText.contact.leads}>{joined(leads.map((lead) => lead.state))}</Fact>
      </dl>
      <p className={styles.counts}>{conversationText.contact.counts(counts.messages)}</p>
    </aside>
  )
}
