import {
  gone,
  outcomeUnknown,
  type ProviderFailure,
  refused,
  signedOut,
  unavailable
} from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { delayOf, readImapError } from "./ImapError.ts"

/** Response codes after which the owner must sign in again (RFC 5530, section 3). */
const signedOutCodes = ["AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED", "PRIVACYREQUIRED"]

/**
 * Returns the failure of a command on an open connection. A lost connection is `Unavailable`, or `OutcomeUnknown` for a
 * command that must not be repeated.
 */
export const commandFailure = (
  error: unknown,
  secrets: ReadonlyArray<string>,
  isRepeatable = true
): ProviderFailure => {
  const read = readImapError(error, secrets)
  const code = read.responseCode
  if (code === "NONEXISTENT" || code === "TRYCREATE" || read.isMissing) return gone("mail", "folder")
  if (code !== null && signedOutCodes.includes(code))
    return signedOut("mail", `The mail server responded: ${read.text}`)
  const delay = delayOf(read)
  if (delay !== null) {
    const detail = `The mail server is unavailable at present: ${read.text}`
    return unavailable("mail", detail, { code: code ?? read.code, retryAfterMillis: delay })
  }
  if (read.status !== null) return refused("mail", `The mail server rejected a command: ${read.text}`, { code })
  const detail = `The connection to the mail server ended: ${read.text}`
  return isRepeatable ? unavailable("mail", detail, { code: read.code }) : outcomeUnknown("mail", detail)
}
