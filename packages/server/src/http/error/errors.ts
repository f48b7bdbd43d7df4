/**
 * The mapping of domain errors to wire errors, one file per part of the domain. Error schemas belong in
 * `packages/api`. Tests: `packages/server/test/http/errors.test.ts`.
 */

import type { StreamLimitReached } from "../stream/EventStreams.ts"
import { maxEchoLength, shorten } from "@leadloom/api/internal/Echo"
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
} from "@leadloom/api/internal/errors"
import type { SourceKeyNotFound } from "@leadloom/core/internal/workflow/access/Authenticate"
import type { LeakedKeyLimitExceeded } from "@leadloom/core/internal/workflow/access/LeakedKeys"
import type { ConsoleSessionNotFound, NotConsoleSession } from "@leadloom/core/internal/domain/access/ConsoleSession"
import type { SignInTicketInvalid } from "@leadloom/core/internal/workflow/access/SignInTickets"
import type { SessionsNotConfigured } from "@leadloom/core/internal/workflow/access/MintSession"
import type {
  KeyExpiryPast,
  KeyLimitReached,
  KeyNotActive,
  KeyNotFound
} from "@leadloom/core/internal/domain/access/StoredKey"
import type { BatchNotFound } from "@leadloom/core/internal/domain/tenant/Batch"
import { isoTime } from "@leadloom/api/internal/schema/Field"
import { waitToJson } from "@leadloom/api/internal/inbox/Conversations"
import type { ConversationNotFound } from "@leadloom/core/internal/domain/conversation/Conversation"
import type { CursorInvalid } from "@leadloom/core/internal/domain/conversation/Cursor"
import {
  type ChannelNotWritable,
  contentHash,
  type DraftChange,
  type DraftChanged,
  type DraftNotFound
} from "@leadloom/core/internal/domain/draft/Draft"
import type { BudgetExceeded } from "@leadloom/core/internal/domain/budget/Budget"
import type { GuardrailBlocked } from "@leadloom/core/internal/workflow/draft/ApproveDraft"
import type { NotInConversation } from "@leadloom/core/internal/domain/conversation/Message"
import type {
  AnswerableEmailNotFound,
  IdempotencyConflict,
  IdempotencyInProgress
} from "@leadloom/core/internal/domain/sending/Reservation"
import type { FormInvalid } from "@leadloom/core/internal/workflow/intake/Submission"
import type { ResponseExpired } from "@leadloom/core/internal/workflow/access/RunIdempotent"
import type { LeadMerged, LeadNotFound, LeadRequestInvalid } from "@leadloom/core/internal/domain/lead/Lead"
import type { TransitionIllegal } from "@leadloom/core/internal/domain/lead/LeadState"
import type { PlanRestricted } from "@leadloom/core/internal/domain/billing/Plan"
import type { UsageCapReached } from "@leadloom/core/internal/workflow/billing/Usage"
import type { ModelFailed, ModelMissing } from "@leadloom/core/internal/domain/classification/Model"
import type { RunNotFound } from "@leadloom/core/internal/workflow/pipeline/Runs"
import type { RunNotReplayable } from "@leadloom/core/internal/workflow/pipeline/ReplayRun"
import type { ProofInvalid } from "@leadloom/core/internal/port/provider/CrmProofs"
import type { ProviderFailure } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import type { HumanCheckUnavailable, HumanCheckFailed } from "@leadloom/core/internal/port/provider/HumanCheck"
import type { IdTokensUnavailable } from "@leadloom/core/internal/port/provider/IdTokens"
import type { ParserUnavailable } from "@leadloom/core/internal/port/provider/MailParser"
import type { ObjectsUnavailable } from "@leadloom/core/internal/port/system/Objects"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import type { ArchiveConflict, ArchiveInvalid } from "@leadloom/core/internal/domain/privacy/Archive"
import type { ErasureNotConfirmed } from "@leadloom/core/internal/domain/privacy/Erasure"
import type { TaskNotFound, TaskRequestInvalid } from "@leadloom/core/internal/domain/task/Task"
import type { SourceInvalid } from "@leadloom/core/internal/workflow/access/Sources"
import type { TenantInvalid } from "@leadloom/core/internal/workflow/tenant/Tenants"
import type { ConfigInvalid } from "@leadloom/core/internal/workflow/tenant/SaveConfig"
import type { ConfigCustomized } from "@leadloom/core/internal/workflow/tenant/ScaffoldConfig"
import type { SourceExists, SourceNotFound } from "@leadloom/core/internal/domain/access/Source"
import type {
  ConfigConflict,
  ConfigOutdated,
  ConfigVersionNotFound,
  DomainTaken,
  TenantExists,
  TenantNotFound
} from "@leadloom/core/internal/domain/tenant/Tenant"
import { Effect } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { field } from "./Field.ts"
import { billingErrors } from "./BillingErrors.ts"
import { contactErrors } from "./ContactErrors.ts"
import { threadErrors } from "./ThreadErrors.ts"
import { crmErrors } from "./CrmErrors.ts"
import { emailErrors } from "./EmailErrors.ts"
import { sequenceErrors } from "./SequenceErrors.ts"
import { ruleErrors } from "./RuleErrors.ts"
import { inboxErrors } from "./InboxErrors.ts"
import { numberErrors } from "./NumberErrors.ts"
import { leadErrors } from "./LeadErrors.ts"
import { providerErrors, type ProviderWireError } from "./ProviderErrors.ts"
import { userErrors } from "./UserErrors.ts"
import { sendingErrors } from "./SendingErrors.ts"
import { webhookErrors } from "./WebhookErrors.ts"
import { log } from "../../LogEvents.ts"

