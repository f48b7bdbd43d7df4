/**
 * Scenes: the situation of a test of workflows, in a few lines. Suites are functions of a store layer, and
 * `packages/store/test` runs them on SQLite and Postgres. Suites of single repositories use `Records.ts` instead. Tests
 * that need no store are in the package of the tested code; tests over HTTP use `packages/server/test/world`.
 *
 * `scenesOn` gives every test a fresh store, all in-memory providers and a test clock. `acme` has the steps of a
 * tenant: it is configured, receives messages and is read. `drain` does the work of the workers.
 *
 * ```ts
 * export const thanksSuite = (name: string, store: StoreLayer): void => {
 *   const scene = scenesOn(store)
 *   describe(`thanks on ${name}`, () => {
 *     scene("wait for a person in draft mode", ({ mail }) =>
 *       Effect.gen(function* () {
 *         yield* acme.open({ rules: [thanks], replyMode: "draft" })
 *         yield* acme.connectMail()
 *         const { contactId } = yield* acme.handleMail({ body: "What would a new roof cost?" })
 *         assert.strictEqual((yield* acme.draftOf(contactId))?.text, "Thank you.")
 *         assert.deepStrictEqual(mail.outbox, [])
 *       })
 *     )
 *   })
 * }
 * ```
 *
 * Add a new suite to `EverySuite.ts`.
 */
import type { MessageRequestKey } from "@leadloom/core/internal/domain/access/IdempotencyRecord"
import { type SendInput, sendEmail } from "@leadloom/core/internal/workflow/sending/SendEmail"
import { assert, layer } from "@effect/vitest"
import { usageMonth } from "@leadloom/core/internal/domain/billing/Plan"
import type { TextArrived } from "@leadloom/core/internal/domain/conversation/TextEvent"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { stepText } from "@leadloom/core/internal/domain/run/Run"
import type { TenantConfig } from "@leadloom/core/internal/domain/tenant/TenantConfig"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Arrivals } from "@leadloom/core/internal/port/repository/conversation/Arrivals"
import { Drafts } from "@leadloom/core/internal/port/repository/conversation/Drafts"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { Runs } from "@leadloom/core/internal/port/repository/pipeline/Runs"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Usages } from "@leadloom/core/internal/port/repository/tenant/Usages"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { applyCallReport } from "@leadloom/core/internal/workflow/call/ApplyCallReport"
import { beginInboundCall } from "@leadloom/core/internal/workflow/call/BeginInboundCall"
import { ingestEmail } from "@leadloom/core/internal/workflow/intake/IngestEmail"
import { type CustomEvent, ingestEvent } from "@leadloom/core/internal/workflow/intake/IngestEvent"
import type { PipelineInput } from "@leadloom/core/internal/workflow/intake/PipelineInput"
import { submitForm, type Visitor } from "@leadloom/core/internal/workflow/intake/SubmitForm"
import { runJob } from "@leadloom/core/internal/workflow/job/RunJob"
import { workDueJobs } from "@leadloom/core/internal/workflow/job/WorkJobs"
import { connectEmail } from "@leadloom/core/internal/workflow/mailbox/ConnectEmail"
import { updateAliases } from "@leadloom/core/internal/workflow/mailbox/Grants"
import { handleRequest } from "@leadloom/core/internal/workflow/pipeline/HandleRequest"
import { workDueSignals } from "@leadloom/core/internal/workflow/pipeline/WorkSignals"
import { workDueSends } from "@leadloom/core/internal/workflow/sending/WorkSends"
import { ingestText } from "@leadloom/core/internal/workflow/sms/IngestText"
import { assignNumber } from "@leadloom/core/internal/workflow/tenant/AssignNumber"
import { saveConfig } from "@leadloom/core/internal/workflow/tenant/SaveConfig"
import { createTenant } from "@leadloom/core/internal/workflow/tenant/Tenants"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { type Doubles, makeDoubles, type Provider, servicesOf } from "./Doubles.ts"
import type { Store, StoreLayer } from "./StoreLayer.ts"

