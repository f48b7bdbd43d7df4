import SMTPConnection from "nodemailer/lib/smtp-connection"
import XOAuth2 from "nodemailer/lib/xoauth2"
import type { Relay, RelayLogin } from "./Relay.ts"

/** The timeouts of a connection in milliseconds. */
export interface ConnectionTimeouts {
  /** The timeout for opening the connection. The relay's greeting has a separate timeout of the same length. */
  readonly connect: number
  /** The timeout for each response of the relay. */
  readonly idle: number
}

/** Creates a connection to a relay. It is not open yet. */
export const makeConnection = (relay: Relay, { connect, idle }: ConnectionTimeouts): SMTPConnection =>
  new SMTPConnection({
    host: relay.address ?? relay.host,
    ...(relay.address === undefined ? {} : { servername: relay.host }),
    port: relay.port,
    secure: relay.secure,
    requireTLS: relay.requireTls,
    ...(relay.neverTls === true ? { ignoreTLS: true } : {}),
    ...(relay.tls === undefined ? {} : { tls: relay.tls }),
    ...(relay.name === null ? {} : { name: relay.name }),
    connectionTimeout: connect,
    greetingTimeout: connect,
    dnsTimeout: connect,
    socketTimeout: idle,
    logger: false
  })

const authOf = ({ pass, token, user }: RelayLogin) =>
  token === undefined ? { user, pass } : { user, oauth2: new XOAuth2({ user, accessToken: token }) }

/** Signs in over an open connection. */
export const signIn = (connection: SMTPConnection, login: RelayLogin, done: (error?: Error | null) => void): void =>
  connection.login(authOf(login), done)
