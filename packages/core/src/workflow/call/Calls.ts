import { Clock, Effect } from "effect"
import {
  type Call,
  type CallKey,
  CallProviderUnavailable,
  type CallQuery,
  isOver,
  RecordingNotFound
} from "../../domain/call/Call.ts"
import type { CursorKey } from "../../domain/conversation/Cursor.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { VoiceProvider } from "../../port/provider/VoiceProvider.ts"
import { Calls } from "../../port/repository/conversation/Calls.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { withSpan } from "../WithSpan.ts"

const readKey = ([startedAt, callId]: CursorKey): CallKey | null =>
  typeof startedAt === "number" && typeof callId === "string" ? { startedAt, callId } : null

/** Returns a page of calls, newest first. */
export const listCalls = Effect.fnUntraced(function* (tenantId: string, query: CallQuery, page: PageRequest) {
  const calls = yield* Calls
  return yield* readPage(
    {
      scope: { tenantId, list: "calls", filters: { ...query } },
      fetch: (limit, after: CallKey | null) => calls.page(tenantId, query, limit, after),
      keyOf: ({ callId, startedAt }) => [startedAt, callId],
      readKey
    },
    page
  )
}, withSpan("listCalls"))

/** The maximum number of recorded calls in which a playable recording is searched. */
const lookedAt = 5

/** Asks the provider for a recording that it has not reported, because its event may be lost. */
const findRecording = Effect.fnUntraced(function* (call: Call) {
  const { providerCallId, tenantId } = call
  if (providerCallId === null || !isOver(call)) return null
  const legs = [...new Set([providerCallId, call.contactLeg ?? providerCallId])]
  const voice = yield* VoiceProvider
  for (const leg of legs) {
    const found = (yield* voice.recordings(leg)).find(({ ready }) => ready)
    if (found === undefined) continue
    const calls = yield* Calls
    const { recordingId, seconds: recordingSeconds } = found
    const updatedAt = yield* Clock.currentTimeMillis
    const received = { recording: "ready", recordingId, recordingSeconds, updatedAt } as const
    return yield* (yield* Transactions).atomically(
      tenantId,
      calls.get(tenantId, call.callId).pipe(
        Effect.flatMap((there) => Effect.as(calls.update({ ...there, ...received }), { ...there, ...received })),
        Effect.catchTag("CallNotFound", () => Effect.succeed(null))
      )
    )
  }
  return null
})

const newest = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  const { name } = yield* VoiceProvider
  for (const call of yield* (yield* Calls).recorded(tenantId, contactId, lookedAt)) {
    if (call.provider !== name) continue
    const received: Call | null = call.recording === "ready" ? call : yield* findRecording(call)
    if (received !== null && received.recordingId !== null) return { call: received, recordingId: received.recordingId }
  }
  return null
})

/** Returns the newest recording of a contact's calls. The audio is that of the provider, unchanged. */
export const readRecording = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  yield* requireUnmergedContact(tenantId, contactId)
  const notFound = new RecordingNotFound({ contactId })
  return yield* Effect.gen(function* () {
    const found = yield* newest(tenantId, contactId)
    if (found === null) return yield* notFound
    return { call: found.call, sound: yield* (yield* VoiceProvider).sound(found.recordingId) }
  }).pipe(
    Effect.catchReason("ProviderFailure", "Gone", () => Effect.fail(notFound)),
    Effect.catchTag("ProviderFailure", ({ message }) => Effect.fail(new CallProviderUnavailable({ reason: message })))
  )
}, withSpan("readRecording"))
