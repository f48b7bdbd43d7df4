import { isLeadloomError } from "@leadloom/client"
import { Link } from "@tanstack/react-router"
import { noticeFailure } from "../component/Notices.tsx"
import { composerText } from "../text/Composer.ts"
import type { Connection } from "./Connection.ts"
import { reasonText } from "./RejectedFields.ts"

const hasNoAccount = (error: unknown): boolean => {
  const details: unknown = isLeadloomError(error, "CONFLICT") ? error.details : null
  return typeof details === "object" && details !== null && "missing" in details && details.missing === "email_account"
}

/** Says why a message was not sent. Without an email account, names the page that connects one. */
export const noticeSendFailure = (
  { permitted }: Connection,
  error: unknown,
  messageOf: (reason: string) => string
): void => {
  if (!hasNoAccount(error)) return noticeFailure(messageOf(reasonText(error)))
  if (!permitted.has("email.connect")) return noticeFailure(messageOf(composerText.noEmailAccount.ask))
  noticeFailure(
    messageOf(composerText.noEmailAccount.connect),
    <Link to="/settings/$noun" params={{ noun: "email-account" }}>
      {composerText.noEmailAccount.page}
    </Link>
  )
}
