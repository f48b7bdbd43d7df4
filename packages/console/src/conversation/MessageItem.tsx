import type { Attachment, Message } from "@leadloom/client"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useUserNames } from "../app/Users.ts"
import { conversationText } from "../text/Conversation.ts"
import { text } from "../text/Shared.ts"
import { bytesText } from "../design/Bytes.ts"
import { longTime } from "../design/Time.ts"
import { Delivery } from "./Delivery.tsx"
import { MailBody } from "./MailBody.tsx"
import styles from "./MessageItem.module.css"
import { Recording } from "./Recording.tsx"
import { type OtherThreads, ThreadReason } from "./ThreadReason.tsx"
import { useIsNamed } from "./NamedEntry.ts"

const Attachments = ({ files }: { readonly files: ReadonlyArray<Attachment> }) => (
  <ul className={styles.attachments} aria-label={conversationText.attachments}>
    {files.map(({ download_url: url, filename, index, size: bytes }) => {
      const name = `${filename ?? `#${index + 1}`} (${bytesText(bytes)})`
      return (
        <li key={index}>
          {url === null ? (
            `${name}, ${conversationText.unavailable}`
          ) : (
            <a href={url} download={filename ?? ""}>
              {name}
            </a>
          )}
        </li>
      )
    })}
  </ul>
)

const PlainBody = ({ body, quoted }: { readonly body: string; readonly quoted: string | null }) => (
  <>
    <p className={styles.body}>{body}</p>
    {quoted === null ? null : (
      <details className={styles.quoted}>
        <summary>{conversationText.quoted}</summary>
        <p className={styles.body}>{quoted}</p>
      </details>
    )}
  </>
)

/** Returns the name of the author: of the contact, of the user, or what wrote the message. */
const useAuthor = ({ actor, user_id: userId }: Message, contactName: string | null): string => {
  const users = useUserNames()
  const name = actor === "contact" ? contactName : userId === null ? null : (users.get(userId) ?? null)
  return name ?? text.actors[actor]
}

interface MessageItemProps {
  readonly contactId: string
  readonly contactName: string | null
  readonly message: Message
  readonly threads: OtherThreads
}

/** One message: its author, its text or its mail, and its files. */
export const MessageItem = ({ contactId, contactName, message, threads }: MessageItemProps) => {
  const { attachments = [], body, html_body, quoted_text, subject } = message
  const isNamed = useIsNamed(message.id)
  const [html, quoted] = [html_body ?? null, quoted_text ?? null]
  // A mail with quoted text shows the new text only, so that a long thread stays short.
  const [isFormatted, setFormatted] = useState(html !== null && quoted === null)
  return (
    <li id={message.id} className={styles[message.actor]} aria-current={isNamed ? "true" : undefined}>
      <div className={styles.head}>
        <strong>{useAuthor(message, contactName)}</strong>
        <span>{text.channels[message.channel]}</span>
        <time dateTime={message.timestamp}>{longTime(message.timestamp)}</time>
        {message.actor === "contact" ? (
          <Link to="/decisions/$runId" params={{ runId: message.id }}>
            {conversationText.why}
          </Link>
        ) : null}
        <Delivery message={message} />
        {html === null ? null : (
          <button type="button" className={styles.toggle} onClick={() => setFormatted(!isFormatted)}>
            {isFormatted ? conversationText.plain : conversationText.html}
          </button>
        )}
      </div>
      {subject ? <h2 className={styles.subject}>{subject}</h2> : null}
      {isFormatted && html !== null ? (
        <MailBody html={html} message={message} contactId={contactId} />
      ) : (
        <PlainBody body={body} quoted={quoted} />
      )}
      {attachments.length === 0 ? null : <Attachments files={attachments} />}
      {message.channel === "voice" ? (
        <Recording contactId={contactId} messageId={message.message_id ?? message.id} transcript={body} />
      ) : null}
      <ThreadReason contactId={contactId} message={message} others={threads} />
    </li>
  )
}
