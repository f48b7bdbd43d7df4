import type { ConsoleSession } from "@leadloom/client"
import { longTime } from "../design/Time.ts"
import { settingsText } from "../text/Settings.ts"
import type { Action, Listing, UserNames } from "./Listing.ts"

const { sessions: shown } = settingsText

const personOf = ({ user_id: userId }: ConsoleSession, names: UserNames): string =>
  userId === null ? shown.nobody : (names.get(userId) ?? userId)

const revoke = ({ id }: ConsoleSession): Action => ({
  label: shown.revoke,
  message: shown.revokeNote,
  operation: "consoleSessions.revoke",
  send: async ({ client, tenantId }) => {
    await client.consoleSessions.revoke(tenantId, id)
    return null
  }
})

/** The sessions of the console. */
export const sessionListing: Listing<ConsoleSession> = {
  title: shown.title,
  empty: shown.empty,
  operation: "consoleSessions.list",
  read: async ({ client, tenantId }, cursor, signal) => {
    const answer = await client.consoleSessions.list(tenantId, { cursor, signal })
    return { rows: answer.console_sessions, next: answer.next_cursor }
  },
  keyOf: ({ id }) => id,
  nameOf: personOf,
  columns: (names) => [
    { header: shown.person, cell: (session) => personOf(session, names) },
    { header: shown.role, cell: ({ role }) => settingsText.users.roles[role] },
    { header: shown.started, cell: ({ started_at: time }) => longTime(time), isDetail: true },
    { header: shown.ends, cell: ({ ends_at: time }) => longTime(time), isDetail: true }
  ],
  actions: (session) => [revoke(session)]
}