/** The services of a scene. */
export type Services = Store | Layer.Success<ReturnType<typeof servicesOf>>

/** Adds one test. */
export type Scene = (title: string, test: (doubles: Doubles) => Effect.Effect<void, unknown, Services>) => void

/** Returns a function that adds tests. Each test has a fresh store and fresh providers, with these ones configured. */
export const scenesOn =
  (store: StoreLayer, ...configured: ReadonlyArray<Provider>): Scene =>
  (title, test) => {
    const doubles = makeDoubles()
    layer(Layer.fresh(Layer.merge(store, servicesOf(doubles, configured))))("on a fresh store", (it) =>
      it.effect(title, () => test(doubles))
    )
  }

/** A Monday morning, the start time of most tests. */
export const start = Date.parse("2026-03-02T09:00:00.000Z")

/** The number of the tenant, and the number of its contact Jane in New York. */
export const own = "+12125550190"
export const jane = "+12125550100"

/** Answers every message about a roof. */
export const thanks: Rule = {
  id: "rule_thanks",
  name: "Thanks",
  priority: 1,
  when: { fact: "message.text", op: "contains", value: "roof" },
  actions: [{ type: "reply", template: "Thank you." }]
}

/** A request to the pipeline. */
export const request: PipelineInput = {
  message: "What would a new roof cost?",
  contact: { name: "Jo Smith", email: "jo@customer.example", phone: null },
  channel: "webhook",
  source: "automation",
  metadata: {},
  idempotencyKey: null
}

/** An email of a person of the tenant. */
export const letter: SendInput["request"] = {
  to: [{ email: "jo@customer.example", name: "Jo Smith" }],
  cc: [],
  bcc: [],
  subject: "Your roof",
  body: "We can come on Monday.",
  from: null,
  replyToMessageId: null
}

/** The fields of a test mail. Missing fields have default values. */
export interface MailText {
  readonly id?: string | null
  readonly from?: string
  readonly to?: string
  readonly subject?: string
  readonly body?: string
  readonly date?: string
  readonly inReplyTo?: string
  readonly references?: string
  /** Further header lines, verbatim. */
  readonly more?: ReadonlyArray<string>
}

/** Returns a simple mail as bytes. */
export const rawMail = (mail: MailText = {}): Uint8Array => {
  const lines = [
    `From: ${mail.from ?? "Jo Smith <jo@customer.example>"}`,
    `To: ${mail.to ?? "sales@acme.com"}`,
    `Subject: ${mail.subject ?? "A roof"}`,
    `Date: ${mail.date ?? "Mon, 02 Mar 2026 08:55:00 +0000"}`,
    ...(mail.id === null ? [] : [`Message-ID: <${mail.id ?? "first@customer.example"}>`]),
    ...(mail.inReplyTo === undefined ? [] : [`In-Reply-To: <${mail.inReplyTo}>`]),
    ...(mail.references === undefined ? [] : [`References: ${mail.references}`]),
    ...(mail.more ?? []),
    "",
    mail.body ?? "What would a new roof cost?"
  ]
  return new TextEncoder().encode(lines.join("\r\n"))
}

/** Returns a value that exists. */
export const present = <A>(value: A | null | undefined): A => value ?? assert.fail("the value is missing")

/** Runs the pipeline on all due signals. */
export const drainSignals = Effect.gen(function* () {
  while ((yield* workDueSignals()) > 0);
})

/** Hands all due mails and texts to their providers. */
export const drainSends = Effect.gen(function* () {
  while ((yield* workDueSends()) > 0);
})

/** Runs all due jobs. */
export const drainJobs = Effect.gen(function* () {
  while ((yield* workDueJobs(runJob)) > 0);
})

/** Does all due work of the pipeline: signals, then the replies that result from them. */
export const drain = Effect.andThen(drainSignals, drainSends)