const draftChanges: Readonly<Record<DraftChange, string>> = {
  superseded: "The conversation has changed since this draft was written. Read the conversation again.",
  dismissed: "This draft is already dismissed.",
  edited: "The text of the draft has changed since you read it. Read the conversation again.",
  newer_message: "A newer message has arrived since you read the conversation. Read the conversation again.",
  sent: "This draft is already sent. The details contain its message."
}

/**
 * Maps every domain error to a wire error. A missing row does not compile.
 */
const rows = {
  TenantNotFound: ({ tenantId }: TenantNotFound) => NotFound.of(`There is no tenant ${tenantId}.`),
  TenantExists: ({ tenantId }: TenantExists) =>
    Conflict.of(`The tenant id ${tenantId} already exists. Choose another one.`),
  DomainTaken: ({ domain }: DomainTaken) =>
    Conflict.of(
      `The domain ${domain} belongs to another tenant, or another tenant has connected an account on it. Archive that tenant or disconnect that account first.`
    ),
  TenantInvalid: (error: TenantInvalid) => field(error.field, error.reason),
  ProofInvalid: (_: ProofInvalid) =>
    Unauthorized.of("This location requires the user proof that the CRM passes to its embedded page."),
  SourceNotFound: ({ sourceId }: SourceNotFound) => NotFound.of(`There is no source ${sourceId}.`),
  SourceExists: ({ sourceId }: SourceExists) => Conflict.of(`The source ${sourceId} already exists.`),
  SourceInvalid: ({ reason }: SourceInvalid) => field("source_id", reason),
  SourceKeyNotFound: ({ sourceId }: SourceKeyNotFound) =>
    ServiceUnavailable.of(
      `The source webhook key configuration is missing: the tenant has no source ${sourceId}. Create the source first.`
    ),
  ConfigInvalid: ({ issues }: ConfigInvalid) =>
    BadRequest.of("The configuration is invalid and was not saved.", issues),
  ConfigConflict: ({ currentVersion }: ConfigConflict) =>
    Conflict.of(
      "The configuration was changed at the same time by another request. Read the configuration again and repeat your change.",
      {
        version: currentVersion
      }
    ),
  ConfigOutdated: ({ currentVersion }: ConfigOutdated) =>
    PreconditionFailed.of(
      `The configuration now has version ${currentVersion}. Read the configuration again and repeat your change.`,
      {
        version: currentVersion
      }
    ),
  ConfigCustomized: ({ currentVersion }: ConfigCustomized) =>
    Conflict.of(
      `This configuration has been customised. To replace it, send "overwrite": true. Version ${currentVersion} can still be read afterwards.`,
      { version: currentVersion }
    ),
  ConfigVersionNotFound: ({ tenantId, version }: ConfigVersionNotFound) =>
    NotFound.of(`There is no version ${version} of the configuration of ${tenantId}.`),
  BudgetExceeded: ({ reason }: BudgetExceeded) =>
    BadRequest.of(
      `The rules of this tenant exceed their budget on this event: ${reason}. Shorten the text or simplify the rules.`
    ),
  GuardrailBlocked: ({ guardrailId, reason }: GuardrailBlocked) =>
    Blocked.of(`The guardrail "${guardrailId}" blocks this text: ${reason}. Change the text and approve it again.`, {
      guardrail_id: guardrailId,
      reason
    }),
  KeyLimitReached: ({ limit }: KeyLimitReached) =>
    KeyLimit.of(`The tenant has the maximum of ${limit} active API keys. Revoke or rotate one first.`),
  KeyNotFound: ({ keyId }: KeyNotFound) => NotFound.of(`There is no API key ${keyId}.`),
  KeyNotActive: ({ keyId }: KeyNotActive) =>
    Conflict.of(`The API key ${keyId} is revoked, expired or already rotated. Create a new one.`),
  KeyExpiryPast: (_: KeyExpiryPast) => field("expires_at", "Must be in the future."),
  LeakedKeyLimitExceeded: ({ limit }: LeakedKeyLimitExceeded) =>
    field("text", `Contains more than ${limit} keys. Send them in several requests.`),
  SignInTicketInvalid: (_: SignInTicketInvalid) =>
    Unauthorized.of("Unknown, expired or used sign-in ticket. Create a new one with leadloom console."),
  ConsoleSessionNotFound: (_: ConsoleSessionNotFound) => NotFound.of("There is no such valid session."),
  NotConsoleSession: (_: NotConsoleSession) =>
    BadRequest.of("Only the token of a console session can be renewed or ended."),
  SessionsNotConfigured: (_: SessionsNotConfigured) =>
    ServiceUnavailable.of("Session signing is not configured on this server."),
  ConversationNotFound: ({ contactId }: ConversationNotFound) =>
    NotFound.of(`There is no conversation with a contact ${contactId}.`),
  LeadNotFound: ({ leadId }: LeadNotFound) => NotFound.of(`There is no lead ${leadId}.`),
  LeadMerged: ({ leadId, mergedInto }: LeadMerged) =>
    Conflict.of(`The lead ${leadId} was merged into ${mergedInto}. Change that lead instead.`, {
      merged_into: mergedInto
    }),
  LeadRequestInvalid: ({ issues }: LeadRequestInvalid) =>
    BadRequest.of("The request contains an invalid field.", issues),
  TransitionIllegal: ({ from, legal, to }: TransitionIllegal) =>
    Conflict.of(`A lead can change from ${from} to ${legal.join(" or ")}, not to ${to}.`, {
      state: from,
      legal_states: legal
    }),
  TaskNotFound: ({ taskId }: TaskNotFound) => NotFound.of(`There is no task ${taskId}.`),
  TaskRequestInvalid: ({ issues }: TaskRequestInvalid) =>
    BadRequest.of("The request contains an invalid field.", issues),
  NotInConversation: ({ messageId }: NotInConversation) =>
    NotFound.of(`There is no message ${messageId} in this conversation.`),
  DraftNotFound: ({ contactId, tenantId }: DraftNotFound) =>
    NotFound.of(
      `There is no such draft for ${contactId}. To write a message: POST /api/v1/tenants/${tenantId}/conversations/${contactId}/messages`
    ),
  DraftChanged: ({ current, messageId, reason }: DraftChanged) =>
    Conflict.of(draftChanges[reason], {
      reason,
      message_id: messageId,
      draft_id: current?.draftId ?? null,
      content_hash: current === null ? null : contentHash(current.text),
      head_message_id: current?.headMessageId ?? null
    }),
  ChannelNotWritable: ({ channel, contactId, email, tenantId }: ChannelNotWritable) =>
    Conflict.of(
      email !== null
        ? `Nobody receives replies on the channel ${channel}. To send the text to ${email} as an email, approve the draft with a \`subject\`.`
        : `This server cannot send messages on the channel ${channel}. Copy the text of the draft, send it outside Leadloom, and dismiss the draft: POST /api/v1/tenants/${tenantId}/conversations/${contactId}/dismiss-draft`
    ),
  RunNotFound: ({ signalId, wait }: RunNotFound) =>
    wait === null
      ? NotFound.of(`The signal ${signalId} has no run. The run may not have started yet.`)
      : NotFound.of(
          `The signal ${signalId} has no run yet. It waits until ${isoTime(wait.until)}: ${wait.reason}`,
          Object.entries(waitToJson(wait)).map(([path, message]) => ({ path, message }))
        ),
  RunNotReplayable: ({ reason, signalId }: RunNotReplayable) =>
    Conflict.of(`The run of ${signalId} cannot be replayed. ${reason}`),
  CursorInvalid: (_: CursorInvalid) =>
    field("cursor", "This cursor does not belong to this list. Start again from the first page."),
  UsageCapReached: ({ cap, kind }: UsageCapReached) =>
    kind === "ai_calls"
      ? AiLimitReached.of(`The monthly limit of ${cap} AI calls is reached.`)
      : UsageLimitReached.of(`The monthly limit of ${cap} actions is reached.`),
  PlanRestricted: ({ needed, plan, tenantId, what }: PlanRestricted) =>
    Restricted.of(
      `${what} require the plan ${needed} or a larger one; ${tenantId} has the plan ${plan}. Ask the operator to change it: PATCH /api/v1/admin/tenants/${tenantId}`,
      { plan, needed }
    ),
  BatchNotFound: ({ batchId }: BatchNotFound) => NotFound.of(`There is no batch ${batchId}.`),
  AnswerableEmailNotFound: ({ contactId, tenantId }: AnswerableEmailNotFound) =>
    Conflict.of(
      `${contactId} has no email lead to reply to. To write a first email: POST /api/v1/tenants/${tenantId}/email/send`
    ),
  ArchiveInvalid: ({ entry, reason }: ArchiveInvalid) =>
    BadRequest.of(`The archive cannot be imported: ${entry}: ${reason}`, [{ path: entry, message: reason }]),
  ArchiveConflict: ({ entry, reason }: ArchiveConflict) =>
    Conflict.of(`The archive conflicts with stored data: ${entry}: ${reason}.`, { entry, reason }),
  ErasureNotConfirmed: ({ contactId }: ErasureNotConfirmed) =>
    field("confirm", `Erasure cannot be undone. Send ${JSON.stringify(contactId)} to confirm it.`),
  StreamLimitReached: ({ limit }: StreamLimitReached) =>
    Conflict.of(`The tenant has the maximum of ${limit} open event streams. Close one first.`),
  IdempotencyConflict: (_: IdempotencyConflict) =>
    KeyConflict.of("This Idempotency-Key was used for another request. Use a new key for a new request."),
  IdempotencyInProgress: (_: IdempotencyInProgress) =>
    KeyInProgress.of("The first request with this Idempotency-Key is still running. Try again in a moment."),
  ResponseExpired: (_: ResponseExpired) =>
    KeyConflict.of(
      "The request with this Idempotency-Key was carried out earlier, but its response is no longer stored. It was not carried out again. Read the created resource instead."
    ),
  // The specification fixes the beginning of this message.
  ModelMissing: (_: ModelMissing) => ActionFailed.of("LLM provider not configured: this server has no language model."),
  ModelFailed: ({ later, reason }: ModelFailed) =>
    ActionFailed.of(`No answer from ${reason}. ${later ? "Try again later." : "A retry does not help."}`),
  FormInvalid: ({ issues }: FormInvalid) => BadRequest.of("The form contains invalid fields.", issues),
  HumanCheckFailed: ({ reason }: HumanCheckFailed) =>
    BadRequest.of("The form has no valid proof that a person submitted it.", [{ path: "proof", message: reason }]),
  HumanCheckUnavailable: (_: HumanCheckUnavailable) =>
    ServiceUnavailable.of("The server cannot verify at the moment that a person submitted the form. Try again later."),
  ParserUnavailable: (_: ParserUnavailable) =>
    ServiceUnavailable.of("The server cannot parse the content at the moment. Try again."),
  ObjectsUnavailable: (_: ObjectsUnavailable) => ServiceUnavailable.of("The object store does not answer. Try again."),
  IdTokensUnavailable: (_: IdTokensUnavailable) =>
    ServiceUnavailable.of(
      "The identity provider does not answer, so the signature of this token cannot be verified. Try again."
    ),
  StoreUnavailable: (_: StoreUnavailable) => ServiceUnavailable.of("The database does not answer. Try again."),
  ...billingErrors,
  ...contactErrors,
  ...threadErrors,
  ...crmErrors,
  ...emailErrors,
  ...leadErrors,
  ...inboxErrors,
  ...sequenceErrors,
  ...ruleErrors,
  ...numberErrors,
  ...providerErrors,
  ...userErrors,
  ...sendingErrors,
  ...webhookErrors
} as const

