import type { FailingMailbox } from "@leadloom/store/internal/admin/FailingMailboxes"
import { connectionFailedMillis } from "@leadloom/core/internal/domain/mailbox/MailboxSync"
import { Clock, Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, problem, warning } from "../Finding.ts"

/** Judges a mailbox that cannot be read. A short failure is a warning, because the server tries again. */
export const judgeMailbox = ({ email, error, failingSince, tenantId }: FailingMailbox, now: number) => {
  const text = `The mailbox ${email} of ${tenantId} cannot be read since ${new Date(failingSince).toISOString()}: ${error}`
  const action = "Check the password and the servers of the account, and connect it again if they have changed."
  return now - failingSince >= connectionFailedMillis ? problem(text, action) : warning(text, action)
}

/** Checks that the servers can read all connected mailboxes. */
export const mailboxes: Check = {
  name: "mailboxes",
  run: ({ database, hide }) =>
    Effect.gen(function* () {
      if (database?.kind !== "seen") return []
      const { failingMailboxes } = database.examination
      const now = yield* Clock.currentTimeMillis
      if (failingMailboxes.length === 0) return [healthy("No connected mailbox fails.")]
      return failingMailboxes.map((mailbox) => judgeMailbox({ ...mailbox, error: hide(mailbox.error) }, now))
    })
}
