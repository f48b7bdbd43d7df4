import { Clock, Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { type CountedUsage, refundUsage } from "../billing/PayWithCredits.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import { ownAddresses } from "../../domain/email/Accounts.ts"
import type { ContactId, SignalId } from "../../domain/Id.ts"
import { Classifier } from "../../port/provider/Classifier.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { ReplyWriter, type ConversationMessage } from "../../port/provider/ReplyWriter.ts"
import { Signals } from "../../port/repository/pipeline/Signals.ts"
import { type StoreUnavailable, Transactions } from "../../port/system/Transactions.ts"
import { hostsIn } from "../../domain/reply/Mentions.ts"
import { checkReply } from "../reply/CheckReply.ts"
import { describeReason } from "../../domain/reason/Reason.ts"
import { consumeUsage, recordModelUse } from "../billing/Usage.ts"
import { decideRun } from "./DecideRun.ts"
import { ModelFailed, type ModelMissing, type ModelUse, type Recorded } from "../../domain/classification/Model.ts"
import type { CheckedReply, ModelNotCalled, Question, Recordings } from "../../domain/run/Recordings.ts"
import type { RunSubject } from "../../domain/run/RunSubject.ts"
import { signalLeaseMillis } from "../../domain/classification/Signal.ts"
import { withSpan } from "../WithSpan.ts"

/** The timeout of one model request in a queued run. The adapter may have a shorter one. */
export const modelTimeoutMillis = 300_000

/** The timeout of one model request when a client waits for the run. */
export const interactiveModelTimeoutMillis = 25_000

/** The maximum number of messages that the writer of a reply receives, including the answered one. */
export const maxConversationMessages = 10

/** The maximum length of one message that the writer receives, in characters. */
const spokenLength = 8_000

/** The model is unavailable, so the run must start again later. Nothing has been written. */
export class RunDelayed extends TaggedError("RunDelayed")<{
  readonly reason: string
  /** The delay that the provider requests, in milliseconds. Null when it requests none. */
  readonly retryAfterMillis: number | null
}> {}

/** The context of the model requests of a run. */
export interface GatherOptions {
  /** The signal whose lease is extended during the requests. Null when the run has no queued signal. */
  readonly signalId: SignalId | null
  /**
   * The contact whose messages the writer receives. Null for an unknown contact; the writer then receives only the
   * message itself.
   */
  readonly contactId: ContactId | null
  /**
   * True when the signal may be retried later. If it is false, a run without an available model ends without the
   * model's answer.
   */
  readonly mayDelay: boolean
}

const capReached: ModelNotCalled = { outcome: "skipped", reason: { code: "model_calls_used_up" } }

const isSpoken = ({ auto }: Message): boolean => auto === null || auto === "own"

/**
 * Returns the conversation up to now, oldest message first. For an unverified sender it contains only the message
 * itself, so that a reply cannot reveal earlier messages.
 */
const conversationOf = Effect.fnUntraced(function* (
  { message, now, tenant }: RunSubject,
  { contactId }: GatherOptions
) {
  const alone: ReadonlyArray<ConversationMessage> = [
    { actor: "contact", text: message.body.slice(0, spokenLength), at: now }
  ]
  if (contactId === null || message.flags.includes("sender_unverified")) return alone
  const page = yield* (yield* Messages).before(tenant.tenantId, contactId, null, maxConversationMessages)
  return page
    .toReversed()
    .filter(isSpoken)
    .map(({ actor, body, timestamp }): ConversationMessage => {
      return { actor, text: body.slice(0, spokenLength), at: timestamp }
    })
})

/** Extends the lease of a signal while `what` runs, because it may take longer than the lease. */
export const extendLeaseWhile = <A, E, R>(
  tenantId: string,
  { signalId }: Pick<GatherOptions, "signalId">,
  what: Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    if (signalId === null) return yield* what
    const { hold } = yield* Signals
    const holdOn = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.ignore(hold(tenantId, signalId, now + signalLeaseMillis))
    )
    const renewLease = Effect.forever(Effect.andThen(holdOn, Effect.sleep(signalLeaseMillis / 2)))
    return yield* Effect.raceFirst(what, renewLease)
  })

const failed = <A>(reason: string, use: ModelUse | null): Recorded<A> => ({ outcome: "failed", reason, use })

/**
 * Runs a model request, and counts its use. After a temporary failure, delays the run if `mayDelay`; otherwise the
 * failure is recorded as the answer.
 */