type Rows = typeof rows

/** A domain error that has a row. */
export type DomainError = Parameters<Rows[keyof Rows]>[0]

/** The wire error of a domain error. */
export type WireError<E extends DomainError> = E extends ProviderFailure
  ? ProviderWireError<E["reason"]["_tag"]>
  : E extends { readonly _tag: infer Tag extends keyof Rows }
    ? ReturnType<Rows[Tag]>
    : never

/** Maps a domain error to its wire error. */
export function toWire<E extends DomainError>(error: E): WireError<E>
export function toWire(error: DomainError): WireError<DomainError> {
  // Each row accepts the error with its own tag. The compiler cannot derive this from the index.
  const row = rows[error._tag] as (error: object) => WireError<DomainError>
  return row(echoable(error))
}

/** Fields whose text the server wrote, or that quote another server and are short. Other fields of domain errors may contain input of the caller. */
const ownTexts = new Set(["_tag", "reason", "message", "detail"])

/** Shortens the fields of a domain error that may contain long input of the caller. */
const echoable = (error: object): object => {
  const long = Object.entries(error).filter(
    ([name, value]) => typeof value === "string" && value.length > maxEchoLength && !ownTexts.has(name)
  )
  return long.length === 0
    ? error
    : Object.create(error, Object.fromEntries(long.map(([name, value]) => [name, { value: shorten(String(value)) }])))
}

