import { Clock, Effect } from "effect"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import type { MessageId } from "../../domain/Id.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { conversationEvent } from "../../domain/conversation/ConversationEvent.ts"
import { type Message, NotInConversation } from "../../domain/conversation/Message.ts"
import { withSpan } from "../WithSpan.ts"

/** Returns a message of a contact's conversation by its id. */
export const findMessage = Effect.fnUntraced(function* (tenantId: string, contactId: string, given: string) {
  const messageId: MessageId = `msg_${given.replace(/^msg_/u, "")}`
  const message: Message | null = messageId === given ? yield* (yield* Messages).find(tenantId, messageId) : null
  if (message?.contactId !== contactId) return yield* new NotInConversation({ messageId: given })
  return message
})

/**
 * Records the contact that a message is about. This contact may differ from the author. Null deletes the record.
 * Idempotent.
 */
export const labelSubject = Effect.fnUntraced(function* (
  tenantId: string,
  contactId: string,
  messageId: string,
  subjectContactId: string | null
) {
  const contacts = yield* Contacts
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const contact = yield* requireUnmergedContact(tenantId, contactId)
      const message = yield* findMessage(tenantId, contact.contactId, messageId)
      const subject = subjectContactId === null ? null : (yield* contacts.get(tenantId, subjectContactId)).contactId
      const labelled: Message = { ...message, subjectContactId: subject }
      if (message.subjectContactId === subject) return labelled
      yield* (yield* Messages).setSubject(tenantId, message.messageId, subject)
      const conversation = yield* (yield* Conversations)
        .get(tenantId, contact.contactId)
        .pipe(Effect.catchTag("ConversationNotFound", Effect.die))
      const event = conversationEvent(labelled, conversation, { subject_contact_id: subject })
      yield* recordEvents([event], yield* Clock.currentTimeMillis)
      return labelled
    })
  )
}, withSpan("labelSubject"))
