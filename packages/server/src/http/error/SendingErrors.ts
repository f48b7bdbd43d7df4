import { agentDraftToJson } from "@leadloom/api/internal/inbox/Drafts"
import { Conflict, FileInfected, NotFound, PayloadTooLarge, ServiceUnavailable } from "@leadloom/api/internal/errors"
import type { MessageMissing } from "@leadloom/core/internal/domain/conversation/Message"
import type {
  AgentDraftLimitReached,
  AgentDraftNotFound,
  AgentDraftOutdated
} from "@leadloom/core/internal/domain/draft/AgentDraft"
import type {
  ScheduledSendEnded,
  ScheduledSendLimitReached,
  ScheduledSendNotFound,
  ScheduledSendOutdated
} from "@leadloom/core/internal/domain/sending/ScheduledSend"
import type { SendTimeInvalid } from "@leadloom/core/internal/domain/sending/SendTime"
import type { UploadInfected, UploadNotFound, UploadTooLarge } from "@leadloom/core/internal/domain/upload/Upload"
import type { ScannerUnavailable } from "@leadloom/core/internal/port/provider/FileScanner"
import { field } from "./Field.ts"

/** Maps errors about uploads, scheduled messages and drafts of people to wire errors. */
export const sendingErrors = {
  MessageMissing: ({ messageId }: MessageMissing) => NotFound.of(`There is no message ${messageId}.`),
  UploadNotFound: ({ uploadIds }: UploadNotFound) =>
    field("attachments", `There is no unused upload ${uploadIds.join(", ")}. Upload the file again.`),
  UploadTooLarge: ({ limit }: UploadTooLarge) =>
    PayloadTooLarge.of(`The file exceeds ${limit / 1_048_576} MiB. Send a link to it instead.`),
  UploadInfected: ({ finding }: UploadInfected) =>
    FileInfected.of(`The file contains malware (${finding}) and was not stored.`, { finding }),
  ScannerUnavailable: (_: ScannerUnavailable) =>
    ServiceUnavailable.of("The virus scanner does not answer, so files are not accepted. Try again."),
  SendTimeInvalid: (error: SendTimeInvalid) => field(error.field, error.message),
  ScheduledSendNotFound: ({ messageId }: ScheduledSendNotFound) =>
    NotFound.of(`There is no scheduled message ${messageId}.`),
  ScheduledSendEnded: ({ messageId, state }: ScheduledSendEnded) =>
    Conflict.of(`The message ${messageId} no longer waits: it is ${state}.`, { state }),
  ScheduledSendOutdated: ({ version }: ScheduledSendOutdated) =>
    Conflict.of("Another person has changed the scheduled message. Read it again and repeat your change.", { version }),
  ScheduledSendLimitReached: ({ limit }: ScheduledSendLimitReached) =>
    Conflict.of(`The tenant has ${limit} scheduled messages. Cancel some of them, or send this message now.`),
  AgentDraftNotFound: ({ draftId }: AgentDraftNotFound) =>
    NotFound.of(`There is no draft ${draftId} in this conversation. It may have been sent or deleted.`),
  AgentDraftOutdated: ({ current }: AgentDraftOutdated) =>
    Conflict.of("Another person has changed the draft. Read it again and repeat your change.", {
      version: current.version,
      draft: agentDraftToJson(current)
    }),
  AgentDraftLimitReached: ({ limit }: AgentDraftLimitReached) =>
    Conflict.of(`The conversation has ${limit} drafts. Send or delete one of them first.`)
} as const
