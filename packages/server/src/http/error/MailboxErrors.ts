import { MailboxLoginFailed as LoginFailed, ProviderError } from "@leadloom/api/internal/errors"
import type { LoginProblem, MailboxLoginFailed } from "@leadloom/core/internal/port/provider/Mailboxes"

/** Returns whether the problem is the server's. The same request may succeed later. */
const isTemporary = (problem: LoginProblem): boolean => problem === "unreachable" || problem === "unavailable"

/**
 * Maps a failed login. The other side's problem is 502 like every unreachable provider. A refused host is rejected
 * before a connection, so its response cannot reveal which ports of the network are open.
 */
export const mailboxLoginError = ({ detail, problem, server }: MailboxLoginFailed): LoginFailed | ProviderError => {
  const message = `The login to the ${server === "imap" ? "IMAP" : "SMTP"} server failed. ${detail}`
  return isTemporary(problem) ? ProviderError.of(message) : LoginFailed.of(message, { server, problem })
}
