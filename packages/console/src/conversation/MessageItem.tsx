import type { Attachment, Message } from "@leadloom/client"
import { Link, useLocation } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { blockedImages, MailFrame } from "../component/MailFrame.tsx"
import { conversationText } from "../text/Conversation.ts"
import { text } from "../text/Shared.ts"
import { longTime } from "../design/Time.ts"
import styles from "./MessageItem.module.css"

const size = new Intl.NumberFormat("en", { style: "unit", unit: "kilobyte", maximumFractionDigits: 0 })

const Attachments = ({ files }: { readonly files: ReadonlyArray<Attachment> }) => (
  <ul className={styles.attachments} aria-label={conversationText.attachments}>
    {files.map(({ download_url: url, filename, index, size: bytes }) => {
      const name = `${filename ?? `#${index + 1}`} (${size.format(Math.ceil(bytes / 1_000))})`
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

const HtmlBody = ({ html, title }: { readonly html: string; readonly title: string }) => {
  const blocked = blockedImages(html)
  return (
    <>
      {blocked === 0 ? null : <p className={styles.notice}>{conversationText.images(blocked)}</p>}
      <MailFrame html={html} title={title} />
    </>
  )
}

/** Returns whether the address names the message, as a link of the search does. Scrolls to the message once. */
const useIsNamed = (messageId: string): boolean => {
  const isNamed = useLocation({ select: ({ hash }) => hash === messageId })
  useEffect(() => {
    if (isNamed) document.getElementById(messageId)?.scrollIntoView()
  }, [isNamed, messageId])
  return isNamed
}

/** One message: its author, its text or its mail, and its files. */
export const MessageItem = ({ message }: { readonly message: Message }) => {
  const { attachments = [], body, delivery, html_body, quoted_text, subject } = message
  const isNamed = useIsNamed(message.id)
  const [html, quoted] = [html_body ?? null, quoted_text ?? null]
  // A mail with quoted text shows the new text only, so that a long thread stays short.
  const [isFormatted, setFormatted] = useState(html !== null && quoted === null)
  return (
    <li id={message.id} className={styles[message.actor]} aria-current={isNamed ? "true" : undefined}>
      <div className={styles.head}>
        <strong>{text.actors[message.actor]}</strong>
        <span>{text.channels[message.channel]}</span>
        <time dateTime={message.timestamp}>{longTime(message.timestamp)}</time>
        {delivery ? <span>{delivery}</span> : null}
        {message.actor === "contact" ? (
          <Link to="/decisions/$runId" params={{ runId: message.id }}>
            {conversationText.why}
          </Link>
        ) : null}
        {html === null ? null : (
          <button type="button" className={styles.toggle} onClick={() => setFormatted(!isFormatted)}>
            {isFormatted ? conversationText.plain : conversationText.html}
          </button>
        )}
      </div>
      {subject ? <h2 className={styles.subject}>{subject}</h2> : null}
      {isFormatted && html !== null ? (
        <HtmlBody html={html} title={subject ?? text.channels.email} />
      ) : (
        <PlainBody body={body} quoted={quoted} />
      )}
      {attachments.length === 0 ? null : <Attachments files={attachments} />}
    </li>
  )
}
