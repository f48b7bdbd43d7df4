import { Effect } from "effect"
import { recordAuditChange } from "../access/Audited.ts"
import { type Message, type ParsedContent, preview } from "../../domain/conversation/Message.ts"
import { isId } from "../../domain/Id.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { MailParser } from "../../port/provider/MailParser.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { RawNotFound } from "../../domain/email/MailSource.ts"
import type { ReadMail } from "../../domain/email/ReadMail.ts"
import { readSource } from "./Sources.ts"
import { unparsedFlag, unparsedReasonOf, withoutUnparsed } from "../../domain/conversation/UnparsedMail.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Returns the new content of a message from its parsed source. Attachments that are stored separately stay marked as
 * stored.
 */
const contentOf = (message: Message, mail: ReadMail): ParsedContent => ({
  body: mail.body,
  htmlBody: mail.html,
  quotedText: mail.quotedText,
  attachments: mail.attachments.map((attachment, index) =>
    message.attachments[index]?.stored === true ? { ...attachment, stored: true as const } : attachment
  ),
  flags: [...withoutUnparsed(message.flags), ...(mail.unparsed === undefined ? [] : [unparsedFlag(mail.unparsed)])]
})

/** Stores the content of a message, and its preview in the conversation head. Runs inside a unit of work. */
const replaceContent = Effect.fnUntraced(function* (message: Message, content: ParsedContent) {
  const { contactId, messageId, tenantId } = message
  yield* (yield* Messages).setParsed(tenantId, messageId, content)
  const conversations = yield* Conversations
  const head = yield* conversations.head(tenantId, contactId)
  if (head?.lastMessageId === messageId) {
    yield* conversations.setHead(tenantId, contactId, { ...head, lastMessage: preview(content.body) })
  }
})

/**
 * Parses the source of a message again, and replaces its body, HTML, quoted text, attachments and flags in one unit of
 * work. Thread, lead, sender and subject do not change. The pipeline does not run, because the person who requested
 * this reads the message. If a message was parsed before and its source cannot be parsed any more, the message does not
 * change. Idempotent.
 *
 * Fails with `RawNotFound` for an unknown message, and for a message without a stored source.
 */
export const parseMessage = Effect.fnUntraced(function* (tenantId: string, messageId: string) {
  const { bytes, mediaType } = yield* readSource(tenantId, messageId)
  const mail = yield* (yield* MailParser).parse(bytes, { flow: tenantId, mediaType })
  const unit = Effect.gen(function* () {
    const message = isId("msg", messageId) ? yield* (yield* Messages).find(tenantId, messageId) : null
    if (message === null) return yield* new RawNotFound({ messageId })
    const before = unparsedReasonOf(message)
    if (before === null && mail.unparsed !== undefined) return message
    const content = contentOf(message, mail)
    yield* replaceContent(message, content)
    yield* recordAuditChange({ before: { unparsed: before }, after: { unparsed: mail.unparsed ?? null } })
    return { ...message, ...content } satisfies Message
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("parseMessage"))
