import { redactSecrets } from "../provider/RedactSecrets.ts"
import { type Relay, secretsOf } from "./Relay.ts"
import { makeConnection, signIn } from "./SmtpConnect.ts"

/** The timeout for the whole check in milliseconds. */
const timeoutMillis = 8_000

const wordsOf = (relay: Relay, error: unknown): string =>
  redactSecrets(secretsOf(relay), error instanceof Error ? error.message : String(error))
    .replace(/\s+/gu, " ")
    .slice(0, 400)

/** Connects to a relay and signs in without sending a mail. Returns the problem, or null. */
export const probeRelay = (relay: Relay): Promise<string | null> =>
  new Promise((resolve) => {
    const connection = makeConnection(relay, { connect: timeoutMillis, idle: timeoutMillis })
    const end = (reason: string | null): void => {
      clearTimeout(timer)
      resolve(reason)
      if (reason === null) connection.quit()
      else connection.close()
    }
    const timer = setTimeout(() => end("The relay did not respond in time."), timeoutMillis)
    connection.on("error", (error) => end(wordsOf(relay, error)))
    connection.on("end", () => end("The relay closed the connection."))
    connection.connect((error) => {
      if (error !== undefined && error !== null) return end(wordsOf(relay, error))
      if (relay.login === null) return end(null)
      signIn(connection, relay.login, (refused) => end(refused ? wordsOf(relay, refused) : null))
    })
  })