const record = <A, R>(
  counted: CountedUsage,
  callModel: Effect.Effect<
    { readonly value: A; readonly use: ModelUse },
    ModelMissing | ModelFailed | StoreUnavailable,
    R
  >,
  modelPolicy: GatherOptions
) =>
  Effect.gen(function* () {
    const { mayDelay } = modelPolicy
    const { tenantId } = counted
    const duration = mayDelay ? modelTimeoutMillis : interactiveModelTimeoutMillis
    const reason = `no answer within ${duration / 1_000} seconds`
    const tooSlow = () => Effect.fail(new ModelFailed({ reason, later: true, retryAfterMillis: null, use: null }))
    const { atomically } = yield* Transactions
    const answer = yield* extendLeaseWhile(
      tenantId,
      modelPolicy,
      Effect.timeoutOrElse(callModel, { duration, orElse: tooSlow })
    ).pipe(
      Effect.map(({ use, value }): Recorded<A> => ({ outcome: "answered", value, use })),
      Effect.catchTag("ModelMissing", () =>
        Effect.succeed(failed<A>(describeReason({ code: "model_not_configured" }), null))
      ),
      Effect.catchTag("ModelFailed", Effect.succeed)
    )
    // If no model was reached, the call is refunded.
    const refund = answer.use === null ? refundUsage(counted) : Effect.void
    yield* atomically(tenantId, Effect.andThen(refund, recordModelUse(tenantId, answer.use)))
    if ("outcome" in answer) return answer
    const { later, retryAfterMillis, use } = answer
    if (later && mayDelay) return yield* new RunDelayed({ reason: answer.reason, retryAfterMillis })
    return failed<A>(answer.reason, use)
  })

const requestClassification = Effect.fnUntraced(function* ({ message, tenant }: RunSubject) {
  const { body: text, channel, subject } = message
  const answer = yield* (yield* Classifier).classify({ tenantName: tenant.name, channel, subject, text })
  return { value: answer.classification, use: answer.use }
})

/**
 * Returns the reasons why a person must review a reply by a model. The reply may contain known addresses, and addresses
 * from the conversation.
 */
const concernsOf = Effect.fnUntraced(function* (
  text: string,
  { contact, message, tenant }: RunSubject,
  conversation: ReadonlyArray<ConversationMessage>
) {
  const own = ownAddresses(yield* (yield* Grants).list(tenant.tenantId))
  return checkReply({
    text,
    known: {
      emails: contact.email === null ? own : [contact.email, ...own],
      phones: contact.phone === null ? [] : [contact.phone],
      hosts: [
        ...(tenant.domain === null ? [] : [tenant.domain]),
        ...conversation.flatMap((spoken) => (spoken.actor === "agent" ? hostsIn(spoken.text) : []))
      ],
      texts: [...conversation.map((spoken) => spoken.text), message.subject ?? "", contact.name ?? "", tenant.name]
    },
    assistant: tenant.config.assistant,
    defaultCountry: tenant.config.defaultCountry
  })
})

const requestReply = Effect.fnUntraced(function* (
  subject: RunSubject,
  conversation: ReadonlyArray<ConversationMessage>,
  { classification }: Recordings
) {
  const { contact, message, tenant } = subject
  const answer = yield* (yield* ReplyWriter).write({
    tenantName: tenant.name,
    assistant: tenant.config.assistant,
    contactName: contact.name,
    channel: message.channel,
    subject: message.subject,
    classification: classification?.outcome === "answered" ? classification.value : null,
    conversation
  })
  const value: CheckedReply = {
    text: answer.text.trim(),
    concerns: yield* concernsOf(answer.text, subject, conversation)
  }
  return { value, use: answer.use }
})

/** Asks a model one question. The call is counted before the request, because it costs money. */
const callModel = Effect.fnUntraced(function* (
  question: Question,
  subject: RunSubject,
  known: Recordings,
  modelPolicy: GatherOptions
) {
  const { tenantId } = subject.tenant
  const counted = yield* consumeUsage(tenantId, "ai_calls").pipe(
    Effect.catchTag("UsageCapReached", () => Effect.succeed(null))
  )
  if (counted === null) return { ...known, [question]: capReached }
  if (question === "classification") {
    const classification = yield* record(counted, requestClassification(subject), modelPolicy)
    return { ...known, classification } satisfies Recordings
  }
  const conversation = yield* conversationOf(subject, modelPolicy)
  const reply = yield* record(counted, requestReply(subject, conversation, known), modelPolicy)
  return { ...known, reply } satisfies Recordings
})

/**
 * Decides a run, and asks a model every question that the decision needs. Questions that `known` answers are not asked
 * again. Returns the answers and the decision. Uses the network, so it must run outside a unit of work. After a
 * temporary failure of the model, fails with `RunDelayed` if the run may be delayed; otherwise the failure is recorded
 * as the answer.
 */
export const gatherRun = Effect.fnUntraced(function* (
  subject: RunSubject,
  known: Recordings,
  modelPolicy: GatherOptions
) {
  let recordings = known
  let decision = yield* decideRun(subject, recordings)
  while (decision.question !== null) {
    recordings = yield* callModel(decision.question, subject, recordings, modelPolicy)
    decision = yield* decideRun(subject, recordings)
  }
  return { recordings, decision }
}, withSpan("gatherRun"))
