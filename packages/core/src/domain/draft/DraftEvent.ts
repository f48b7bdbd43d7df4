import { preview } from "../conversation/Message.ts"
import type { NewEvent } from "../webhook/Event.ts"
import type { AgentDraft } from "./AgentDraft.ts"
import type { Draft } from "./Draft.ts"

type DraftEventType = "draft.created" | "draft.updated" | "draft.approved" | "draft.dismissed"

/** Returns the outbound event about a reply that the assistant wrote. It contains the first characters of the text. */
export const draftEvent = (
  type: DraftEventType,
  { channel, contactId, draftId, messageId, tenantId, text }: Draft
): NewEvent => ({
  type,
  tenantId,
  data: {
    draft_id: draftId,
    contact_id: contactId,
    author: "assistant",
    channel,
    answers_message_id: messageId,
    version: null,
    preview: preview(text)
  }
})

/** Returns the outbound event about a draft that people write. */
export const agentDraftEvent = (
  type: DraftEventType,
  { composition, contactId, draftId, tenantId, version }: AgentDraft
): NewEvent => ({
  type,
  tenantId,
  data: {
    draft_id: draftId,
    contact_id: contactId,
    author: "agent",
    channel: composition.channel,
    answers_message_id: composition.replyToMessageId,
    version,
    preview: preview(composition.body)
  }
})
