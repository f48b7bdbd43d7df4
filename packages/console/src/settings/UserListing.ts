import type { User } from "@leadloom/client"
import { settingsText } from "../text/Settings.ts"
import type { Action, FormField, Listing } from "./Listing.ts"

const { users: shown } = settingsText
type Role = User["role"]

const roleOf = (value: string | undefined): Role => (value === "manager" || value === "admin" ? value : "agent")

const roleField = (initial: Role): FormField => ({ name: "role", label: shown.role, options: shown.roles, initial })

const nameField: FormField = { name: "name", label: shown.name }

const create: Action = {
  label: shown.create,
  message: shown.createNote,
  operation: "users.create",
  fields: [nameField, { name: "email", label: shown.email, type: "email" }, roleField("agent")],
  send: async ({ client, tenantId }, { email = "", name = "", role }) => {
    await client.users.create(tenantId, { name, email, role: roleOf(role) })
    return null
  }
}

const edit = ({ id, name: current, role: held }: User): Action => ({
  label: shown.edit,
  message: shown.editNote,
  operation: "users.update",
  fields: [{ ...nameField, initial: current }, roleField(held)],
  send: async ({ client, tenantId }, { name = "", role }) => {
    await client.users.update(tenantId, id, { name, role: roleOf(role) })
    return null
  }
})

/** The link has the form that `POST …/sessions/tickets` describes. */
const createLink = ({ id, name }: User): Action => ({
  label: shown.link,
  message: shown.linkNote(name),
  operation: "sessions.createTicket",
  send: async ({ client, tenantId }) => {
    const { ticket } = await client.sessions.createTicket({ tenant_id: tenantId, user_id: id })
    return `${location.origin}/sign-in#ticket=${ticket}`
  }
})

const deactivate = ({ id, name }: User): Action => ({
  label: shown.deactivate,
  message: (userId) => (userId === id ? shown.deactivateOwn : shown.deactivateNote(name)),
  operation: "users.deactivate",
  send: async ({ client, tenantId }) => {
    await client.users.deactivate(tenantId, id)
    return null
  }
})

const activate = ({ id, name }: User): Action => ({
  label: shown.activate,
  message: shown.activateNote(name),
  operation: "users.update",
  send: async ({ client, tenantId }) => {
    await client.users.update(tenantId, id, { active: true })
    return null
  }
})

/** The people who work with the leads of the tenant. */
export const userListing: Listing<User> = {
  title: shown.title,
  empty: shown.empty,
  operation: "users.list",
  read: async ({ client, tenantId }, cursor, signal) => {
    const { next_cursor: next, users: rows } = await client.users.list(tenantId, { cursor, limit: 100, signal })
    return { rows, next }
  },
  keyOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  columns: () => [
    { header: shown.name, cell: ({ name }) => name },
    { header: shown.email, cell: ({ email }) => email, isDetail: true },
    { header: shown.role, cell: ({ role }) => shown.roles[role] },
    { header: shown.state, cell: ({ active }) => (active ? shown.active : shown.inactive), isDetail: true }
  ],
  general: [create],
  actions: (user) => (user.active ? [edit(user), createLink(user), deactivate(user)] : [edit(user), activate(user)])
}
