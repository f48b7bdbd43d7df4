import { useConnection } from "../app/Connection.ts"
import { endSession } from "../app/Session.ts"

/**
 * Returns the function that signs out. The server revokes the session of a link. Other credentials only leave the tab,
 * because other programs may use them too.
 */
export const useSignOut = (): (() => void) => {
  const { client, isRenewable } = useConnection()
  return () => {
    const leave = (): void => endSession("signed-out")
    // If the server cannot be reached, the session expires within an hour.
    if (isRenewable) client.consoleSessions.end().then(leave, leave)
    else leave()
  }
}
