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
import type { GrantId } from "../../domain/Id.ts"
import type { MailReservation } from "../../domain/sending/Reservation.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { MailboxAccounts } from "../../port/repository/conversation/MailboxAccounts.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { messageIdKey } from "../intake/Recognise.ts"

const put = Effect.fnUntraced(function* (tenantId: string, jobId: string, delayMillis: number, job: MailboxJob) {
  const now = yield* Clock.currentTimeMillis
  yield* (yield* Jobs).put({ tenantId, jobId, dueAt: now + delayMillis, createdAt: now, job })
})

/** Returns the account whose mailbox contains the mail that a sent mail answers; by default, the sending account. */
const answeredAccount = Effect.fnUntraced(function* (tenantId: string, sender: GrantId, internetMessageId: string) {
  const messages = yield* Messages
  const [holder] = yield* messages.holders(tenantId, [messageIdKey + internetMessageId])
  const answered = holder === undefined ? null : yield* messages.find(tenantId, holder.messageId)
  return yield* (yield* MailboxAccounts).find(tenantId, answered?.grantId ?? sender)
})

/** Queues the flag `\Answered` of the mail that a sent mail answers. Runs inside a unit of work. */
export const queueAnswered = Effect.fnUntraced(function* (reservation: MailReservation) {
  const { grantId: sender, mail, messageId, tenantId } = reservation
  if (mail.inReplyTo === null) return
  const account = yield* answeredAccount(tenantId, sender, mail.inReplyTo)
  if (account === null || !account.setsFlags) return
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
  const { messageId, tenantId } = reservation
  const { grantId } = grant
  const account = grant.provider === "imap" ? yield* (yield* MailboxAccounts).find(tenantId, grantId) : null
  if (account !== null && !storesSentMail(account.smtp.host)) {
    const job = { kind: "mailbox_append", grantId, messageId } as const
    yield* put(tenantId, appendId(grantId, messageId), appendDelayMillis, job)
  }
  yield* queueAnswered(reservation)
})

/**
 * Queues the flag `\Seen` for the newest unread mails of a contact, at most `maxFlaggedMails`. Call it before the
 * conversation is marked as read, in the same unit of work.
 */
export const queueSeen = Effect.fnUntraced(function* (tenantId: string, contactId: string, unread: number) {
  if (unread === 0) return
  const grants = yield* (yield* Grants).list(tenantId)
  const mailboxes = grants.filter(({ provider }) => provider === "imap")
  const [only] = mailboxes
  if (only === undefined) return
  const newest = yield* (yield* Messages).before(tenantId, contactId, null, maxFlaggedMails)
  const mails = newest
    .filter(({ actor, channel }) => channel === "email" && actor === "contact")
    .slice(0, unread)
    .flatMap(({ grantId, internetMessageId, messageId }) =>
      internetMessageId === null ? [] : [{ grantId: grantId ?? only.grantId, internetMessageId, messageId }]
    )
  const flag = "\\Seen"
  for (const { grantId } of mailboxes) {
    const here = mails.filter((mail) => mail.grantId === grantId)
    const [first] = here
    const account = first === undefined ? null : yield* (yield* MailboxAccounts).find(tenantId, grantId)
    if (first === undefined || account === null || !account.setsFlags) continue
    const internetMessageIds = here.map(({ internetMessageId }) => internetMessageId)
    const job = { kind: "mailbox_flag", grantId, flag, internetMessageIds } as const
    yield* put(tenantId, flagId(grantId, flag, first.messageId), 0, job)
  }
})
