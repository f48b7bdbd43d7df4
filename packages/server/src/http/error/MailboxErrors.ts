import { MailboxLoginFailed as LoginFailed, ProviderError } from "@leadloom/api/internal/errors"
import type { LoginProblem, MailboxLoginFailed } from "@leadloom/core/internal/port/provider/Mailboxes"

/** The problem of each failed login and the next step, for people. `at` names the server, for example `The IMAP server`. */
const texts: Readonly<Record<LoginProblem, (at: string) => string>> = {
  refused_host: (at) => `${at} is not at a public address. The operator can permit it with LEADLOOM_MAILBOX_ALLOW_HOSTS`,
  unreachable: (at) => `${at} cannot be reached. Check host and port`,
  tls: (at) => `${at} offers no valid encrypted connection. Check host, port and security`,
  login: (at) => `${at} rejects the username or the password`,
  app_password: (at) => `${at} demands an app password. Create one in the settings of the mail account`,
  disabled: (at) => `${at} is switched off for this account. Switch it on in the settings of the mail account`,
  protocol: (at) => `${at} does not speak the expected protocol. Check port and security`
}

/**
 * Maps a failed login. An unreachable server is 502 like every unreachable provider. The response to a refused host
 * quotes nothing, because the quote would reveal which hosts and ports of the network answer.
 */
export const mailboxLoginError = ({ detail, problem, server }: MailboxLoginFailed): LoginFailed | ProviderError => {
  const at = server === "imap" ? "The IMAP server" : "The SMTP server"
  const quote = problem === "refused_host" || detail === "" ? null : detail
  const message = `${texts[problem](at)}.${quote === null ? "" : ` Its response: ${quote}`}`
  return problem === "unreachable"
    ? ProviderError.of(message)
    : LoginFailed.of(message, { server, problem, response: quote })
}
