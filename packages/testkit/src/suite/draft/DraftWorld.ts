import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import type { Fate } from "../../memory/EmailTransport.ts"
import { type Approval, approveDraft } from "@leadloom/core/internal/workflow/draft/ApproveDraft"
import { Drafts } from "@leadloom/core/internal/port/repository/conversation/Drafts"
import type { Tenant } from "@leadloom/core/internal/domain/tenant/Tenant"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, type MailText, present, thanks } from "../Scene.ts"

/** Creates the tenant with an account and drafted replies. */
export const open = Effect.gen(function* () {
  const tenant = yield* acme.open({ rules: [thanks], replyMode: "draft" })
  yield* acme.connectMail()
  return tenant
})

/** Receives a mail and lets the pipeline draft a reply. */
export const receive = Effect.fnUntraced(function* (mail: MailText = {}) {
  const accepted = yield* acme.handleMail(mail)
  return { ...accepted, draft: present(yield* acme.draftOf(accepted.contactId)) }
})

/** Receives a mail one minute later, without running the pipeline. */
export const accept = Effect.fnUntraced(function* (mail: MailText = {}, historical = false) {
  yield* TestClock.adjust("1 minute")
  const { contactId, messageId } = yield* acme.receiveMail(mail, historical)
  return { contactId: present(contactId), messageId: present(messageId) }
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
    const tasks = (yield* acme.tasksOf(contactId)).filter(({ type }) => type === "reply_approval")
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
