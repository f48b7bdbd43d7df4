import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Effect } from "effect"
import type { SendOverride } from "../../domain/consent/Override.ts"
import {
  type AgentDraft,
  agentDraftKey,
  AgentDraftLimitReached,
  AgentDraftNotFound,
  AgentDraftOutdated,
  maxAgentDrafts
} from "../../domain/draft/AgentDraft.ts"
import { agentDraftEvent } from "../../domain/draft/DraftEvent.ts"
import { isId } from "../../domain/Id.ts"
import { checkComposition, type Composition, type CompositionOptions } from "../../domain/sending/Composition.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { AgentDrafts } from "../../port/repository/conversation/AgentDrafts.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { admitComposition } from "../conversation/AdmitComposition.ts"
import { holdUploads } from "../sending/AttachUploads.ts"
import { expandForward } from "../forward/ForwardMail.ts"
import { renderLongBody } from "../sending/ReserveSend.ts"
import { admitRepeated, transmitAdmitted } from "../sending/SendOnce.ts"
import { type TextAdmission, transmitText } from "../sms/SendText.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { ActingUser } from "../ActingUser.ts"
import { withSpan } from "../WithSpan.ts"

/** The conversation of a draft. */
export interface DraftPlace {
  readonly tenantId: string
  readonly contactId: string
}

/** Returns a draft of the conversation. */
export const readAgentDraft = Effect.fnUntraced(function* ({ contactId, tenantId }: DraftPlace, draftId: string) {
  const contact = yield* requireUnmergedContact(tenantId, contactId)
  const draft = isId("draft", draftId) ? yield* (yield* AgentDrafts).find(tenantId, draftId) : null
  if (draft === null || draft.contactId !== contact.contactId) return yield* new AgentDraftNotFound({ draftId })
  return draft
}, withSpan("readAgentDraft"))

/** Lists the drafts of a conversation, oldest first. */
export const listAgentDrafts = Effect.fnUntraced(function* ({ contactId, tenantId }: DraftPlace) {
  const contact = yield* requireUnmergedContact(tenantId, contactId)
  return yield* (yield* AgentDrafts).ofContact(tenantId, contact.contactId, maxAgentDrafts)
}, withSpan("listAgentDrafts"))

const checked = (composition: Composition) => {
  const result = checkComposition(composition)
  return result.ok ? Effect.succeed(result.composition) : Effect.fail(result.error)
}

/** Stores a new draft. `by` is the name of the caller, from `principalName`. */
export const createAgentDraft = Effect.fnUntraced(function* (place: DraftPlace, given: Composition, by: string) {
  const { tenantId } = place
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const { contactId } = yield* requireUnmergedContact(tenantId, place.contactId)
      const composition = yield* checked(given)
      const drafts = yield* AgentDrafts
      if ((yield* drafts.ofContact(tenantId, contactId, maxAgentDrafts)).length >= maxAgentDrafts)
        return yield* new AgentDraftLimitReached({ limit: maxAgentDrafts })
      const draftId = yield* (yield* Ids).next("draft")
      const userId = (yield* ActingUser)?.userId ?? null
      const now = yield* Clock.currentTimeMillis
      const draft: AgentDraft = {
        draftId,
        tenantId,
        contactId,
        composition,
        version: 1,
        createdBy: by,
        createdByUser: userId,
        updatedBy: by,
        updatedByUser: userId,
        createdAt: now,
        updatedAt: now
      }
      yield* drafts.insert(draft)
      yield* holdUploads(tenantId, composition, draftId)
      yield* recordEvents([agentDraftEvent("draft.created", draft)], now)
      return draft
    })
  )
}, withSpan("createAgentDraft"))

/** Returns the draft if it has one of the stated versions. Null accepts every version. */
export const readVersion = Effect.fnUntraced(function* (
  place: DraftPlace,
  draftId: string,
  versions: ReadonlyArray<number> | null
) {
  const draft = yield* readAgentDraft(place, draftId)
  if (versions !== null && !versions.includes(draft.version)) return yield* new AgentDraftOutdated({ current: draft })
  return draft
})

/** The changes of a draft. Absent fields stay. */
export interface AgentDraftChanges {
  readonly composition: Partial<CompositionOptions> & Partial<Pick<Composition, "body" | "channel">>
  /** The versions that the change may replace. */
  readonly versions: ReadonlyArray<number>
  /** The name of the caller, from `principalName`. */
  readonly by: string
}

