import { Context, Effect, Layer } from "effect"
import type { IdempotencyRecord } from "../domain/access/IdempotencyRecord.ts"
import type { AuditEntry } from "../domain/access/AuditEntry.ts"
import type { StoredKey } from "../domain/access/StoredKey.ts"
import type { Activity } from "../domain/contact/Activity.ts"
import type { AssistantAccess } from "../domain/assistant/AssistantAccess.ts"
import type { ToolAnswer } from "../domain/assistant/ToolCall.ts"
import type { Batch, BatchItem } from "../domain/tenant/Batch.ts"
import type { BillingAccount } from "../domain/billing/Account.ts"
import type { CreditTransaction } from "../domain/billing/Credit.ts"
import type { Call } from "../domain/call/Call.ts"
import type { Contact } from "../domain/contact/Contact.ts"
import type { ContactMerge, MovedKind } from "../domain/contact/ContactMerge.ts"
import type { StoredSuggestion } from "../domain/contact/MergeSuggestion.ts"
import type { Arrival } from "../domain/conversation/Arrival.ts"
import type { ConversationHead } from "../domain/conversation/ConversationHead.ts"
import type { Draft } from "../domain/draft/Draft.ts"
import type { Message } from "../domain/conversation/Message.ts"
import type { FirstSync } from "../domain/crm/FirstSync.ts"
import type { CrmLocation } from "../domain/crm/Location.ts"
import type { Grant } from "../domain/email/Grant.ts"
import type { QueuedErrand } from "../domain/job/Errand.ts"
import type { SignIn } from "../domain/email/SignIn.ts"
import type { Reservation } from "../domain/sending/Reservation.ts"
import type { KnownId, ThreadRecord } from "../domain/email/thread/ThreadRecord.ts"
import type { ContactId, MessageId } from "../domain/Id.ts"
import type { Lead } from "../domain/lead/Lead.ts"
import type { ScoreRecord } from "../domain/lead/ScoreRecord.ts"
import type { CrmInstall } from "../domain/crm/CrmInstall.ts"
import type { CrmLink } from "../domain/crm/CrmLink.ts"
import type { BlockedNumber } from "../domain/consent/BlockedNumber.ts"
import type { OptOut } from "../domain/consent/OptOut.ts"
import type { PhoneNumber } from "../domain/address/PhoneNumber.ts"
import type { GuardRecord } from "../domain/guardrail/GuardRecord.ts"
import type { Run } from "../domain/run/Run.ts"
import type { Signal } from "../domain/classification/Signal.ts"
import type { Erasure } from "../domain/privacy/Erasure.ts"
import type { Task } from "../domain/task/Task.ts"
import type { ConfigChange } from "../domain/tenant/ConfigChange.ts"
import type { Source } from "../domain/access/Source.ts"
import type { Tenant } from "../domain/tenant/Tenant.ts"
import type { TenantConfig } from "../domain/tenant/TenantConfig.ts"
import type { DeliveryRow, LogEntry } from "../domain/webhook/Delivery.ts"
import type { OutboundEvent } from "../domain/webhook/Event.ts"
import type { Subscription } from "../domain/webhook/Subscription.ts"

/** A signal and where it stands. Who holds it holds it by `dueAt`. */
export interface QueuedSignal {
  readonly signal: Signal
  readonly state: "queued" | "done" | "failed"
  readonly dueAt: number
}

/** A row that has no noun of its own. */
export interface Of<A> {
  readonly tenantId: string
  readonly value: A
}

