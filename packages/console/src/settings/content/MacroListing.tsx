import type { Macro } from "@leadloom/client"
import { Link } from "@tanstack/react-router"
import { contentText } from "../../text/Content.ts"
import { text } from "../../text/Shared.ts"
import type { Action, Listing, Values } from "../Listing.ts"
import { optionOf } from "../Values.ts"

const { macros: shown } = contentText

type MacroAction = Macro["actions"][number]

/** Returns the actions of a form in the order of its fields. An empty field adds no action. */
const actionsOf = ({ assignee, state, tag, task }: Values): ReadonlyArray<MacroAction> => {
  const next = optionOf(text.leadStates, state)
  const has = (value: string | undefined): value is string => value !== undefined && value !== ""
  return [
    ...(has(tag) ? [{ type: "tag", tag } as const] : []),
    ...(has(assignee) ? [{ type: "assign", to: assignee } as const] : []),
    ...(next === undefined ? [] : [{ type: "transition", state: next } as const]),
    ...(has(task) ? [{ type: "create_task", task_type: "follow_up", title: task } as const] : [])
  ]
}

const stepsOf = (actions: Macro["actions"]): string => actions.map(({ type }) => shown.actionTypes[type]).join(", ")

const create: Action = {
  label: shown.create,
  message: shown.createNote,
  operation: "macros.create",
  fields: [
    { name: "name", label: shown.name },
    { name: "tag", label: shown.tag, isRequired: false },
    { name: "assignee", label: shown.assignee, isRequired: false },
    { name: "state", label: shown.state, options: { "": text.none, ...text.leadStates } },
    { name: "task", label: shown.task, isRequired: false }
  ],
  send: async ({ client, tenantId }, values) => {
    const [first, ...others] = actionsOf(values)
    if (first === undefined) throw new Error(shown.noAction)
    await client.macros.create(tenantId, { name: values["name"] ?? "", actions: [first, ...others] })
    return null
  }
}

const rename = ({ id, name: former }: Macro): Action => ({
  label: contentText.rename,
  operation: "macros.update",
  fields: [{ name: "name", label: shown.name, initial: former }],
  send: async ({ client, tenantId }, { name = "" }) => {
    await client.macros.update(tenantId, id, { name })
    return null
  }
})

const remove = ({ id, name }: Macro): Action => ({
  label: text.remove,
  message: contentText.removeNote(name),
  operation: "macros.delete",
  send: async ({ client, tenantId }) => {
    await client.macros.delete(tenantId, id)
    return null
  }
})

/** The actions that people carry out together in a conversation. */
export const macroListing: Listing<Macro> = {
  title: shown.title,
  empty: shown.empty,
  operation: "macros.list",
  read: async ({ client, tenantId }, _, signal) => {
    const { macros: rows } = await client.macros.list(tenantId, { signal })
    return { rows, next: null }
  },
  keyOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  columns: () => [
    { header: shown.name, cell: ({ name }) => name },
    {
      header: shown.actions,
      cell: ({ actions, id, name }) => (
        <Link
          to="/settings/macros/$macroId"
          params={{ macroId: id }}
          aria-label={shown.stepsOf(name, stepsOf(actions))}
        >
          {stepsOf(actions)}
        </Link>
      )
    }
  ],
  general: [create],
  actions: (macro) => [rename(macro), remove(macro)]
}
