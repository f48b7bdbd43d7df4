import type { ApiKey } from "@leadloom/client"
import { longTime } from "../design/Time.ts"
import { settingsText } from "../text/Settings.ts"
import type { Action, Listing } from "./Listing.ts"

const { apiKeys: shown } = settingsText

/** The choices of scopes. A comma separates several scopes; the empty choice is a key without a limit. */
const scopesOf = (choice: string | undefined): ApiKey["scopes"] => {
  const scopes = (["read", "messages", "pipeline"] as const).filter((scope) => choice?.split(",").includes(scope))
  return scopes.length === 0 ? null : scopes
}

const create: Action = {
  label: shown.create,
  operation: "apiKeys.create",
  fields: [
    { name: "name", label: shown.name },
    { name: "scopes", label: shown.scopes, options: shown.choices }
  ],
  send: async ({ client, tenantId }, { name = "", scopes: choice }) => {
    const scopes = scopesOf(choice)
    const created = await client.apiKeys.create(tenantId, { name, ...(scopes === null ? {} : { scopes }) })
    return created.key
  }
}

const rotate = ({ id }: ApiKey): Action => ({
  label: shown.rotate,
  message: shown.rotateNote,
  operation: "apiKeys.rotate",
  send: async ({ client, tenantId }) => (await client.apiKeys.rotate(tenantId, { key_id: id })).key
})

const revoke = ({ id, name }: ApiKey): Action => ({
  label: shown.revoke,
  message: shown.revokeNote(name),
  operation: "apiKeys.revoke",
  send: async ({ client, tenantId }) => {
    await client.apiKeys.revoke(tenantId, id)
    return null
  }
})

/** The API keys of the tenant. */
export const apiKeyListing: Listing<ApiKey> = {
  title: shown.title,
  empty: shown.empty,
  operation: "apiKeys.list",
  read: async ({ client, tenantId }, cursor, signal) => {
    const { api_keys: rows, next_cursor: next } = await client.apiKeys.list(tenantId, { cursor, signal })
    return { rows, next }
  },
  keyOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  columns: () => [
    { header: shown.name, cell: ({ name }) => name },
    { header: shown.prefix, cell: ({ prefix }) => `${prefix}…`, isDetail: true },
    { header: shown.scopes, cell: ({ scopes }) => scopes?.join(", ") ?? shown.unlimited, isDetail: true },
    { header: shown.state, cell: ({ status }) => shown.states[status] },
    {
      header: shown.lastUse,
      cell: ({ last_used_at: time }) => (time === null ? shown.never : longTime(time)),
      isDetail: true
    }
  ],
  general: [create],
  actions: (key) => (key.status === "active" ? [rotate(key), revoke(key)] : [revoke(key)])
}
