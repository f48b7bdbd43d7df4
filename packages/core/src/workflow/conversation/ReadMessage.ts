import { Effect } from "effect"
import type { Message } from "../../domain/conversation/Message.ts"
import { isId } from "../../domain/Id.ts"
import type { DeliveryStep } from "../../domain/sending/DeliveryStep.ts"
import { MessageMissing } from "../../domain/conversation/Message.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { withSpan } from "../WithSpan.ts"

/** A message with the facts about its delivery. */
export interface MessageDetail {
  readonly message: Message
  /** The recipients in Bcc of an email that this server sent. */
  readonly bcc: ReadonlyArray<string>
  readonly history: ReadonlyArray<DeliveryStep>
}

/** Returns a message of the tenant with its delivery history. */
export const readMessage = Effect.fnUntraced(function* (tenantId: string, messageId: string) {
  const message = isId("msg", messageId) ? yield* (yield* Messages).find(tenantId, messageId) : null
  if (message === null) return yield* new MessageMissing({ messageId })
  if (message.delivery === null) return { message, bcc: [], history: [] } satisfies MessageDetail as MessageDetail
  const sends = yield* Sends
  const send = yield* sends.find(tenantId, message.messageId)
  const bcc = send?.channel === "email" ? send.mail.bcc.map(({ email }) => email) : []
  const detail: MessageDetail = { message, bcc, history: yield* sends.history(tenantId, message.messageId) }
  return detail
}, withSpan("readMessage"))