/** Changes a draft. Fails with `AgentDraftOutdated` if another person has changed it since the caller read it. */
export const updateAgentDraft = Effect.fnUntraced(function* (
  place: DraftPlace,
  draftId: string,
  { by, composition: changes, versions }: AgentDraftChanges
) {
  const { tenantId } = place
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const draft = yield* readVersion(place, draftId, versions)
      const composition = yield* checked({ ...draft.composition, ...changes })
      yield* holdUploads(tenantId, composition, draft.draftId)
      const updated: AgentDraft = {
        ...draft,
        composition,
        version: draft.version + 1,
        updatedBy: by,
        updatedByUser: (yield* ActingUser)?.userId ?? null,
        updatedAt: yield* Clock.currentTimeMillis
      }
      yield* (yield* AgentDrafts).replace(updated)
      yield* recordEvents([agentDraftEvent("draft.updated", updated)], updated.updatedAt)
      return updated
    })
  )
}, withSpan("updateAgentDraft"))

/** Deletes a draft. Its uploads expire. Fails with `AgentDraftOutdated` if it has none of the stated versions. */
export const removeAgentDraft = Effect.fnUntraced(function* (
  place: DraftPlace,
  draftId: string,
  versions: ReadonlyArray<number> | null
) {
  const { tenantId } = place
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const draft = yield* readVersion(place, draftId, versions)
      yield* (yield* AgentDrafts).remove(tenantId, draft.draftId)
      yield* recordEvents([agentDraftEvent("draft.dismissed", draft)], yield* Clock.currentTimeMillis)
    })
  )
}, withSpan("removeAgentDraft"))

/** Returns the result of an earlier send of the draft; null if it was not sent. Runs inside a unit of work. */
const replayOf = Effect.fnUntraced(function* ({ contactId, tenantId }: DraftPlace, draftId: string) {
  const sent = isId("draft", draftId) ? yield* (yield* Sends).findByKey(tenantId, agentDraftKey(draftId)) : null
  if (sent === null || sent.contactId !== contactId) return null
  if (sent.channel === "email") return yield* admitRepeated(sent)
  return { reservation: sent, replayed: true, deferred: false } satisfies TextAdmission
})

/** Returns the fingerprint of a draft's content. */
export const fingerprintOfDraft = (composition: Composition): string =>
  bytesToHex(sha256(utf8ToBytes(JSON.stringify(composition))))

/** Deletes a draft that becomes a message. Runs inside a unit of work. */
export const consumeDraft = Effect.fnUntraced(function* (draft: AgentDraft) {
  yield* (yield* AgentDrafts).remove(draft.tenantId, draft.draftId)
  yield* recordEvents([agentDraftEvent("draft.approved", draft)], yield* Clock.currentTimeMillis)
})

/** A draft in the version that a person wants to send. */
interface DraftSend {
  readonly tenant: Tenant
  readonly place: DraftPlace
  readonly draft: AgentDraft
  readonly override: SendOverride | null
}

/** Sends this version of the draft, unless it was sent or changed meanwhile. */
const admit = Effect.fnUntraced(function* ({ draft, override, place, tenant }: DraftSend) {
  const { tenantId } = tenant
  const { draftId, version } = draft
  const composition = yield* expandForward(tenantId, draft.composition)
  const rendered = yield* renderLongBody(tenantId, composition.body)
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const earlier = yield* replayOf(place, draftId)
      if (earlier !== null) return earlier
      yield* readVersion(place, draftId, [version])
      return yield* admitComposition({
        tenant,
        contact: yield* requireUnmergedContact(tenantId, place.contactId),
        composition,
        rendered,
        key: agentDraftKey(draftId),
        fingerprint: fingerprintOfDraft(composition),
        override,
        holder: draftId,
        claimed: true,
        besides: consumeDraft(draft)
      })
    })
  )
})

/**
 * Sends a draft, and deletes it in the same unit of work. Repeated requests send it only once. Fails with
 * `AgentDraftOutdated` if another person has changed it since the caller read it.
 */
export const sendAgentDraft = Effect.fnUntraced(
  function* (
    tenant: Tenant,
    place: DraftPlace,
    draftId: string,
    versions: ReadonlyArray<number> | null,
    override: SendOverride | null
  ) {
    const earlier = yield* (yield* Transactions).atomically(tenant.tenantId, replayOf(place, draftId))
    const admission =
      earlier ?? (yield* admit({ tenant, place, draft: yield* readVersion(place, draftId, versions), override }))
    return yield* "deferred" in admission ? transmitText(admission) : transmitAdmitted(admission)
  },
  Effect.uninterruptible,
  withSpan("sendAgentDraft")
)
