import type { Leadloom, Message, MessagePage, PendingDraft, PipelineRun } from "@leadloom/client"
import { Schema } from "effect"
import { contactId, messageId, optionalText, page } from "../Input.ts"
import { defineTool, readOnly } from "../Tool.ts"
import { ToolFailed } from "../ToolFailed.ts"

export const listConversations = defineTool({
  name: "list_conversations",
  title: "List conversations",
  description:
    "List the conversations of the inbox, one per contact, newest message first, 50 per page. Each entry has the start of the newest message, the lead with its state and tier, and the number of unread messages.",
  rights: ["read"],
  hints: readOnly,
  output: { untrusted: true, maxText: 200 },
  input: Schema.Struct({ cursor: page(50, 50).cursor }),
  run: async (options, { client, tenantId }) => ({ ...(await client.conversations.list(tenantId, options)) })
})

const fileOf = ({ content_type, filename, size }: NonNullable<Message["attachments"]>[number]) => ({
  filename,
  content_type,
  size
})

/** Returns the decisions of a run in one text: the matched rules, and the reason of each step. */
const reasonsOf = ({ matched_rules, steps }: PipelineRun): string =>
  [
    ...matched_rules.map(({ rule_id }) => `rule ${rule_id} matched`),
    ...steps.map(({ outcome, reason, step }) => `${step} ${outcome}: ${reason}`)
  ].join("; ")

/** Returns the fields that have a value, because most messages lack most fields. */
const withValue = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => {
      const isEmpty = Array.isArray(value) && value.length === 0
      return value !== null && value !== undefined && !isEmpty
    })
  )

const shorten = (message: Message, run?: PipelineRun) => {
  const { actor, attachments = [], body, channel, delivery, flags, from, id, subject, timestamp } = message
  return {
    message_id: id,
    actor,
    channel,
    timestamp,
    body,
    ...withValue({ from, subject, delivery, flags, attachments: attachments.slice(0, 10).map(fileOf) }),
    ...(run === undefined ? {} : { signal_id: run.signal_id, reasons: reasonsOf(run) })
  }
}

const draftOf = ({ created_at: _, ...draft }: PendingDraft) => draft

/** The number of the newest runs in which the reasons of a page are looked up. */
const maxRuns = 100

export const getConversation = defineTool({
  name: "get_conversation",
  title: "Read a conversation",
  description:
    "Read the messages of a contact on all channels, oldest first, from the newest page to older ones. Inbound messages contain the reasons of the pipeline (rules, score, why a reply was sent, drafted or suppressed). pending_draft is the reply that waits for approval; pass its ids to approve_draft. Long bodies are cut; read the rest with get_message.",
  rights: ["read"],
  hints: readOnly,
  output: { untrusted: true },
  input: Schema.Struct({ contact_id: contactId, ...page(20, 10) }),
  run: async ({ contact_id, limit = 10, ...rest }, { client, tenantId }) => {
    const found = await client.conversations.get(tenantId, contact_id, { ...rest, limit })
    const { runs } = await client.pipeline.listRuns(tenantId, { contactId: contact_id, limit: maxRuns })
    const runOf = new Map(runs.map((run) => [run.message_id, run]))
    return {
      contact_id,
      messages: found.messages.map((message) => shorten(message, runOf.get(message.id))),
      next_cursor: found.next_cursor,
      pending_draft: found.pending_draft === null ? null : draftOf(found.pending_draft)
    }
  }
})

/** The number of pages in which a message is looked for, and the messages per page. */
const [maxPages, perPage] = [5, 200]

const findMessage = async (
  client: Leadloom,
  tenantId: string,
  {
    contact_id,
    cursor,
    message_id
  }: { readonly contact_id: string; readonly message_id: string; readonly cursor?: string }
): Promise<Message> => {
  let next: string | null | undefined = cursor
  for (let read = 0; read < maxPages && next !== null; read++) {
    const found: MessagePage = await client.conversations.get(tenantId, contact_id, { limit: perPage, cursor: next })
    const message = found.messages.find(({ id }) => id === message_id)
    if (message !== undefined) return message
    next = found.next_cursor
  }
  throw new ToolFailed(
    `NOT_FOUND: The message ${message_id} is not among the ${maxPages * perPage} messages before this position. Pass the cursor with which get_conversation returned it.`
  )
}

/** The maximum length of the part of a body that one call returns, in characters. */
const maxPart = 20_000

export const getMessage = defineTool({
  name: "get_message",
  title: "Read a message",
  description:
    "Read one message completely, with the quoted history, in parts of 20,000 characters. Use it when get_conversation has cut the body.",
  rights: ["read"],
  hints: readOnly,
  output: { untrusted: true, maxText: maxPart },
  input: Schema.Struct({
    contact_id: contactId,
    message_id: messageId,
    cursor: optionalText("The cursor with which get_conversation returned the message; absent for its first page"),
    offset: Schema.optionalKey(
      Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ description: "The first character; default: 0" })
    )
  }),
  run: async ({ offset = 0, ...wanted }, { client, tenantId }) => {
    const message = await findMessage(client, tenantId, wanted)
    const { body, quoted_text: quoted } = message
    const text = quoted ? `${body}\n\n${quoted}` : body
    const end = Math.min(offset + maxPart, text.length)
    return {
      ...shorten(message),
      body: text.slice(offset, end).toWellFormed(),
      offset,
      total_characters: text.length,
      next_offset: end < text.length ? end : null
    }
  }
})
