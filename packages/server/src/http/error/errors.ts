import type { StreamLimitReached } from "../stream/EventStreams.ts"
import { maxEchoLength, shorten } from "@leadloom/api/Echo"
import {
  ActionFailed,
  AiLimitReached,
  BadRequest,
  Conflict,
  GuardrailBlocked as Blocked,
  IdempotencyConflict as KeyConflict,
  IdempotencyInProgress as KeyInProgress,
  KeyLimitReached as KeyLimit,
  NotFound,
  PlanRestricted as Restricted,
  PreconditionFailed,
  ServiceUnavailable,
  Unauthorized,
  UsageLimitReached
} from "@leadloom/api/errors"
import type { SourceKeyNotFound } from "@leadloom/core/workflow/access/Authenticate"
import type { LeakedKeyLimitExceeded } from "@leadloom/core/workflow/access/LeakedKeys"
import type { SessionsNotConfigured } from "@leadloom/core/workflow/access/MintSession"
import type { KeyExpiryPast, KeyLimitReached, KeyNotActive, KeyNotFound } from "@leadloom/core/domain/access/StoredKey"
import type { BatchNotFound } from "@leadloom/core/domain/tenant/Batch"
import type { ConversationNotFound } from "@leadloom/core/domain/conversation/Conversation"
import type { CursorInvalid } from "@leadloom/core/domain/conversation/Cursor"
import {
  type ChannelNotWritable,
  contentHash,
  type DraftChange,
  type DraftChanged,
  type DraftNotFound
} from "@leadloom/core/domain/draft/Draft"
import type { BudgetExceeded } from "@leadloom/core/domain/budget/Budget"
import type { GuardrailBlocked } from "@leadloom/core/workflow/draft/ApproveDraft"
import type { NotInConversation } from "@leadloom/core/domain/conversation/Message"
import type { AnswerableEmailNotFound } from "@leadloom/core/workflow/conversation/SendMessage"
import type { IdempotencyConflict, IdempotencyInProgress } from "@leadloom/core/domain/sending/Reservation"
import type { FormInvalid } from "@leadloom/core/workflow/intake/Submission"
import type { ResponseExpired } from "@leadloom/core/workflow/access/RunIdempotent"
import type { LeadMerged, LeadNotFound, LeadRequestInvalid } from "@leadloom/core/domain/lead/Lead"
import type { TransitionIllegal } from "@leadloom/core/domain/lead/LeadState"
import type { PlanRestricted } from "@leadloom/core/domain/billing/Plan"
import type { UsageCapReached } from "@leadloom/core/workflow/billing/Usage"
import type { ModelFailed, ModelMissing } from "@leadloom/core/domain/classification/Model"
import type { RunNotFound } from "@leadloom/core/workflow/pipeline/Runs"
import type { RunNotReplayable } from "@leadloom/core/workflow/pipeline/ReplayRun"
import type { ProofInvalid, ProofsNotConfigured } from "@leadloom/core/port/provider/CrmProofs"
import type { HumanCheckUnavailable, HumanCheckFailed } from "@leadloom/core/port/provider/HumanCheck"
import type { IdTokensUnavailable } from "@leadloom/core/port/provider/IdTokens"
import type { ParserUnavailable } from "@leadloom/core/port/provider/MailParser"
import type { ObjectsUnavailable } from "@leadloom/core/port/system/Objects"
import type { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import type { ArchiveConflict, ArchiveInvalid } from "@leadloom/core/domain/privacy/Archive"
import type { ErasureNotConfirmed } from "@leadloom/core/domain/privacy/Erasure"
import type { TaskNotFound, TaskRequestInvalid } from "@leadloom/core/domain/task/Task"
import type { SourceInvalid } from "@leadloom/core/workflow/access/Sources"
import type { TenantInvalid } from "@leadloom/core/workflow/tenant/Tenants"
import type { ConfigInvalid } from "@leadloom/core/workflow/tenant/SaveConfig"
import type { ConfigCustomized } from "@leadloom/core/workflow/tenant/ScaffoldConfig"
import type { SourceExists, SourceNotFound } from "@leadloom/core/domain/access/Source"
import type {
  ConfigConflict,
  ConfigOutdated,
  ConfigVersionNotFound,
  DomainTaken,
  TenantExists,
  TenantNotFound
} from "@leadloom/core/domain/tenant/Tenant"
import { Effect } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { field } from "./Field.ts"
import { billingErrors } from "./BillingErrors.ts"
import { contactErrors } from "./ContactErrors.ts"
import { crmErrors } from "./CrmErrors.ts"
import { emailErrors } from "./EmailErrors.ts"
import { numberErrors } from "./NumberErrors.ts"
import { webhookErrors } from "./WebhookErrors.ts"

const draftChanges: Readonly<Record<DraftChange, string>> = {
  superseded: "The conversation has moved on since this draft was written. Read it again.",
  dismissed: "This draft was dismissed.",
  edited: "This is not the text that was seen. Read the conversation again.",
  newer_message: "There is a newer message than the one that was seen. Read the conversation again.",
  sent: "This draft was sent already, as the message that details name."
}

/** The one table from what the domain says to what the wire says. */
const rows = {
  TenantNotFound: ({ tenantId }: TenantNotFound) => NotFound.of(`There is no tenant ${tenantId}.`),
  TenantExists: ({ tenantId }: TenantExists) => Conflict.of(`The tenant id ${tenantId} is taken.`),
  DomainTaken: ({ domain }: DomainTaken) =>
    Conflict.of(
      `The domain ${domain} belongs to another tenant, or an account on it does. Archive or disconnect that one first.`
    ),
  TenantInvalid: (error: TenantInvalid) => field(error.field, error.reason),
  ProofInvalid: (_: ProofInvalid) =>
    Unauthorized.of("This location needs a proof: what the CRM gives its embedded page about its user."),
  ProofsNotConfigured: ({ setting }: ProofsNotConfigured) =>
    ServiceUnavailable.of(`Proofs of the CRM cannot be opened here: ${setting} is not set.`),
  SourceNotFound: ({ sourceId }: SourceNotFound) => NotFound.of(`There is no source ${sourceId}.`),
  SourceExists: ({ sourceId }: SourceExists) => Conflict.of(`There is a source ${sourceId} already.`),
  SourceInvalid: ({ reason }: SourceInvalid) => field("source_id", reason),
  SourceKeyNotFound: ({ sourceId }: SourceKeyNotFound) =>
    ServiceUnavailable.of(`Source webhook key configuration is missing: create the source ${sourceId} first.`),
  ConfigInvalid: ({ issues }: ConfigInvalid) => BadRequest.of("The configuration was not saved.", issues),
  ConfigConflict: ({ currentVersion }: ConfigConflict) =>
    Conflict.of("The configuration was changed in between. Read it again and repeat the change.", {
      version: currentVersion
    }),
  ConfigOutdated: ({ currentVersion }: ConfigOutdated) =>
    PreconditionFailed.of(`The configuration is at version ${currentVersion}. Read it again and repeat the change.`, {
      version: currentVersion
    }),
  ConfigCustomized: ({ currentVersion }: ConfigCustomized) =>
    Conflict.of(
      `Somebody has changed this configuration. Send "overwrite": true to replace it; version ${currentVersion} stays readable.`,
      { version: currentVersion }
    ),
  ConfigVersionNotFound: ({ tenantId, version }: ConfigVersionNotFound) =>
    NotFound.of(`There is no version ${version} of the configuration of ${tenantId}.`),
  BudgetExceeded: ({ reason }: BudgetExceeded) =>
    BadRequest.of(
      `The rules of this tenant cannot be asked about this event: ${reason}. Send less text or simplify the rules.`
    ),
  GuardrailBlocked: ({ guardrailId, reason }: GuardrailBlocked) =>
    Blocked.of(`The guardrail "${guardrailId}" blocks this text: ${reason}. Change the text and approve it again.`, {
      guardrail_id: guardrailId,
      reason
    }),
  KeyLimitReached: ({ limit }: KeyLimitReached) =>
    KeyLimit.of(`The tenant has ${limit} active API keys, which is as many as it may. Revoke or rotate one.`),
  KeyNotFound: ({ keyId }: KeyNotFound) => NotFound.of(`There is no API key ${keyId}.`),
  KeyNotActive: ({ keyId }: KeyNotActive) =>
    Conflict.of(`The API key ${keyId} is revoked, expired or already rotated. Create a new one.`),
  KeyExpiryPast: (_: KeyExpiryPast) => field("expires_at", "Has to be in the future."),
  LeakedKeyLimitExceeded: ({ limit }: LeakedKeyLimitExceeded) =>
    field("text", `Holds more than ${limit} keys. Send it in parts.`),
  SessionsNotConfigured: (_: SessionsNotConfigured) =>
    ServiceUnavailable.of("Session signing is not configured on this server."),
  ConversationNotFound: ({ contactId }: ConversationNotFound) =>
    NotFound.of(`There is no conversation with a contact ${contactId}.`),
  LeadNotFound: ({ leadId }: LeadNotFound) => NotFound.of(`There is no lead ${leadId}.`),
  LeadMerged: ({ leadId, mergedInto }: LeadMerged) =>
    Conflict.of(`The lead ${leadId} was merged into ${mergedInto}: change that one.`, { merged_into: mergedInto }),
  LeadRequestInvalid: ({ issues }: LeadRequestInvalid) =>
    BadRequest.of("The request has a field that does not do.", issues),
  TransitionIllegal: ({ from, legal, to }: TransitionIllegal) =>
    Conflict.of(`A lead goes from ${from} to ${legal.join(" or ")}, not to ${to}.`, {
      state: from,
      legal_states: legal
    }),
  TaskNotFound: ({ taskId }: TaskNotFound) => NotFound.of(`There is no task ${taskId}.`),
  TaskRequestInvalid: ({ issues }: TaskRequestInvalid) =>
    BadRequest.of("The request has a field that does not do.", issues),
  NotInConversation: ({ messageId }: NotInConversation) =>
    NotFound.of(`There is no message ${messageId} in this conversation.`),
  DraftNotFound: ({ contactId, tenantId }: DraftNotFound) =>
    NotFound.of(
      `There is no such draft for ${contactId}. Write yourself: POST /api/v1/tenants/${tenantId}/conversations/${contactId}/messages`
    ),
  DraftChanged: ({ current, messageId, reason }: DraftChanged) =>
    Conflict.of(draftChanges[reason], {
      reason,
      message_id: messageId,
      draft_id: current?.draftId ?? null,
      content_hash: current === null ? null : contentHash(current.text),
      head_message_id: current?.headMessageId ?? null
    }),
  ChannelNotWritable: ({ channel, contactId, tenantId }: ChannelNotWritable) =>
    Conflict.of(
      `Nothing here sends on the channel ${channel}. Take the text of the draft there, and dismiss it: POST /api/v1/tenants/${tenantId}/conversations/${contactId}/dismiss-draft`
    ),
  RunNotFound: ({ signalId }: RunNotFound) => NotFound.of(`There is no run of ${signalId}, or none yet.`),
  RunNotReplayable: ({ reason, signalId }: RunNotReplayable) =>
    Conflict.of(`The run of ${signalId} cannot be replayed. ${reason}`),
  CursorInvalid: (_: CursorInvalid) =>
    field("cursor", "This cursor does not belong to this list. Start again from the first page."),
  UsageCapReached: ({ cap, kind }: UsageCapReached) =>
    kind === "ai_calls"
      ? AiLimitReached.of(`This month's ${cap} AI calls are used up.`)
      : UsageLimitReached.of(`This month's ${cap} actions are used up.`),
  PlanRestricted: ({ needed, plan, tenantId, what }: PlanRestricted) =>
    Restricted.of(
      `${what} need the plan ${needed} or a larger one; ${tenantId} is on ${plan}. Ask the operator to move it: PATCH /api/v1/admin/tenants/${tenantId}`,
      { plan, needed }
    ),
  BatchNotFound: ({ batchId }: BatchNotFound) => NotFound.of(`There is no batch ${batchId}.`),
  AnswerableEmailNotFound: ({ contactId, tenantId }: AnswerableEmailNotFound) =>
    Conflict.of(
      `There is no email lead of ${contactId} to answer. Write a first email: POST /api/v1/tenants/${tenantId}/email/send`
    ),
  ArchiveInvalid: ({ entry, reason }: ArchiveInvalid) =>
    BadRequest.of(`The archive cannot be taken in: ${entry}: ${reason}`, [{ path: entry, message: reason }]),
  ArchiveConflict: ({ entry, reason }: ArchiveConflict) =>
    Conflict.of(`The archive does not fit what is here: ${entry}: ${reason}.`, { entry, reason }),
  ErasureNotConfirmed: ({ contactId }: ErasureNotConfirmed) =>
    field("confirm", `Erasing cannot be undone. Send ${JSON.stringify(contactId)} to confirm it.`),
  StreamLimitReached: ({ limit }: StreamLimitReached) =>
    Conflict.of(`${limit} streams of this tenant's events are open, which is as many as may be. Close one.`),
  IdempotencyConflict: (_: IdempotencyConflict) =>
    KeyConflict.of("This Idempotency-Key came before with another request. Use a new key for a new request."),
  IdempotencyInProgress: (_: IdempotencyInProgress) =>
    KeyInProgress.of("The first request under this Idempotency-Key is still being carried out. Ask again in a moment."),
  ResponseExpired: (_: ResponseExpired) =>
    KeyConflict.of(
      "The request under this Idempotency-Key was carried out, and nothing was done again; its answer is kept no longer. Read what it made."
    ),
  // The specification fixes how this one begins.
  ModelMissing: (_: ModelMissing) =>
    ActionFailed.of("LLM provider not configured: this server has no language model to ask."),
  ModelFailed: ({ later, reason }: ModelFailed) =>
    ActionFailed.of(
      `There is no answer from ${reason}. ${later ? "Try again later." : "Asking the same again does not help."}`
    ),
  FormInvalid: ({ issues }: FormInvalid) => BadRequest.of("The form has fields that cannot be taken.", issues),
  HumanCheckFailed: ({ reason }: HumanCheckFailed) =>
    BadRequest.of("Nothing shows that a person has filled this form in.", [{ path: "proof", message: reason }]),
  HumanCheckUnavailable: (_: HumanCheckUnavailable) =>
    ServiceUnavailable.of("Nobody can tell at the moment whether a person has filled this form in. Try again later."),
  ParserUnavailable: (_: ParserUnavailable) =>
    ServiceUnavailable.of("Too much content is waiting to be parsed. Try again in a moment."),
  ObjectsUnavailable: (_: ObjectsUnavailable) => ServiceUnavailable.of("The object store does not answer. Try again."),
  IdTokensUnavailable: (_: IdTokensUnavailable) =>
    ServiceUnavailable.of("The identity provider cannot be asked about this token's key. Try again."),
  StoreUnavailable: (_: StoreUnavailable) => ServiceUnavailable.of("The data store does not answer. Try again."),
  ...billingErrors,
  ...contactErrors,
  ...crmErrors,
  ...emailErrors,
  ...numberErrors,
  ...webhookErrors
} as const

type Rows = typeof rows

/** Errors that have a row. */
export type DomainError = Parameters<Rows[keyof Rows]>[0]

/** What the rows of these errors answer. */
export type WireError<E extends DomainError> = E extends { readonly _tag: infer Tag extends keyof Rows }
  ? ReturnType<Rows[Tag]>
  : never

/** An error in the words of the wire. */
export function toWire<E extends DomainError>(error: E): WireError<E>
export function toWire(error: DomainError): WireError<DomainError> {
  // A row takes the error of its own tag: what the compiler cannot follow through the index.
  const row = rows[error._tag] as (error: object) => WireError<DomainError>
  return row(echoable(error))
}

/** Texts of ours in a domain error. All others may repeat what a caller has sent. */
const ownTexts = new Set(["_tag", "reason", "message"])

/** A domain error as it is, but with what its fields repeat of a request shortened. */
const echoable = (error: object): object => {
  const long = Object.entries(error).filter(
    ([name, value]) => typeof value === "string" && value.length > maxEchoLength && !ownTexts.has(name)
  )
  return long.length === 0
    ? error
    : Object.create(error, Object.fromEntries(long.map(([name, value]) => [name, { value: shorten(String(value)) }])))
}

/** What is out, in the words of the log. */
const outages = {
  StoreUnavailable: "The store is unavailable",
  ObjectsUnavailable: "The store is unavailable",
  ParserUnavailable: "Content cannot be parsed",
  IdTokensUnavailable: "The identity provider is unavailable"
}

/** An outage is over as soon as the database answers again: who waits a second asks nobody too much. */
const comeBack = HttpEffect.appendPreResponseHandler((_, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", "1"))
)

/**
 * Answers in the words of the wire. An error without a row does not compile, nor does an answer that the endpoint does
 * not declare. What the store said goes to the log, never to the client.
 */
export const answer = <A, E extends DomainError, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, WireError<E>, R | HttpServerRequest.HttpServerRequest> =>
  effect.pipe(
    Effect.tapError((error) =>
      error._tag === "StoreUnavailable" ||
      error._tag === "ObjectsUnavailable" ||
      error._tag === "ParserUnavailable" ||
      error._tag === "IdTokensUnavailable"
        ? Effect.andThen(comeBack, Effect.logError(outages[error._tag], { reason: error.reason }))
        : error._tag === "HumanCheckUnavailable"
          ? Effect.logError("Forms cannot be verified", { reason: error.reason })
          : Effect.void
    ),
    Effect.mapError((error) => toWire(error))
  )