/** Returns the mail domain of a test tenant: acme.com for `acme`. */
export const domainOfTenant = (tenantId: string): string => (tenantId === "acme" ? "acme.com" : `${tenantId}.example`)

let textCount = 0

/** Returns a text from Jane to the tenant that was not received before. */
export const textFromJane = (body: string, more: Partial<TextArrived> = {}): TextArrived => ({
  _tag: "TextArrived",
  providerMessageId: `SM${++textCount}`,
  from: jane,
  to: own,
  body,
  media: [],
  requested: null,
  details: {},
  ...more
})

/** Returns the steps that bring messages to a tenant. */
const intakeOf = (tenantId: string) => {
  const tenant = Effect.flatMap(Tenants, (tenants) => tenants.get(tenantId))
  const receiveMail = Effect.fnUntraced(function* (mail: MailText | Uint8Array = {}, historical = false) {
    const raw = mail instanceof Uint8Array ? mail : rawMail(mail)
    return yield* ingestEmail({ tenant: yield* tenant, raw, source: "smtp", historical })
  })
  return {
    /** Receives a mail by SMTP. By default, Jo asks for the price of a roof. */
    receiveMail,
    /**
     * Receives a mail one minute later and drains the pipeline. Returns the mail with its run, and `step`: outcome of
     * the reply in words.
     */
    handleMail: Effect.fnUntraced(function* (mail: MailText | Uint8Array = {}) {
      yield* TestClock.adjust("1 minute")
      const accepted = yield* receiveMail(mail)
      yield* drain
      const run = accepted.signalId === null ? null : yield* (yield* Runs).ofSignal(tenantId, accepted.signalId)
      const reply = run?.steps.find(({ step }) => step === "reply")
      const step = reply === undefined ? "" : stepText(reply)
      return { ...accepted, contactId: present(accepted.contactId), messageId: present(accepted.messageId), run, step }
    }),
    /** Receives a text one minute later, by default from Jane to `own`. */
    receiveText: Effect.fnUntraced(function* (text: TextArrived | string) {
      yield* TestClock.adjust("1 minute")
      const accepted = present(yield* ingestText(typeof text === "string" ? textFromJane(text) : text))
      return { ...accepted, contactId: present(accepted.contactId) }
    }),
    /** Receives a call from Jane that ends unanswered. */
    receiveCall: Effect.fnUntraced(function* (providerCallId: string) {
      const inbound = { provider: "memory", providerCallId, from: jane, to: own }
      const { callId } = present(yield* beginInboundCall(yield* tenant, inbound))
      const providerEvent = { tenantId, callId, provider: "memory", providerEventId: providerCallId }
      const report = { about: "contact", status: "completed", legId: null, durationSeconds: 3, at: 0 } as const
      return yield* applyCallReport(providerEvent, report)
    }),
    /** Receives a custom event. */
    receiveEvent: (event: CustomEvent, sourceId = "site", requestKey: MessageRequestKey | null = null) =>
      Effect.flatMap(tenant, (found) => ingestEvent({ tenant: found, sourceId, event, requestKey })),
    /** Receives a public form. */
    receiveForm: (fields: Parameters<typeof submitForm>[1], visitor: Visitor) =>
      Effect.flatMap(tenant, (found) => submitForm(found, fields, visitor)),
    /** Sends `request` with changes to the pipeline, and waits for the result. */
    handleRequest: (changes: Partial<PipelineInput> = {}) =>
      Effect.flatMap(tenant, (found) => handleRequest({ tenant: found, request: { ...request, ...changes } }))
  }
}

