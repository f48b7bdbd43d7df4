import type { Source } from "@leadloom/client"
import { longTime } from "../../design/Time.ts"
import { operatorText } from "../../text/Operator.ts"
import { text } from "../../text/Shared.ts"
import type { Action, Listing } from "../Listing.ts"

const { sources: shown } = operatorText

const create: Action = {
  label: shown.create,
  message: shown.createNote,
  operation: "sources.createGlobal",
  fields: [{ name: "id", label: shown.id }],
  send: async ({ client }, { id = "" }) => (await client.sources.createGlobal({ source_id: id })).key
}

const remove = ({ source_id: id }: Source): Action => ({
  label: text.remove,
  message: shown.removeNote(id),
  operation: "sources.removeGlobal",
  send: async ({ client }) => {
    await client.sources.removeGlobal(id)
    return null
  }
})

/** The event sources whose key is valid for every tenant. */
export const sourceListing: Listing<Source> = {
  title: shown.title,
  empty: shown.empty,
  operation: "sources.listGlobal",
  read: async ({ client }, cursor, signal) => {
    const { next_cursor: next, sources: rows } = await client.sources.listGlobal({ cursor, signal })
    return { rows, next }
  },
  keyOf: ({ source_id: id }) => id,
  nameOf: ({ source_id: id }) => id,
  columns: () => [
    { header: shown.id, cell: ({ source_id: id }) => id },
    { header: shown.prefix, cell: ({ prefix }) => `${prefix}…`, isDetail: true },
    { header: shown.created, cell: ({ created_at: time }) => longTime(time), isDetail: true }
  ],
  general: [create],
  actions: (source) => [remove(source)]
}
