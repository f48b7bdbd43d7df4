import { Effect } from "effect"
import { senderAddresses } from "../email/account/Grant.ts"
import { answerSubject } from "../email/outgoing/OutgoingMail.ts"
import { replyRecipients } from "../email/outgoing/ReplyRecipients.ts"
import { Drafts } from "../port/Drafts.ts"
import { Grants } from "../port/Grants.ts"
import { Messages } from "../port/Messages.ts"
import type { Draft } from "./Draft.ts"

/** A pending draft and how it would go out. */
export interface PendingDraft {
  readonly draft: Draft
  /** Addresses it would go to; none for what is no email. */
  readonly to: ReadonlyArray<string>
  /** Of an email. */
  readonly subject: string | null
}

/** What waits for a person in a conversation, or null. */
export const readDraft = Effect.fn("readDraft")(function* (tenantId: string, contactId: string) {
  const draft = yield* (yield* Drafts).pending(tenantId, contactId)
  if (draft === null) return null
  const answers = draft.channel === "email" ? yield* (yield* Messages).find(tenantId, draft.messageId) : null
  if (answers === null) return { draft, to: [], subject: null } satisfies PendingDraft
  const grant = yield* (yield* Grants).current(tenantId)
  const { to } = replyRecipients(answers, grant === null ? [] : senderAddresses(grant), false)
  return { draft, to, subject: answerSubject(answers.subject) } satisfies PendingDraft
})
