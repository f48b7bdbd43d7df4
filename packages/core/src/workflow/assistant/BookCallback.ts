import { Effect } from "effect"
import { Ids } from "../../port/system/Ids.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { wallClock } from "../../domain/time/WallClock.ts"
import { callerNumber, identifyCaller, resolveCaller } from "../contact/ResolveCaller.ts"
import { callbackTime } from "../../domain/assistant/CallbackTime.ts"
import { confirmedTime, formatSpokenTime } from "../../domain/assistant/SpokenTime.ts"
import {
  argument,
  type AssistantCall,
  oneLine,
  said,
  type ToolCall,
  ToolRefused
} from "../../domain/assistant/ToolCall.ts"
import { addTask } from "../task/OpenTask.ts"

const whenOf = ({ args }: ToolCall): string | null => {
  const time = argument(args, "time", "when", "datetime", "due_at", "callback_time", "preferred_time")
  const date = argument(args, "date", "day")
  if (date === null || time === null) return date ?? time
  // Language models often repeat the date in the time.
  if (time.startsWith(date)) return time
  return /^\d{1,2}\b/u.test(time) ? `${date} at ${time}` : `${date} ${time}`
}

const titleOf = (tenant: Tenant, call: AssistantCall, { args }: ToolCall): string => {
  const about = argument(args, "reason", "notes", "message", "topic", "summary")
  const other = argument(args, "phone", "phone_number", "number")
  const under = other === null || callerNumber(tenant, call) === null ? "" : ` under ${other.slice(0, 40)}`
  return oneLine(`Call back${under}${about === null ? "" : `: ${about}`}`).slice(0, 200)
}

/**
 * Books a callback to the caller: a task of the type `callback`, due at the requested time. A time outside the tenant's
 * callback hours is moved to the next time within them. Runs inside a unit of work.
 */
export const bookCallback = Effect.fnUntraced(function* (
  tenant: Tenant,
  call: AssistantCall,
  tool: ToolCall,
  now: number
) {
  const { config, tenantId } = tenant
  const when = whenOf(tool)
  const wall = wallClock(config.timeZone)
  const time = callbackTime(when ?? "now", config.voice.callbackHours, wall, now)
  if (time._tag === "Unclear") {
    const example = `${wall.read(now + 86_400_000).date}T15:00`
    return yield* new ToolRefused({
      reason: `Nothing is booked for "${(when ?? "").slice(0, 100)}". ${time.question} It is ${formatSpokenTime(now, config.timeZone)} now. Send a time like ${example}.`
    })
  }
  const caller = yield* identifyCaller(tenant, call, tool.args)
  if (caller.profile.phone === null)
    return yield* new ToolRefused({ reason: "The caller's number is hidden: ask for the number to call back." })
  const { contactId } = yield* resolveCaller(tenantId, caller, now)
  const lead = yield* (yield* Leads).newestNotWon(tenantId, contactId)
  const taskId = yield* (yield* Ids).next("task")
  yield* addTask({
    taskId,
    tenantId,
    type: "callback",
    title: titleOf(tenant, call, tool),
    contactId,
    leadId: lead?.leadId ?? null,
    signalId: null,
    dueAt: time.dueAt,
    createdAt: now
  })
  const spoken = confirmedTime(time.dueAt, config.timeZone)
  const why = time.moved ? " That is the next time after the requested one at which we can call back." : ""
  return said(`A callback is booked for ${spoken}.${why}`, {
    task_id: taskId,
    due_at: new Date(time.dueAt).toISOString(),
    time_zone: config.timeZone,
    moved: time.moved
  })
})
