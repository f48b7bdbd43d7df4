import * as ProviderFailure from "@leadloom/core/domain/provider/ProviderFailure"
import type { Fate } from "../../memory/EmailTransport.ts"
import { assert } from "@effect/vitest"
import { type Approval, approveDraft } from "@leadloom/core/workflow/draft/ApproveDraft"
import { connectEmail } from "@leadloom/core/workflow/mailbox/ConnectEmail"
import { ingestEmail } from "@leadloom/core/workflow/intake/IngestEmail"
import { updateAliases } from "@leadloom/core/workflow/mailbox/Grants"
import { workDueSignals } from "@leadloom/core/workflow/pipeline/WorkSignals"
import { Drafts } from "@leadloom/core/port/repository/conversation/Drafts"
import { Tasks } from "@leadloom/core/port/repository/lead/Tasks"
import type { Tenant } from "@leadloom/core/domain/tenant/Tenant"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type MailText, rawMail, acme } from "../Scene.ts"

export const open = Effect.gen(function* () {
  const rule = {
    id: "rule_thanks",
    name: "Thanks",
    priority: 1,
    when: { fact: "message.text", op: "contains", value: "roof" },
    actions: [{ type: "reply", template: "Thank you." }]
  } as const
  const tenant = yield* acme.open({ rules: [rule], replyMode: "draft" })
  yield* connectEmail("acme", { provider: "smtp", providerGrantId: null, email: "office@acme.com", name: "Acme" })
  yield* updateAliases(tenant, ["sales@acme.com"])
  return tenant
})

export const accept = Effect.fnUntraced(function* (tenant: Tenant, mail: MailText, historical = false) {
  yield* TestClock.adjust("1 minute")
  const { contactId, messageId } = yield* ingestEmail({ tenant, raw: rawMail(mail), source: "smtp", historical })
  return { contactId: contactId ?? assert.fail("no contact"), messageId: messageId ?? assert.fail("no message") }
})

/** Receives a mail and lets the pipeline draft a reply. */
export const receive = Effect.fnUntraced(function* (tenant: Tenant, mail: MailText) {
  const taken = yield* accept(tenant, mail)
  yield* workDueSignals()
  const draft = yield* (yield* Drafts).pending("acme", taken.contactId)
  return { ...taken, draft: draft ?? assert.fail("no draft") }
})

export const approval = (changes: Partial<Approval> = {}): Approval => ({
  draftId: null,
  contentHash: null,
  headMessageId: null,
  body: null,
  ...changes
})

export const again = (id: string): MailText => ({
  id,
  inReplyTo: "first@customer.example",
  body: `And the roof? ${id}`
})

export const stateOf = (contactId: string) =>
  Effect.gen(function* () {
    const draft = yield* (yield* Drafts).newest("acme", contactId)
    const tasks = (yield* (yield* Tasks).ofContact("acme", contactId)).filter(({ type }) => type === "reply_approval")
    return [draft?.state, ...tasks.map(({ status }) => status)]
  })

/** Returns the error of an approval after the draft or the conversation changed. */
export const conflict = (tenant: Tenant, contactId: string, changes: Partial<Approval> = {}) =>
  Effect.map(Effect.flip(approveDraft(tenant, contactId, approval(changes))), (error) =>
    error._tag === "DraftChanged" ? [error.reason, error.current?.draftId ?? null, error.messageId] : error._tag
  )

export const letter = { channel: "email", body: "Myself.", replyAll: false } as const
export const refused: Fate = ProviderFailure.refused("mail", "550 no")
export const away: Fate = ProviderFailure.unavailable("mail", "451 later")
export const taken: Fate = { left: true, response: "250 ok", refused: [], assigned: null }
