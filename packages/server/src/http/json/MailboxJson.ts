import type { EmailAccount } from "@leadloom/api/internal/inbox/EmailAccount"
import type { MailboxToConnect } from "@leadloom/core/internal/workflow/mailbox/ConnectMailbox"
import { Effect } from "effect"
import { BadRequest } from "@leadloom/api/internal/errors"
import { field } from "../error/Field.ts"

type AccountJson = typeof EmailAccount.Type

const mailboxFields = ["username", "password", "imap", "smtp", "since_days", "sets_flags"] as const

/** Rejects the fields of a mailbox in a request for an account of another family. */
export const rejectMailboxFields = (json: AccountJson): Effect.Effect<void, BadRequest> => {
  const given = mailboxFields.filter((name) => json[name] !== undefined)
  if (given.length === 0) return Effect.void
  const message = `Only an account of the provider imap has this field. Leave it out, or send "provider": "imap".`
  return Effect.fail(
    BadRequest.of(
      "The request contains an invalid field.",
      given.map((path) => ({ path, message }))
    )
  )
}

/** Returns the mailbox that a request describes. */
export const mailboxOfJson = (json: AccountJson, byOperator: boolean): Effect.Effect<MailboxToConnect, BadRequest> => {
  const { email, imap = null, name = null, password, smtp = null, username = null } = json
  if (password === undefined) {
    return Effect.fail(field("password", "A mailbox needs a password. Send the password or an app password."))
  }
  if (json.provider_grant_id !== undefined) {
    return Effect.fail(field("provider_grant_id", "A mailbox has no provider grant. Leave out `provider_grant_id`."))
  }
  const { sets_flags: setsFlags = null, since_days: sinceDays = null } = json
  return Effect.succeed({ email, name, username, password, imap, smtp, sinceDays, setsFlags, byOperator })
}
