import type { ConversationPage, LeadConversation, Message, MessagePage, PendingDraft } from "@leadloom/client"
import { cell, joined, minute, paragraph } from "./Text.ts"

const automatic = { auto_reply: "automatic reply", bounce: "bounce", list: "mailing list", own: "sent by the tenant" }

/** Returns the reasons for the state and the handling of a message. */
const reasonsOf = ({ auto, delivery, flags, receipt, unparsed_reason }: Message): string =>
  joined(
    auto === null ? null : automatic[auto],
    delivery,
    ...(flags ?? []),
    unparsed_reason === undefined ? null : `not parsed: ${unparsed_reason}`,
    receipt === undefined ? null : `sent despite ${receipt.overridden.join()} by ${receipt.by}`
  )

const formatMessage = (message: Message): string => {
  const { actor, attachments, body, channel, from, id, subject, timestamp } = message
  const reasons = reasonsOf(message)
  return [
    `${minute(timestamp)}  ${channel} from ${cell(from ?? actor, 40)}`,
    `  ${id}${reasons === "" ? "" : ` (${cell(reasons, 44)})`}`,
    ...(subject ? [`  Subject: ${cell(subject, 69)}`] : []),
    ...(attachments ?? []).map(({ content_type, filename, size }) =>
      cell(`  Attachment: ${filename ?? content_type}, ${size} bytes`)
    ),
    "",
    paragraph(body),
    ""
  ].join("\n")
}

const formatDraft = ({ channel, draft_id, text, to }: PendingDraft): string =>
  `Draft ${draft_id} by ${channel} to ${cell(to.join(", "), 30)}\n\n${paragraph(text)}\n`

/** Formats messages with their bodies. */
export const formatMessages = (messages: ReadonlyArray<Message>): string =>
  messages.length === 0 ? "No messages.\n" : messages.map(formatMessage).join("\n")

/** Formats the messages of a contact and the draft that waits for approval. */
export const formatConversation = ({ messages, pending_draft: draft }: MessagePage): string =>
  `${formatMessages(messages)}${draft === null ? "" : `\n${formatDraft(draft)}`}`

/** Formats the messages of a lead. */
export const formatLeadConversation = ({ messages }: LeadConversation): string => formatMessages(messages)

/** Formats conversations, three lines each. */
export const formatConversations = ({ conversations }: ConversationPage): string =>
  conversations.length === 0
    ? "No conversations.\n"
    : conversations
        .map((one) =>
          [
            `${one.contact_id}  ${minute(one.last_timestamp)}  ${one.last_channel}${one.unread === 0 ? "" : `, ${one.unread} unread`}`,
            `  ${cell(joined(one.contact_name, one.contact_email, one.lead_state, one.score_tier), 78)}`,
            `  ${cell(one.last_message, 78)}`,
            ""
          ].join("\n")
        )
        .join("\n")