/** What the memory twins keep, by `keyOf` unless a comment says otherwise. They share it as adapters share a database. */
export class MemoryState extends Context.Service<
  MemoryState,
  {
    readonly tenants: Map<string, Tenant>
    /** By tenant and version. */
    readonly configs: Map<string, TenantConfig>
    /** By tenant and version. */
    readonly configChanges: Map<string, ConfigChange>
    readonly guardEvaluations: Map<string, GuardRecord>
    /** By tenant, day, guardrail, kind and outcome. */
    readonly guardCounts: Map<string, number>
    readonly sources: Map<string, Source>
    readonly auditEntries: Map<string, AuditEntry>
    readonly idempotencyRecords: Map<string, IdempotencyRecord>
    readonly apiKeys: Map<string, StoredKey>
    readonly contacts: Map<string, Contact>
    readonly identities: Map<string, ContactId>
    readonly undeliverable: Map<string, { readonly at: number; readonly reason: string }>
    readonly mergeSuggestions: Map<string, StoredSuggestion & { readonly tenantId: string }>
    readonly contactMerges: Map<string, ContactMerge>
    /** What a merge moved: by merge, then by kind. */
    readonly mergeItems: Map<string, Map<MovedKind, Set<string>>>
    readonly activities: Map<string, Activity>
    readonly leads: Map<string, Lead>
    readonly scores: Map<string, ScoreRecord>
    readonly threads: Map<string, ThreadRecord>
    readonly threadIds: Map<string, Of<KnownId>>
    readonly participants: Map<string, Set<string>>
    readonly messages: Map<string, Message>
    readonly dedupKeys: Map<string, { readonly messageId: MessageId; readonly fingerprint: string | null }>
    readonly heads: Map<string, ConversationHead>
    readonly signals: Map<string, QueuedSignal>
    readonly runs: Map<string, Run>
    readonly drafts: Map<string, Draft>
    readonly tasks: Map<string, Task>
    /** By tenant. */
    readonly events: Map<string, Array<OutboundEvent>>
    /** By tenant: the number of the last event that is kept no longer. */
    readonly expiredEvents: Map<string, number>
    readonly subscriptions: Map<string, Subscription>
    /** By tenant and subscription: who serves it, and until when. */
    readonly leases: Map<string, { readonly lease: string; readonly until: number }>
    readonly deliveries: Map<string, DeliveryRow>
    readonly deliveryLog: Map<
      string,
      { readonly tenantId: string; readonly webhookId: string; readonly entry: LogEntry }
    >
    readonly arrivals: Map<string, Arrival>
    readonly usages: Map<string, number>
    readonly batches: Map<string, Batch>
    readonly batchItems: Map<string, BatchItem>
    /** By tenant. */
    readonly grants: Map<string, Grant>
    readonly sends: Map<string, Reservation>
    readonly signIns: Map<string, SignIn>
    readonly errands: Map<string, QueuedErrand>
    /** By tenant, provider and its id. */
    readonly notices: Map<string, { readonly tenantId: string; readonly receivedAt: number }>
    /** By tenant. */
    readonly billingAccounts: Map<string, BillingAccount>
    /** By tenant and reference. */
    readonly credits: Map<string, CreditTransaction>
    /** By location. */
    readonly crmLocations: Map<string, CrmLocation>
    /** By tenant and call. */
    readonly crmCalls: Map<string, { readonly tenantId: string; readonly firstAt: number }>
    /** By tenant and location. */
    readonly crmInstalls: Map<string, CrmInstall>
    /** By tenant and location. */
    readonly crmFirstSyncs: Map<string, FirstSync>
    /** By tenant, location and contact of the CRM. */
    readonly crmLinks: Map<string, CrmLink>
    /** By number. */
    readonly phoneNumbers: Map<string, PhoneNumber>
    /** By tenant and number. */
    readonly blockedNumbers: Map<string, BlockedNumber>
    /** By tenant, number and own number. */
    readonly optOuts: Map<string, OptOut>
    readonly calls: Map<string, Call>
    /** By tenant. */
    readonly assistants: Map<string, AssistantAccess>
    readonly assistantAnswers: Map<
      string,
      { readonly tenantId: string; readonly answer: ToolAnswer; readonly at: number }
    >
    /** By tenant and contact. */
    readonly erasures: Map<string, Erasure>
    /** Keys of objects, by tenant and erasure. */
    readonly erasureObjects: Map<string, ReadonlySet<string>>
  }
>()("core/memory/MemoryState") {
  static readonly layer: Layer.Layer<MemoryState> = Layer.sync(MemoryState, () => ({
    tenants: new Map(),
    configs: new Map(),
    configChanges: new Map(),
    guardEvaluations: new Map(),
    guardCounts: new Map(),
    sources: new Map(),
    auditEntries: new Map(),
    idempotencyRecords: new Map(),
    apiKeys: new Map(),
    contacts: new Map(),
    identities: new Map(),
    undeliverable: new Map(),
    mergeSuggestions: new Map(),
    contactMerges: new Map(),
    mergeItems: new Map(),
    activities: new Map(),
    leads: new Map(),
    scores: new Map(),
    threads: new Map(),
    threadIds: new Map(),
    participants: new Map(),
    messages: new Map(),
    dedupKeys: new Map(),
    heads: new Map(),
    signals: new Map(),
    runs: new Map(),
    drafts: new Map(),
    tasks: new Map(),
    events: new Map(),
    expiredEvents: new Map(),
    subscriptions: new Map(),
    leases: new Map(),
    deliveries: new Map(),
    deliveryLog: new Map(),
    arrivals: new Map(),
    usages: new Map(),
    batches: new Map(),
    batchItems: new Map(),
    grants: new Map(),
    sends: new Map(),
    signIns: new Map(),
    errands: new Map(),
    notices: new Map(),
    billingAccounts: new Map(),
    credits: new Map(),
    crmLocations: new Map(),
    crmCalls: new Map(),
    crmInstalls: new Map(),
    crmFirstSyncs: new Map(),
    crmLinks: new Map(),
    phoneNumbers: new Map(),
    blockedNumbers: new Map(),
    optOuts: new Map(),
    calls: new Map(),
    assistants: new Map(),
    assistantAnswers: new Map(),
    erasures: new Map(),
    erasureObjects: new Map()
  }))
}

/** One key of several parts, unambiguous whatever they contain. */
export const keyOf = (...parts: ReadonlyArray<string>): string => JSON.stringify(parts)

/** The values of one tenant. */
export const ofTenant = <A extends { readonly tenantId: string | null }>(
  values: ReadonlyMap<string, A>,
  tenantId: string | null
): ReadonlyArray<A> => [...values.values()].filter((value) => value.tenantId === tenantId)

/** Adds what must not be there yet. A taken key is a mistake of the caller, as a broken constraint is in SQL. */
export const addNew = <A>(values: Map<string, A>, key: string, value: A): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (values.has(key)) return Effect.die(new Error(`There is a row of the key ${key} already.`))
    values.set(key, value)
    return Effect.void
  })

/** Orders by several keys, each of them a number or a text compared by its code units. */
export const by =
  <A>(...keys: ReadonlyArray<(value: A) => number | string>) =>
  (one: A, other: A): number => {
    for (const key of keys) {
      const [left, right] = [key(one), key(other)]
      if (left !== right) return left < right ? -1 : 1
    }
    return 0
  }
