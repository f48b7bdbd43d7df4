import { type Command, type ImapSession, Refusal } from "./ImapSession.ts"
import { textOf } from "./ImapSyntax.ts"

const logIn = (session: ImapSession, username: string, password: string): string => {
  const { faults, options } = session.state
  if (faults.login !== null) throw new Refusal(faults.login)
  const account = session.state.accounts.get(username)
  if (account === undefined || options.accounts[username] !== password) {
    throw new Refusal("NO [AUTHENTICATIONFAILED] Invalid credentials")
  }
  session.account = account
  return `OK [CAPABILITY ${session.state.capabilities(session.isSecure, true)}] Logged in`
}

const checkSecure = (session: ImapSession): void => {
  if (session.options.security === "starttls" && !session.isSecure) {
    throw new Refusal("NO [PRIVACYREQUIRED] Use STARTTLS first")
  }
}

const nextLine = (session: ImapSession, challenge: string): Promise<string> =>
  new Promise((resolve) => {
    session.onLine = resolve
    session.send(`+ ${challenge}\r\n`)
  })

const login: Command = (session, [username, password]) => {
  checkSecure(session)
  return logIn(session, textOf(username), textOf(password))
}

/** PLAIN (RFC 4616) and XOAUTH2, with or without an initial response (RFC 4959). */
const authenticate: Command = async (session, [mechanism, initial]) => {
  checkSecure(session)
  const name = textOf(mechanism).toUpperCase()
  if (!session.state.has(`AUTH=${name}`)) throw new Refusal("NO [CANNOT] Unsupported mechanism")
  const encoded = initial === undefined ? await nextLine(session, "") : textOf(initial)
  const response = Buffer.from(encoded, "base64").toString()
  if (name === "PLAIN") {
    const [, username = "", password = ""] = response.split("\0")
    return logIn(session, username, password)
  }
  if (name !== "XOAUTH2") throw new Refusal("NO [CANNOT] Unsupported mechanism")
  const [, username = "", token = ""] = /^user=([^\x01]*)\x01auth=Bearer ([^\x01]*)\x01\x01$/u.exec(response) ?? []
  try {
    return logIn(session, username, token)
  } catch (error) {
    // The client must send an empty response before the tagged response.
    await nextLine(session, Buffer.from('{"status":"400","schemes":"Bearer"}').toString("base64"))
    throw error
  }
}

const capability: Command = (session) => {
  session.untagged(`CAPABILITY ${session.state.capabilities(session.isSecure, session.account !== null)}`)
  return "OK Completed"
}

const id: Command = (session) => {
  session.untagged('ID ("name" "imap-stand-in")')
  return "OK Completed"
}

const enable: Command = (session, args) => {
  const names = args.map((arg) => textOf(arg).toUpperCase())
  const granted = names.filter(
    (name) => ["CONDSTORE", "QRESYNC", "UTF8=ACCEPT"].includes(name) && session.state.has(name)
  )
  // QRESYNC includes CONDSTORE (RFC 7162, section 3.2.3).
  for (const name of granted.includes("QRESYNC") ? [...granted, "CONDSTORE"] : granted) session.enabled.add(name)
  session.untagged(["ENABLED", ...granted].join(" "))
  return "OK Completed"
}

const logout: Command = (session) => {
  session.untagged("BYE Logging out")
  return "OK Completed"
}

/** The commands that are valid before a login. STARTTLS is part of the connection. */
export const openCommands: Readonly<Record<string, Command>> = {
  CAPABILITY: capability,
  ID: id,
  NOOP: () => "OK Completed",
  LOGOUT: logout,
  LOGIN: login,
  AUTHENTICATE: authenticate
}

/** The commands of a logged-in connection that concern no folder. */
export const sessionCommands: Readonly<Record<string, Command>> = {
  CAPABILITY: capability,
  ID: id,
  NOOP: () => "OK Completed",
  LOGOUT: logout,
  ENABLE: enable,
  NAMESPACE: (session) => {
    session.untagged('NAMESPACE (("" "/")) NIL NIL')
    return "OK Completed"
  },
  IDLE: async (session) => {
    if (!session.state.has("IDLE")) throw new Refusal("BAD Unknown command")
    const done = nextLine(session, "idling")
    session.isIdling = true
    session.flush(true)
    for (const watcher of session.state.idleWatchers) watcher()
    const line = await done
    session.isIdling = false
    return /^done$/iu.test(line) ? "OK Completed" : "BAD Expected DONE"
  }
}
