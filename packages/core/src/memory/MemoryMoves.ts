import type { Context } from "effect"
import type { ContactMerge, MovedKind } from "../domain/contact/ContactMerge.ts"
import type { Draft } from "../domain/draft/Draft.ts"
import type { ContactId } from "../domain/Id.ts"
import { signalIdOf } from "../domain/classification/Signal.ts"
import { passSince } from "./MemoryMergedSince.ts"
import { type Owned, pass } from "./MemoryPass.ts"
import { by, keyOf, type MemoryState, ofTenant } from "./MemoryState.ts"

type Memory = Context.Service.Shape<typeof MemoryState>
type Items = Map<MovedKind, Set<string>>

const passIdentities = (
  { identities }: Memory,
  tenantId: string,
  from: ContactId,
  to: ContactId,
  wanted: ReadonlySet<string> | null
): Set<string> => {
  const passed = new Set<string>()
  for (const [key, contactId] of identities) {
    const [tenant = "", identity = ""]: ReadonlyArray<string> = JSON.parse(key)
    if (tenant !== tenantId || contactId !== from || (wanted !== null && !wanted.has(identity))) continue
    identities.set(key, to)
    passed.add(identity)
  }
  return passed
}

/** Signals, runs and sends are of the contact that their message is of. */
const followMessages = (state: Memory, tenantId: string, messageIds: ReadonlySet<string>): void => {
  for (const id of messageIds) {
    const message = state.messages.get(keyOf(tenantId, id))
    if (message === undefined) continue
    const { contactId, messageId } = message
    const ofSignal = keyOf(tenantId, signalIdOf(messageId))
    const queued = state.signals.get(ofSignal)
    if (queued !== undefined) state.signals.set(ofSignal, { ...queued, signal: { ...queued.signal, contactId } })
    const run = state.runs.get(ofSignal)
    if (run !== undefined) state.runs.set(ofSignal, { ...run, contactId })
    for (const [key, one] of state.guardEvaluations) {
      if (one.tenantId === tenantId && one.messageId === messageId)
        state.guardEvaluations.set(key, { ...one, contactId })
    }
    const send = state.sends.get(keyOf(tenantId, messageId))
    if (send !== undefined) state.sends.set(keyOf(tenantId, messageId), { ...send, contactId })
  }
}

const pendingOf = ({ drafts }: Memory, tenantId: string, contactIds: ReadonlyArray<string>): ReadonlyArray<Draft> =>
  ofTenant(drafts, tenantId)
    .filter((draft) => draft.state === "pending" && contactIds.includes(draft.contactId))
    .toSorted(
      by(
        ({ createdAt }) => createdAt,
        ({ draftId }) => draftId
      )
    )

const supersedeOlder = (state: Memory, { duplicateId, primaryId, tenantId }: ContactMerge): Set<string> => {
  const older = pendingOf(state, tenantId, [primaryId, duplicateId]).slice(0, -1)
  for (const draft of older) state.drafts.set(keyOf(tenantId, draft.draftId), { ...draft, state: "superseded" })
  return new Set(older.map(({ draftId }) => draftId))
}

/** The twin of `ContactMerges.youngest`. */
export const youngest = (state: Memory, tenantId: string, contactIds: ReadonlyArray<ContactId>): number => {
  const ages = <A extends Owned>(things: ReadonlyMap<string, A>, ageOf: (thing: A) => number): ReadonlyArray<number> =>
    ofTenant(things, tenantId)
      .filter(({ contactId }) => contactIds.includes(contactId))
      .map(ageOf)
  return Math.max(
    0,
    ...ages(state.messages, ({ receivedAt }) => receivedAt),
    ...ages(state.leads, ({ createdAt }) => createdAt),
    ...ages(state.tasks, ({ createdAt }) => createdAt),
    ...ages(state.drafts, ({ createdAt }) => createdAt),
    ...ages(state.activities, ({ at }) => at),
    ...ages(state.calls, ({ startedAt }) => startedAt)
  )
}

/** The twin of `ContactMerges.move`. */
export const moveAll = (state: Memory, merge: ContactMerge): Items => {
  const { duplicateId: from, primaryId: to, tenantId } = merge
  const way = { tenantId, from, to }
  const items: Items = new Map()
  items.set("superseded_draft", supersedeOlder(state, merge))
  items.set("identity", passIdentities(state, tenantId, from, to, null))
  items.set(
    "message",
    pass(state.messages, way, ({ messageId }) => messageId)
  )
  items.set(
    "lead",
    pass(state.leads, way, ({ leadId }) => leadId)
  )
  items.set(
    "task",
    pass(state.tasks, way, ({ taskId }) => taskId)
  )
  items.set(
    "draft",
    pass(state.drafts, way, ({ draftId }) => draftId)
  )
  items.set(
    "activity",
    pass(state.activities, way, ({ activityId }) => activityId)
  )
  items.set(
    "crm_link",
    pass(state.crmLinks, way, ({ crmContactId }) => crmContactId)
  )
  items.set(
    "call",
    pass(state.calls, way, ({ callId }) => callId)
  )
  followMessages(state, tenantId, items.get("message") ?? new Set())
  return items
}

/** The twin of `ContactMerges.moveBack`. */
export const moveBackAll = (state: Memory, merge: ContactMerge, items: Items): ReadonlySet<string> => {
  const { duplicateId: to, primaryId: from, tenantId } = merge
  const way = { tenantId, from, to }
  const noted = (kind: MovedKind): ReadonlySet<string> => items.get(kind) ?? new Set()
  const back = <A extends Owned>(kind: MovedKind, things: Map<string, A>, idOf: (thing: A) => string) =>
    pass(things, way, idOf, (thing) => noted(kind).has(idOf(thing)))
  for (const identity of noted("identity")) {
    const key = keyOf(tenantId, identity)
    if (!state.identities.has(key)) state.identities.set(key, from)
  }
  const returned = passIdentities(state, tenantId, from, to, noted("identity"))
  const moved = back("message", state.messages, ({ messageId }) => messageId)
  back("lead", state.leads, ({ leadId }) => leadId)
  back("task", state.tasks, ({ taskId }) => taskId)
  back("draft", state.drafts, ({ draftId }) => draftId)
  back("activity", state.activities, ({ activityId }) => activityId)
  back("crm_link", state.crmLinks, ({ crmContactId }) => crmContactId)
  back("call", state.calls, ({ callId }) => callId)
  const since = passSince(state, merge, items)
  followMessages(state, tenantId, new Set([...moved, ...since]))
  return returned
}

/** The twin of `ContactMerges.restoreDrafts`. */
export const restoreDrafts = (state: Memory, { tenantId, watermark }: ContactMerge, items: Items): void => {
  for (const draftId of items.get("superseded_draft") ?? new Set()) {
    const draft = state.drafts.get(keyOf(tenantId, draftId))
    if (draft === undefined || draft.state !== "superseded") continue
    const { contactId } = draft
    const overtaken = ofTenant(state.messages, tenantId).some(
      (message) => message.contactId === contactId && message.receivedAt > watermark
    )
    if (!overtaken && pendingOf(state, tenantId, [contactId]).length === 0) {
      state.drafts.set(keyOf(tenantId, draftId), { ...draft, state: "pending" })
    }
  }
}
