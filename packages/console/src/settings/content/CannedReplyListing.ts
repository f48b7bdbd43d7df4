import type { CannedReply } from "@leadloom/client"
import { contentText } from "../../text/Content.ts"
import { text } from "../../text/Shared.ts"
import type { Action, FormField, Listing, Values } from "../Listing.ts"
import { textOrNull } from "../Values.ts"

const { cannedReplies: shown } = contentText

const fieldsOf = (reply?: CannedReply): ReadonlyArray<FormField> => [
  { name: "name", label: shown.name, initial: reply?.name ?? "" },
  { name: "body", label: shown.body, type: "textarea", hint: shown.bodyHint, initial: reply?.body ?? "" },
  { name: "subject", label: shown.subject, isRequired: false, initial: reply?.subject ?? "" },
  { name: "shortcut", label: shown.shortcut, isRequired: false, initial: reply?.shortcut ?? "" },
  { name: "folder", label: shown.folder, isRequired: false, initial: reply?.folder ?? "" }
]

const replyOf = ({ body = "", folder, name = "", shortcut, subject }: Values) => ({
  name,
  body,
  subject: textOrNull(subject),
  shortcut: textOrNull(shortcut),
  folder: textOrNull(folder)
})

const create: Action = {
  label: shown.create,
  operation: "cannedReplies.create",
  fields: fieldsOf(),
  send: async ({ client, tenantId }, values) => {
    await client.cannedReplies.create(tenantId, replyOf(values))
    return null
  }
}

const edit = (reply: CannedReply): Action => ({
  label: text.edit,
  operation: "cannedReplies.update",
  fields: fieldsOf(reply),
  send: async ({ client, tenantId }, values) => {
    await client.cannedReplies.update(tenantId, reply.id, replyOf(values))
    return null
  }
})

const remove = ({ id, name }: CannedReply): Action => ({
  label: text.remove,
  message: contentText.removeNote(name),
  operation: "cannedReplies.delete",
  send: async ({ client, tenantId }) => {
    await client.cannedReplies.delete(tenantId, id)
    return null
  }
})

/** The texts that people insert into answers. */
export const cannedReplyListing: Listing<CannedReply> = {
  title: shown.title,
  empty: shown.empty,
  operation: "cannedReplies.list",
  read: async ({ client, tenantId }, cursor, signal) => {
    const answer = await client.cannedReplies.list(tenantId, { cursor, signal })
    return { rows: answer.canned_replies, next: answer.next_cursor }
  },
  keyOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  columns: () => [
    { header: shown.name, cell: ({ name }) => name },
    { header: shown.shortcut, cell: ({ shortcut }) => shortcut, isDetail: true },
    { header: shown.folder, cell: ({ folder }) => folder, isDetail: true },
    { header: shown.uses, cell: ({ uses }) => uses, isNumeric: true, isDetail: true }
  ],
  general: [create],
  actions: (reply) => [edit(reply), remove(reply)]
}
