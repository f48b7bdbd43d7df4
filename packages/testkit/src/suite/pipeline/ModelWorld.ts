import { inMemoryEmailTransport } from "../../memory/EmailTransport.ts"
import { assert } from "@effect/vitest"
import { connectEmail } from "@leadloom/core/workflow/mailbox/ConnectEmail"
import { ingestEmail } from "@leadloom/core/workflow/intake/IngestEmail"
import type { OutgoingMail } from "@leadloom/core/domain/email/OutgoingMail"
import { sendEmail } from "@leadloom/core/workflow/sending/SendEmail"
import type { ContactId, SignalId } from "@leadloom/core/domain/Id"
import { usageMonth } from "@leadloom/core/domain/billing/Plan"
import type { PipelineInput } from "@leadloom/core/workflow/intake/PipelineInput"
import { replayRun } from "@leadloom/core/workflow/pipeline/ReplayRun"
import { type Run, stepText } from "@leadloom/core/domain/run/Run"
import { Drafts } from "@leadloom/core/port/repository/conversation/Drafts"
import { Runs } from "@leadloom/core/port/repository/pipeline/Runs"
import { Tasks } from "@leadloom/core/port/repository/lead/Tasks"
import { Usages } from "@leadloom/core/port/repository/tenant/Usages"
import type { Tenant } from "@leadloom/core/domain/tenant/Tenant"
import type { TenantConfig } from "@leadloom/core/domain/tenant/TenantConfig"
import { Clock, Effect, Layer } from "effect"
import { scriptedModel, defaultScript } from "./ScriptedModel.ts"
import { around, domainOfTenant, type MailText, openTenant, rawMail, type StoreLayer } from "../World.ts"

/** A pipeline request that waits for the result. */
export const request: PipelineInput = {
  message: "What would a new roof cost?",
  contact: { name: "Jo Smith", email: "jo@customer.example", phone: null },
  channel: "chat",
  source: "automation",
  metadata: {},
  idempotencyKey: null
}

/** Receives a mail. Workers run the pipeline on it later. */
export const receive = (tenant: Tenant, mail: MailText = {}) =>
  ingestEmail({ tenant, raw: rawMail(mail), source: "smtp", historical: false })

/** Connects the account of a tenant. */
export const connect = (tenant: Tenant) =>
  connectEmail(tenant.tenantId, {
    provider: "smtp",
    providerGrantId: null,
    email: `office@${domainOfTenant(tenant.tenantId)}`,
    name: "Acme"
  })

/** Sends an email of a person of the tenant to the contact. */
export const byPerson = (tenant: Tenant) =>
  sendEmail({
    tenant,
    idempotencyKey: null,
    request: {
      to: [{ email: "jo@customer.example", name: null }],
      cc: [],
      bcc: [],
      subject: "From a person",
      body: "Hello Jo",
      from: null,
      replyToMessageId: null
    }
  })

/** Returns the run of a signal, or null. */
export const findRun = (tenant: Tenant, signalId: SignalId | null) =>
  Effect.flatMap(Runs, (runs) => runs.ofSignal(tenant.tenantId, signalId ?? "none"))

/** Returns the run of a signal, and asserts that its replay is identical. */
export const runOf = Effect.fnUntraced(function* (tenant: Tenant, signalId: SignalId | null) {
  const run = (yield* findRun(tenant, signalId)) ?? assert.fail("the signal has no run")
  const { replay } = yield* replayRun(tenant, run.signalId)
  assert.deepStrictEqual(replay.differences, [])
  return run
})

/** Returns outcome and reason of one step of a run, as one text. */
export const step = (run: Run, name: string): string => {
  const found = run.steps.find((each) => each.step === name) ?? assert.fail(`no step ${name}`)
  return `${found.outcome}: ${stepText(found)}`
}

/** Returns the contact's pending draft. */
export const draftOf = (tenant: Tenant, contactId: ContactId | null) =>
  Effect.flatMap(Drafts, (drafts) => drafts.pending(tenant.tenantId, contactId ?? "none"))

/** Returns the types of the contact's tasks. */
export const tasksOf = (tenant: Tenant, contactId: ContactId | null) =>
  Effect.flatMap(Tasks, (tasks) =>
    Effect.map(tasks.ofContact(tenant.tenantId, contactId ?? "none"), (found) =>
      found.map(({ type }) => type).toSorted()
    )
  )

/** Returns the tenant's usage of this month. */
export const usageOf = (tenant: Tenant) =>
  Effect.gen(function* () {
    return yield* (yield* Usages).read(tenant.tenantId, usageMonth(yield* Clock.currentTimeMillis))
  })

/** A store with one tenant per test, and a model that follows `script`. */
export const modelWorld = (store: StoreLayer) => {
  const script = defaultScript()
  let tenants = 0
  const outbox: Array<OutgoingMail> = []
  const world = Layer.mergeAll(
    store,
    around,
    inMemoryEmailTransport(outbox),
    scriptedModel(() => script)
  )
  /** Creates a tenant, and resets the model to its default answers. */
  const open = (config: Partial<TenantConfig> = {}, name = "tenant") =>
    Effect.suspend(() => {
      Object.assign(script, defaultScript())
      outbox.length = 0
      tenants += 1
      return openTenant(`${name}${tenants}`, config)
    })
  return { world, open, outbox, script }
}
