import { Clock, Effect } from "effect"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { isId } from "../../domain/Id.ts"
import { checkComposition, type CompositionOptions } from "../../domain/sending/Composition.ts"
import {
  type ScheduledSend,
  ScheduledSendEnded,
  ScheduledSendNotFound,
  ScheduledSendOutdated
} from "../../domain/sending/ScheduledSend.ts"
import type { StatedTime } from "../../domain/sending/SendTime.ts"
import {
  type ScheduledFilter,
  type ScheduledKey,
  ScheduledSends
} from "../../port/repository/conversation/ScheduledSends.ts"
import { Uploads } from "../../port/repository/conversation/Uploads.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { holdUploads } from "../sending/AttachUploads.ts"
import { withSpan } from "../WithSpan.ts"
import { replaceScheduled } from "./ReplaceScheduled.ts"
import { planTime } from "./ScheduleSend.ts"
import { requireSendable } from "./SendableNow.ts"

/** The limit of waiting messages that a conversation shows. */
export const maxShownScheduled = 50

/** Returns a scheduled message in any state. */
export const readScheduled = Effect.fnUntraced(function* (tenantId: string, messageId: string) {
  const found = isId("msg", messageId) ? yield* (yield* ScheduledSends).find(tenantId, messageId) : null
  return found ?? (yield* new ScheduledSendNotFound({ messageId }))
}, withSpan("readScheduled"))

/** Returns the waiting messages of a conversation, earliest first. */
export const scheduledOf = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  return yield* (yield* ScheduledSends).page(tenantId, { state: "scheduled", contactId }, maxShownScheduled, null)
}, withSpan("scheduledOf"))

/** Lists scheduled messages, earliest time of sending first. */
export const listScheduled = Effect.fnUntraced(function* (
  tenantId: string,
  filter: ScheduledFilter,
  page: PageRequest
) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const scheduledSends = yield* ScheduledSends
  const { items, nextCursor } = yield* readPage(
    {
      scope: { tenantId: tenant.tenantId, list: "scheduled", filters: { ...filter } },
      keyOf: ({ messageId, sendAt }: ScheduledSend) => [sendAt, messageId],
      readKey: ([sendAt, messageId]): ScheduledKey | null =>
        typeof sendAt === "number" && typeof messageId === "string" ? { sendAt, messageId } : null,
      fetch: (limit, after) => scheduledSends.page(tenantId, filter, limit, after)
    },
    page
  )
  return { scheduled: items, nextCursor }
}, withSpan("listScheduled"))

/** Returns a message that still waits. Fails if it has ended, or if it has another version than the stated one. */
const waiting = Effect.fnUntraced(function* (tenantId: string, id: string, version: number | null) {
  const scheduled = yield* readScheduled(tenantId, id)
  const { messageId, state } = scheduled
  if (state !== "scheduled") return yield* new ScheduledSendEnded({ messageId, state })
  if (version !== null && version !== scheduled.version)
    return yield* new ScheduledSendOutdated({ version: scheduled.version })
  return scheduled
})

/**
 * Cancels a waiting message. Another message can contain its files until they expire. A message that is already
 * cancelled stays so. Fails with `ScheduledSendEnded` if it was
 * sent.
 */
export const cancelScheduled = Effect.fnUntraced(function* (tenantId: string, id: string) {
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const found = yield* readScheduled(tenantId, id)
      if (found.state === "canceled") return found
      const scheduled = yield* waiting(tenantId, id, null)
      const canceled: ScheduledSend = {
        ...scheduled,
        state: "canceled",
        version: scheduled.version + 1,
        updatedAt: yield* Clock.currentTimeMillis
      }
      yield* replaceScheduled(canceled)
      yield* (yield* Uploads).hold(tenantId, [], canceled.messageId)
      return canceled
    })
  )
}, withSpan("cancelScheduled"))

/** The changes of a waiting message. Absent fields stay. */
export interface ScheduledChanges {
  readonly composition: Partial<CompositionOptions> & { readonly body?: string }
  readonly time: StatedTime | null
  readonly cancelOnReply: boolean | null
  /** The version that the person saw; null: not compared. */
  readonly version: number | null
}

/** Changes a waiting message. A stated time ends an undo window. The checks of a new message apply. */
export const editScheduled = Effect.fnUntraced(function* (tenantId: string, id: string, changes: ScheduledChanges) {
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const scheduled = yield* waiting(tenantId, id, changes.version)
      const { contactId, override } = scheduled
      const tenant = yield* (yield* Tenants).get(tenantId)
      const contact = yield* requireUnmergedContact(tenantId, contactId)
      const checked = checkComposition({ ...scheduled.composition, ...changes.composition })
      if (!checked.ok) return yield* checked.error
      const { composition } = checked
      yield* requireSendable({ tenant, contact, composition, override })
      yield* holdUploads(tenantId, composition, scheduled.messageId)
      const now = yield* Clock.currentTimeMillis
      const { time } = changes
      const planned = time === null ? null : yield* planTime(tenant, contact, time, now)
      const edited: ScheduledSend = {
        ...scheduled,
        composition,
        ...(planned !== null && { ...planned, dueAt: planned.sendAt, undo: false }),
        cancelOnReply: changes.cancelOnReply ?? scheduled.cancelOnReply,
        version: scheduled.version + 1,
        updatedAt: now
      }
      yield* replaceScheduled(edited)
      return edited
    })
  )
}, withSpan("editScheduled"))
