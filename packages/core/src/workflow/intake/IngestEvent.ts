import { Clock, Effect } from "effect"
import { identitiesOf } from "../../domain/contact/Identity.ts"
import { profileOf } from "../../domain/contact/Resolve.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { acceptRequest } from "./AcceptMessage.ts"
import { type Inbound, plainInbound } from "./Inbound.ts"
import type { MessageRequestKey } from "../../domain/access/IdempotencyRecord.ts"
import type { EventId, MessageId } from "../../domain/Id.ts"
import type { Channel } from "../../domain/Channel.ts"
import { Ids } from "../../port/system/Ids.ts"
import { evaluateRulesInSlices } from "../../domain/rule/EvaluateRulesInSlices.ts"
import { factsOf } from "../../domain/rule/Fact.ts"
import { CompiledConfigs } from "../../domain/tenant/CompiledConfigs.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { runBudgeted } from "../budget/RunBudgeted.ts"
import { subjectOfInput } from "./PipelineInput.ts"
import { withSpan } from "../WithSpan.ts"

/** A custom event from a source, with defaults for missing fields. */
export interface CustomEvent {
  readonly entity: {
    readonly id: string | null
    readonly name: string | null
    readonly email: string | null
    readonly phone: string | null
    readonly company: string | null
  }
  readonly body: string
  readonly subject: string | null
  readonly channel: Channel
  readonly direction: "inbound" | "outbound"
  /** The metadata of the event, its content and its entity, merged into one object. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** The time in epoch milliseconds. Null stands for the current time. */
  readonly timestamp: number | null
  /** The sender's id of the message, from `content.metadata.message_id`. Null when there is none. */
  readonly messageId: string | null
}

/**
 * Returns the public id of a custom event. It is derived from the id of the event's message, so a duplicate gets the
 * same id.
 */
export const eventIdOf = (messageId: MessageId): EventId => `evt_${messageId.slice("msg_".length)}`

const dedupKeys = (sourceId: string, event: CustomEvent, request: MessageRequestKey | null): ReadonlyArray<string> => {
  if (request !== null) return [`event:${encodeURIComponent(sourceId)}:key:${request.key}`]
  return event.messageId === null ? [] : [`event:${encodeURIComponent(sourceId)}:id:${event.messageId}`]
}

const toInbound = (
  tenant: Tenant,
  sourceId: string,
  event: CustomEvent,
  request: MessageRequestKey | null,
  now: number
): Inbound => {
  const { company, email, id, name, phone } = event.entity
  const claims = { email, phone, externalId: id, source: sourceId }
  const { identities, issues } = identitiesOf(claims, tenant.config.defaultCountry, parsePhoneMemoized)
  const inbound = event.direction === "inbound"
  return {
    ...plainInbound,
    tenant,
    channel: event.channel,
    source: sourceId,
    actor: inbound ? "contact" : "agent",
    identities,
    profile: profileOf(identities, { name, company }),
    body: event.body,
    subject: event.subject,
    metadata: event.metadata,
    timestamp: Math.min(event.timestamp ?? now, now),
    dedupKeys: dedupKeys(sourceId, event, request),
    ...(request === null ? {} : { fingerprint: request.fingerprint }),
    pipeline: inbound ? "queue" : "none",
    detail: issues.length === 0 ? null : issues.map((issue) => `${issue.field}: ${issue.message}`).join(" ")
  }
}

/**
 * Ingests a custom event. Workers run the pipeline later. A repeated event returns the same id. Fails with
 * `IdempotencyConflict` for a different event with the same `Idempotency-Key`. Keys of different sources are
 * independent.
 */
export const ingestEvent = Effect.fnUntraced(function* (input: {
  readonly tenant: Tenant
  readonly sourceId: string
  readonly event: CustomEvent
  readonly requestKey: MessageRequestKey | null
}) {
  const now = yield* Clock.currentTimeMillis
  const inbound = toInbound(input.tenant, input.sourceId, input.event, input.requestKey, now)
  const accepted = yield* acceptRequest(inbound)
  // A copy of an erased message has no message id from which the event id could be derived.
  const eventId = accepted.messageId === null ? yield* (yield* Ids).next("evt") : eventIdOf(accepted.messageId)
  return { eventId, accepted }
}, withSpan("ingestEvent"))

/**
 * Evaluates only the rules for a custom event (`mode=sync`). Does not classify, score, store or act, so classification
 * and score are missing facts for the rules. Fails with `BudgetExceeded` where a run would end for review.
 */
export const routeEvent = Effect.fnUntraced(function* (input: {
  readonly tenant: Tenant
  readonly sourceId: string
  readonly event: CustomEvent
}) {
  const { event, sourceId, tenant } = input
  const now = yield* Clock.currentTimeMillis
  const { rules, timeAt } = yield* (yield* CompiledConfigs).of(tenant)
  const request = {
    message: event.body,
    contact: event.entity,
    channel: event.channel,
    source: sourceId,
    metadata: event.metadata,
    idempotencyKey: null
  }
  const subject = yield* subjectOfInput(tenant, request, now)
  const message = { ...subject.message, subject: event.subject }
  const facts = factsOf({ ...subject, message, classification: null, score: null, time: timeAt(now) })
  const { matched } = yield* runBudgeted(tenant.tenantId, (budget) => evaluateRulesInSlices(rules, facts, budget))
  return {
    eventId: yield* (yield* Ids).next("evt"),
    matchedRules: matched.length,
    actions: matched.flatMap(({ actions }) => actions.map((action) => action.type))
  }
}, withSpan("routeEvent"))
