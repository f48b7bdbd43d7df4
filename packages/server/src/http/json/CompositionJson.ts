import type { AttachmentToSend, Recipient } from "@leadloom/api/internal/schema/Composition"
import type { Address } from "@leadloom/core/internal/domain/address/Address"
import { EmailRequestInvalid } from "@leadloom/core/internal/domain/email/Grant"
import { isId } from "@leadloom/core/internal/domain/Id"
import type { AttachedUpload, CompositionOptions } from "@leadloom/core/internal/domain/sending/Composition"
import type { SendSchedule } from "@leadloom/core/internal/workflow/schedule/ScheduleSend"
import type { StatedTime } from "@leadloom/core/internal/domain/sending/SendTime"
import { Effect } from "effect"
import { answer } from "../error/errors.ts"

/** The options of a composed message in a request. */
interface ComposedJson {
  readonly subject?: string
  readonly from?: typeof Recipient.Type
  readonly to?: ReadonlyArray<typeof Recipient.Type>
  readonly cc?: ReadonlyArray<typeof Recipient.Type>
  readonly bcc?: ReadonlyArray<typeof Recipient.Type>
  readonly reply_to?: ReadonlyArray<typeof Recipient.Type>
  readonly reply_all?: boolean
  readonly reply_to_message_id?: string
  readonly forward_message_id?: string
  readonly attachments?: ReadonlyArray<typeof AttachmentToSend.Type>
}

/** The time of a message in a request. */
interface ScheduleJson {
  readonly send_at?: string
  readonly time_zone?: NonNullable<StatedTime["zone"]>
  readonly undo_seconds?: number
  readonly cancel_on_reply?: boolean
}

/** Decodes a recipient. */
export const addressOf = ({ email, name }: typeof Recipient.Type): Address => ({ email, name: name ?? null })

/** Decodes attachments. Fails if a value cannot be the id of an upload. */
const attachmentsOf = (given: ReadonlyArray<typeof AttachmentToSend.Type>) => {
  const attached: Array<AttachedUpload> = []
  for (const [index, { content_id, inline = false, upload_id: uploadId }] of given.entries()) {
    if (!isId("upl", uploadId)) {
      const issue = {
        path: `attachments.${index}.upload_id`,
        message: "Expected the id of an upload, for example upl_…"
      }
      return answer(Effect.fail(new EmailRequestInvalid({ issues: [issue] })))
    }
    attached.push({ uploadId, contentId: inline ? (content_id ?? uploadId) : null })
  }
  return Effect.succeed(attached)
}

/** Decodes the stated options of a composed message. An absent option stays absent. */
export const optionsOf = Effect.fnUntraced(function* (json: ComposedJson) {
  const { attachments, bcc, cc, forward_message_id, from, reply_all, reply_to, reply_to_message_id, subject, to } = json
  const options: Partial<CompositionOptions> = {
    ...(subject !== undefined && { subject }),
    ...(from !== undefined && { from: addressOf(from) }),
    ...(to !== undefined && { to: to.map(addressOf) }),
    ...(cc !== undefined && { cc: cc.map(addressOf) }),
    ...(bcc !== undefined && { bcc: bcc.map(addressOf) }),
    ...(reply_to !== undefined && { replyTo: reply_to.map(addressOf) }),
    ...(reply_all !== undefined && { replyAll: reply_all }),
    ...(reply_to_message_id !== undefined && { replyToMessageId: reply_to_message_id }),
    ...(forward_message_id !== undefined && { forwardMessageId: forward_message_id }),
    ...(attachments !== undefined && { attachments: yield* attachmentsOf(attachments) })
  }
  return options
})

/** Decodes a stated time of sending; null if the request states none. */
export const statedTimeOf = ({ send_at: text, time_zone }: ScheduleJson): StatedTime | null =>
  text === undefined ? null : { text, zone: time_zone ?? null }

/** Decodes the schedule of a message; null for a message that is sent immediately. */
export const scheduleOf = (json: ScheduleJson): SendSchedule | null => {
  const time = statedTimeOf(json)
  const undoSeconds = json.undo_seconds ?? 0
  if (time === null && undoSeconds === 0) return null
  return { time, undoSeconds, cancelOnReply: json.cancel_on_reply ?? false }
}
