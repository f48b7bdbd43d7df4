import { Clock, Effect } from "effect"
import type { Grant } from "../../domain/email/Grant.ts"
import {
  appendDelayMillis,
  appendId,
  flagId,
  type MailboxJob,
  maxFlaggedMails,
  storesSentMail
} from "../../domain/mailbox/MailboxJob.ts"
import type { MailboxAccount } from "../../domain/mailbox/MailboxAccount.ts"
import type { MailReservation } from "../../domain/sending/Reservation.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { MailboxAccounts } from "../../port/repository/conversation/MailboxAccounts.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"

const put = Effect.fnUntraced(function* (tenantId: string, jobId: string, delayMillis: number, job: MailboxJob) {
  const now = yield* Clock.currentTimeMillis
  yield* (yield* Jobs).put({ tenantId, jobId, dueAt: now + delayMillis, createdAt: now, job })
})

/** Queues the flag `\Answered` of the mail that a sent mail answers. Runs inside a unit of work. */
export const queueAnswered = Effect.fnUntraced(function* (reservation: MailReservation, account: MailboxAccount) {
  const { mail, messageId, tenantId } = reservation
  if (mail.inReplyTo === null || !account.setsFlags) return
  const { grantId } = account
  const flag = "\\Answered"
  const job = { kind: "mailbox_flag", grantId, flag, internetMessageIds: [mail.inReplyTo] } as const
  yield* put(tenantId, flagId(grantId, flag, messageId), 0, job)
})

/**
 * Queues the work in the mailbox after a mail was sent through it: the copy in the folder for sent mail, and the flag
 * of the answered mail. Runs inside the unit of work that stores the outcome.
 */
export const queueAfterSend = Effect.fnUntraced(function* (reservation: MailReservation, grant: Grant) {
  if (grant.provider !== "imap") return
  const { messageId, tenantId } = reservation
  const { grantId } = grant
  const account = yield* (yield* MailboxAccounts).find(tenantId, grantId)
  if (account === null) return
  if (!storesSentMail(account.smtp.host)) {
    const job = { kind: "mailbox_append", grantId, messageId } as const
    yield* put(tenantId, appendId(grantId, messageId), appendDelayMillis, job)
  }
  yield* queueAnswered(reservation, account)
})

/**
 * Queues the flag `\Seen` for the newest unread mails of a contact, at most `maxFlaggedMails`. Call it before the
 * conversation is marked as read, in the same unit of work.
 */
export const queueSeen = Effect.fnUntraced(function* (tenantId: string, contactId: string, unread: number) {
  if (unread === 0) return
  const grant = yield* (yield* Grants).current(tenantId)
  if (grant?.provider !== "imap") return
  const account = yield* (yield* MailboxAccounts).find(tenantId, grant.grantId)
  if (account === null || !account.setsFlags) return
  const newest = yield* (yield* Messages).before(tenantId, contactId, null, maxFlaggedMails)
  const mails = newest
    .filter(({ actor, channel }) => channel === "email" && actor === "contact")
    .slice(0, unread)
    .flatMap(({ internetMessageId, messageId }) =>
      internetMessageId === null ? [] : [{ internetMessageId, messageId }]
    )
  const [first] = mails
  if (first === undefined) return
  const flag = "\\Seen"
  const internetMessageIds = mails.map(({ internetMessageId }) => internetMessageId)
  const job = { kind: "mailbox_flag", grantId: grant.grantId, flag, internetMessageIds } as const
  yield* put(tenantId, flagId(grant.grantId, flag, first.messageId), 0, job)
})