/** The names of dependencies in the log. */
const dependencies = {
  StoreUnavailable: "database",
  ObjectsUnavailable: "object store",
  ParserUnavailable: "mail parser",
  ScannerUnavailable: "virus scanner",
  IdTokensUnavailable: "identity provider"
}

/** Sets `Retry-After` to one second, because most outages end within seconds. */
const comeBack = HttpEffect.appendPreResponseHandler((_, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", "1"))
)

/** Logs an outage, and tells the client when to come back. */
const report = (error: DomainError): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> => {
  switch (error._tag) {
    case "StoreUnavailable":
    case "ObjectsUnavailable":
    case "ParserUnavailable":
    case "ScannerUnavailable":
    case "IdTokensUnavailable": {
      const { _tag, reason } = error
      return Effect.andThen(comeBack, log("request.unavailable", { dependency: dependencies[_tag], reason }))
    }
    case "HumanCheckUnavailable":
      return log("form.unverified", { reason: error.reason })
    default:
      return Effect.void
  }
}

/**
 * Maps the domain errors of an effect to wire errors. The code does not compile if an error has no row, or if the
 * endpoint does not declare its wire error. The cause of an outage is logged and not sent to the client.
 */
export const answer = <A, E extends DomainError, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, WireError<E>, R | HttpServerRequest.HttpServerRequest> =>
  Effect.catch(effect, (error) => Effect.andThen(report(error), Effect.fail(toWire(error))))
