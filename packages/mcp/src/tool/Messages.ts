import { createHash } from "node:crypto"
import type { Message } from "@leadloom/client"
import { Schema } from "effect"
import { contactId } from "../Input.ts"
import { defineTool, type Hints } from "../Tool.ts"
import { ToolFailed } from "../ToolFailed.ts"

/** The number of the newest messages in which `write_draft` looks for a message of the contact. */
const maxSearched = 50

const newestOfContact = (messages: ReadonlyArray<Message>): Message => {
  const found = messages.findLast(({ actor, auto }) => actor === "contact" && auto === null)
  if (found !== undefined) return found
  throw new ToolFailed(
    `NOT_FOUND: The contact wrote none of the last ${maxSearched} messages, so there is nothing to reply to.`
  )
}

export const writeDraft = defineTool({
  name: "write_draft",
  title: "Write a draft",
  description:
    "Write a reply to the newest message of a contact with the configured language model and the instructions of the tenant. The draft is returned, not stored and not sent: show it to a person, then use send_message. Fails if the server has no language model.",
  rights: ["read", "pipeline"],
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  output: { untrusted: true, maxText: 10_000 },
  input: Schema.Struct({ contact_id: contactId }),
  run: async ({ contact_id }, { client, tenantId }) => {
    const { messages } = await client.conversations.get(tenantId, contact_id, { limit: maxSearched })
    const { email, name, phone } = await client.contacts.get(tenantId, contact_id)
    const { body, channel, id } = newestOfContact(messages)
    const request = { message: body, channel, contact: { name, email, phone } }
    const { data } = await client.actions.generateReply(tenantId, request)
    return { reply_to_message_id: id, channel: data.channel, text: data.text }
  }
})

/** A repeated call with the same arguments sends nothing, because it has the same idempotency key. */
const send: Hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true }

/** Derives an idempotency key from the arguments of a call. */
const keyOf = (tool: string, args: object): string =>
  `mcp-${createHash("sha256")
    .update(JSON.stringify([tool, args]))
    .digest("hex")}`

const body = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(100_000))

export const sendMessage = defineTool({
  name: "send_message",
  title: "Send a message",
  description:
    "Send an email or a text message to a contact, in the name of the tenant. It cannot be unsent: show the text to a person first. Opt-outs, quiet hours, blocked numbers and limits apply; a violation is an error with its reason. The same message to the same contact is sent once within 24 hours, so a repeated call is safe; pass a new idempotency_key to send it again on purpose.",
  rights: ["messages"],
  hints: send,
  output: { untrusted: false },
  input: Schema.Struct({
    contact_id: contactId,
    channel: Schema.Literals(["email", "sms"]).annotate({
      description: "email: replies to the newest email of the contact's most recent email lead"
    }),
    body: body.annotate({ description: "Plain text, or HTML for email" }),
    reply_all: Schema.optionalKey(
      Schema.Boolean.annotate({ description: "For email: also send to the other recipients; default: false" })
    ),
    idempotency_key: Schema.optionalKey(
      Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(200)).annotate({
        description:
          "A name for this send. Calls with the same key send once. Default: derived from the other arguments"
      })
    )
  }),
  run: async ({ contact_id, idempotency_key, ...message }, { client, tenantId }) => {
    const idempotencyKey = idempotency_key ?? keyOf("send_message", { contact_id, ...message })
    return { ...(await client.conversations.send(tenantId, contact_id, message, { idempotencyKey })) }
  }
})

export const approveDraft = defineTool({
  name: "approve_draft",
  title: "Approve a draft",
  description:
    "Send the pending draft of a contact, optionally with a changed text. Pass draft_id, content_hash and head_message_id exactly as get_conversation returned them: the call fails if the draft or the conversation has changed since. A repeated call sends nothing.",
  rights: ["messages"],
  hints: send,
  output: { untrusted: false },
  input: Schema.Struct({
    contact_id: contactId,
    draft_id: Schema.String.annotate({ description: "The draft_id of the pending draft" }),
    content_hash: Schema.String.annotate({ description: "The content_hash of the pending draft" }),
    head_message_id: Schema.String.annotate({ description: "The newest message that you have read" }),
    body: Schema.optionalKey(body.annotate({ description: "The text to send instead; default: the text of the draft" }))
  }),
  run: async ({ contact_id, ...draft }, { client, tenantId }) => {
    const idempotencyKey = keyOf("approve_draft", { contact_id, ...draft })
    return { ...(await client.conversations.approveDraft(tenantId, contact_id, draft, { idempotencyKey })) }
  }
})
