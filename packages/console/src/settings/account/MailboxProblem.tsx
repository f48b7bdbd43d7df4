import { isLeadloomError } from "@leadloom/client"
import { problemText } from "../../app/Problem.ts"
import blocks from "../../design/Blocks.module.css"
import { accountText } from "../../text/Account.ts"
import { optionOf } from "../Values.ts"

const { mailbox: shown } = accountText

/** Returns the reason why the server rejects a field, or null. */
export const issueAt = (error: Error | null, path: string): string | null =>
  isLeadloomError(error, "BAD_REQUEST") ? (error.details?.find((issue) => issue.path === path)?.message ?? null) : null

const minutesOf = (seconds: number): number => Math.max(1, Math.ceil(seconds / 60))

/** The reason why a mailbox was not connected, with the response of its server and the next step. */
export const MailboxProblem = ({ error }: { readonly error: Error }) => {
  if (isLeadloomError(error, "RATE_LIMITED"))
    return (
      <p role="alert" className={blocks.error}>
        {error.retryAfter === null ? error.message : shown.tooMany(minutesOf(error.retryAfter))}
      </p>
    )
  if (!isLeadloomError(error, "MAILBOX_LOGIN_FAILED"))
    return (
      <p role="alert" className={blocks.error}>
        {shown.notConnected(problemText(error))}
      </p>
    )
  const server = optionOf(shown.servers, String(error.details?.["server"]))
  const problem = optionOf(shown.nextSteps, String(error.details?.["problem"]))
  return (
    <div role="alert">
      <p className={blocks.error}>{server === undefined ? shown.failed : shown.failedAt(shown.servers[server])}</p>
      {problem === undefined ? null : <p>{shown.nextSteps[problem]}</p>}
      <p className={blocks.muted}>{error.message}</p>
    </div>
  )
}
