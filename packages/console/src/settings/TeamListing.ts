import type { Team } from "@leadloom/client"
import { settingsText } from "../text/Settings.ts"
import { text } from "../text/Shared.ts"
import type { Action, FormField, Listing, UserNames } from "./Listing.ts"
import { linesOf } from "./Values.ts"

const { teams: shown } = settingsText

const nameField: FormField = { name: "name", label: shown.name }

/** Members whose names are not read yet are options too. Otherwise, a change would remove them. */
const membersField = ({ member_ids: ids }: Team, names: UserNames): FormField => {
  const missing = ids.filter((id) => !names.has(id)).map((id) => [id, id] as const)
  const options = Object.fromEntries([...names, ...missing])
  return { name: "members", label: shown.members, options, isMultiple: true, initial: ids.join("\n") }
}

const create: Action = {
  label: shown.create,
  operation: "teams.create",
  fields: [nameField],
  send: async ({ client, tenantId }, { name = "" }) => {
    await client.teams.create(tenantId, { name })
    return null
  }
}

const edit = (team: Team, names: UserNames): Action => ({
  label: text.edit,
  message: names.size === 0 ? shown.noUsers : shown.editNote,
  operation: "teams.update",
  fields: [{ ...nameField, initial: team.name }, membersField(team, names)],
  send: async ({ client, tenantId }, { members, name = "" }) => {
    await client.teams.update(tenantId, team.id, { name, member_ids: linesOf(members) })
    return null
  }
})

const remove = ({ id, name }: Team): Action => ({
  label: text.remove,
  message: shown.removeNote(name),
  operation: "teams.remove",
  send: async ({ client, tenantId }) => {
    await client.teams.remove(tenantId, id)
    return null
  }
})

/** The groups of users to which work is assigned. */
export const teamListing: Listing<Team> = {
  title: shown.title,
  empty: shown.empty,
  operation: "teams.list",
  read: async ({ client, tenantId }, cursor, signal) => {
    const { next_cursor: next, teams: rows } = await client.teams.list(tenantId, { cursor, limit: 100, signal })
    return { rows, next }
  },
  keyOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  columns: (names) => [
    { header: shown.name, cell: ({ name }) => name },
    { header: shown.members, cell: ({ member_ids: ids }) => ids.map((id) => names.get(id) ?? id).join(", ") }
  ],
  general: [create],
  actions: (team, names) => [edit(team, names), remove(team)]
}