/** Returns the reads of a tenant's data. An id of null stands for a missing row. */
const readsOf = (tenantId: string) => {
  const events = (after = 0) =>
    Effect.map(
      Effect.flatMap(Events, (all) => all.after(tenantId, after, 1_000)),
      (found) => found.map(({ event }) => event)
    )
  const findRun = (signalId: string | null) =>
    Effect.flatMap(Runs, (runs) => runs.ofSignal(tenantId, signalId ?? "none"))
  const tasksOf = (contactId: string | null) =>
    Effect.flatMap(Tasks, (tasks) => tasks.ofContact(tenantId, contactId ?? "none"))
  return {
    findRun,
    /** Returns the run of a signal; fails without one. */
    runOf: (signalId: string | null) => Effect.map(findRun(signalId), present),
    /** Returns the pending draft of a contact, or null. */
    draftOf: (contactId: string | null) =>
      Effect.flatMap(Drafts, (drafts) => drafts.pending(tenantId, contactId ?? "none")),
    tasksOf,
    /** Returns the types of a contact's tasks, sorted. */
    taskTypesOf: (contactId: string | null) =>
      Effect.map(tasksOf(contactId), (found) => found.map(({ type }) => type).toSorted()),
    leadOf: (leadId: string | null) => Effect.flatMap(Leads, (leads) => leads.get(tenantId, leadId ?? "none")),
    contactOf: (contactId: string | null) =>
      Effect.flatMap(Contacts, (contacts) => contacts.get(tenantId, contactId ?? "none")),
    messageOf: (messageId: Parameters<typeof Messages.Service.find>[1] | null) =>
      Effect.map(
        Effect.flatMap(Messages, (messages) => messages.find(tenantId, present(messageId))),
        present
      ),
    /** Returns the conversation of a contact, oldest message first. */
    messagesOf: (contactId: string | null) =>
      Effect.flatMap(Messages, (messages) => messages.ofContact(tenantId, contactId ?? "none")),
    /** Returns up to 1,000 outbound events after a sequence number. */
    events,
    eventTypes: (after = 0) => Effect.map(events(after), (found) => found.map(({ type }) => type)),
    /** Returns the counts of the inbound ledger. */
    arrivals: Effect.flatMap(Arrivals, (arrivals) => arrivals.counts(tenantId)),
    /** Returns the usage of this month. */
    usage: Effect.gen(function* () {
      return yield* (yield* Usages).read(tenantId, usageMonth(yield* Clock.currentTimeMillis))
    })
  }
}

/** Returns the steps of a tenant, which exists after `open`. */
export const inTenant = (tenantId: string) => ({
  tenantId,
  /** Creates the tenant at the time `start`. `config` changes its configuration. */
  open: Effect.fnUntraced(function* (config: Partial<TenantConfig> = {}) {
    yield* TestClock.setTime(start)
    const domain = domainOfTenant(tenantId)
    const tenant = yield* createTenant({ tenantId, name: "Acme", domain, preset: null, hipaa: false })
    return yield* saveConfig(tenantId, { ...tenant.config, ...config })
  }),
  /** Connects an email account with the alias `sales`. */
  connectMail: Effect.fnUntraced(function* (name: string | null = "Acme") {
    const domain = domainOfTenant(tenantId)
    yield* connectEmail(tenantId, { provider: "smtp", providerGrantId: null, email: `office@${domain}`, name })
    yield* updateAliases(yield* (yield* Tenants).get(tenantId), [`sales@${domain}`])
  }),
  /** A person of the tenant sends an email, by default to Jo. */
  sendMail: Effect.fnUntraced(function* (changes: Partial<SendInput["request"]> = {}, more: Partial<SendInput> = {}) {
    const tenant = yield* (yield* Tenants).get(tenantId)
    return yield* sendEmail({ tenant, idempotencyKey: null, request: { ...letter, ...changes }, ...more })
  }),
  /** Assigns `own`, from which the tenant sends texts and calls. */
  connectPhone: assignNumber(tenantId, own, true),
  ...intakeOf(tenantId),
  ...readsOf(tenantId)
})

/** The tenant of most scenes, with the domain acme.com. */
export const acme = inTenant("acme")
