import { Effect } from "effect"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import type { Task } from "../../domain/task/Task.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { callerNumber, findContactByNumber } from "../contact/ResolveCaller.ts"
import { formatSpokenTime } from "../../domain/assistant/SpokenTime.ts"
import { type AssistantCall, said, type ToolAnswer } from "../../domain/assistant/ToolCall.ts"

/** The maximum number of leads and of tasks in which an open one is searched. */
const lookedAt = 10

const closed = ["won", "lost", "archived"]

/** The next step, in words for a caller. The titles of tasks are not used, because they are for colleagues only. */
const taskWords: Readonly<Record<Task["type"], string | null>> = {
  callback: "A callback is planned",
  follow_up: "Somebody will be in touch",
  reply_approval: null,
  review: null
}

const nextOf = (tasks: ReadonlyArray<Task>): (Task & { readonly dueAt: number }) | null => {
  const planned = tasks.flatMap((task) =>
    task.dueAt === null || taskWords[task.type] === null ? [] : [{ ...task, dueAt: task.dueAt }]
  )
  return planned.toSorted((one, other) => one.dueAt - other.dueAt)[0] ?? null
}

const nobody: ToolAnswer = said("This caller is not known yet. Ask for a name and what it is about.", { known: false })

/**
 * Answers the question of an assistant who the caller is. The contact is found only by the number of the telephone
 * line, because a caller could ask the assistant about any other person. For a HIPAA tenant, the answer says only
 * whether the caller is known.
 */
export const lookupContact = Effect.fnUntraced(function* (tenant: Tenant, call: AssistantCall) {
  const { config, hipaa, tenantId } = tenant
  const number = callerNumber(tenant, call)
  if (number === null)
    return said("The caller's number is hidden, so nothing can be looked up. Ask for a name and a number.", {
      known: false
    })
  const contact = yield* findContactByNumber(tenantId, number)
  if (contact === null) return nobody
  if (hipaa) return said("This caller is known here.", { known: true })
  const leads = yield* (yield* Leads).ofContact(tenantId, contact.contactId, lookedAt)
  const lead = leads.find(({ mergedInto, state }) => mergedInto === null && !closed.includes(state)) ?? null
  const next = nextOf(yield* (yield* Tasks).openOfContact(tenantId, contact.contactId, lookedAt))
  const when = next === null ? null : formatSpokenTime(next.dueAt, config.timeZone)
  const parts = [
    contact.name === null ? "This caller is known, without a name." : `This is ${contact.name}.`,
    lead === null
      ? "There is no open request."
      : `There is an open request${lead.subject === null ? "" : ` about ${lead.subject}`}.`,
    next === null ? "" : `${taskWords[next.type] ?? ""} for ${when ?? ""}.`
  ]
  return said(parts.filter((part) => part !== "").join(" "), {
    known: true,
    name: contact.name,
    open_request: lead !== null,
    about: lead?.subject ?? null,
    next_at: next === null ? null : new Date(next.dueAt).toISOString()
  })
})
