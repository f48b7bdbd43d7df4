import type { Leadloom } from "@leadloom/client"
import { useEffect } from "react"
import { useConnection } from "./Connection.ts"
import { readSession, storeSession } from "./Session.ts"

/** A token is renewed when it expires within this time. A person without activity for so long is signed out. */
const renewBeforeMillis = 30 * 60_000
const checkMillis = 60_000

const activities = ["keydown", "pointerdown", "wheel"] as const

/** Renews the token of the tab's session. The server refuses it after the absolute end of the session. */
const renew = async (client: Leadloom): Promise<void> => {
  const { expires_at: expiresAt, token: credential } = await client.consoleSessions.renew()
  const session = readSession()
  if (session !== null) storeSession({ ...session, credential, expiresAt })
}

/** Renews the session of the tab while the person uses it. Without activity, the session expires. */
export const useRenewal = (): void => {
  const { client } = useConnection()
  useEffect(() => {
    let lastActivity = Date.now()
    const note = (): void => {
      lastActivity = Date.now()
    }
    const check = (): void => {
      const expiresAt = readSession()?.expiresAt ?? Number.POSITIVE_INFINITY
      const isDue = expiresAt - Date.now() < renewBeforeMillis
      // After a failure, the next check tries again. The token is still valid.
      if (isDue && Date.now() - lastActivity < renewBeforeMillis) renew(client).catch(() => undefined)
    }
    const timer = setInterval(check, checkMillis)
    for (const activity of activities) document.addEventListener(activity, note)
    return () => {
      clearInterval(timer)
      for (const activity of activities) document.removeEventListener(activity, note)
    }
  }, [client])
}
