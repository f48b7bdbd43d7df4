import { Clock, Effect } from "effect"
import { agentDraftKey } from "../../domain/draft/AgentDraft.ts"
import { isId } from "../../domain/Id.ts"
import { Uploads } from "../../port/repository/conversation/Uploads.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { consumeDraft, type DraftPlace, fingerprintOfDraft, readVersion } from "../draft/AgentDrafts.ts"
import { expandForward } from "../forward/ForwardMail.ts"
import { findEarlierScheduled } from "../sending/SendOnce.ts"
import { withSpan } from "../WithSpan.ts"
import { insertScheduled, type Scheduled, type ScheduleRequest } from "./ScheduleSend.ts"

/** A request to send a draft later. */
export interface DraftToSchedule extends Pick<ScheduleRequest, "createdBy" | "override" | "schedule" | "tenant"> {
  readonly place: DraftPlace
  readonly draftId: string
  /** The versions that the caller has read. Null accepts every version. */
  readonly versions: ReadonlyArray<number> | null
}

/** Returns the scheduled message that the draft has already become. Runs inside a unit of work. */
const replayOf = Effect.fnUntraced(function* ({ draftId, place }: DraftToSchedule, now: number) {
  if (!isId("draft", draftId)) return null
  const earlier = yield* findEarlierScheduled(place.tenantId, agentDraftKey(draftId), now)
  return earlier !== null && earlier.contactId === place.contactId ? earlier : null
})

/**
 * Turns a draft into a message that is sent later, in one unit of work. Repeated requests return the same message. Fails
 * with `AgentDraftOutdated` if another person has changed the draft since the caller read it.
 */
export const scheduleAgentDraft = Effect.fnUntraced(function* (request: DraftToSchedule) {
  const { draftId, place, versions } = request
  const { tenantId } = place
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const earlier = yield* replayOf(request, now)
      if (earlier !== null) return { scheduled: earlier, replayed: true } satisfies Scheduled as Scheduled
      const draft = yield* readVersion(place, draftId, versions)
      const composition = yield* expandForward(tenantId, draft.composition)
      yield* consumeDraft(draft)
      yield* (yield* Uploads).hold(tenantId, [], draft.draftId)
      const { contactId } = draft
      const fingerprint = fingerprintOfDraft(composition)
      const scheduling = { ...request, contactId, composition, fingerprint, idempotencyKey: null }
      const scheduled = yield* insertScheduled(scheduling, agentDraftKey(draft.draftId), now)
      return { scheduled, replayed: false } satisfies Scheduled as Scheduled
    })
  )
}, withSpan("scheduleAgentDraft"))
