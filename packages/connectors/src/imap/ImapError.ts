import { redactSecrets } from "../provider/RedactSecrets.ts"

/** The parts of an error of `imapflow` that have a meaning here. Its types do not describe them all. */
export interface ImapError {
  /** A code of Node.js or `imapflow`. */
  readonly code: string | null
  /** The response code (RFC 3501, section 7.1; RFC 5530) in upper case, such as `THROTTLED`. */
  readonly responseCode: string | null
  /** `NO` or `BAD` when the server responded to the command. */
  readonly status: string | null
  /** The server's words, or those of the client when the server sent none. One line without secrets. */
  readonly text: string
  readonly isLogin: boolean
  readonly isTls: boolean
  /** Whether the folder of the command does not exist. */
  readonly isMissing: boolean
  /** The delay that Microsoft 365 demands, in milliseconds. */
  readonly throttleMillis: number | null
}

/** The maximum length of a server's words in a failure. */
const maxTextLength = 400

const textAt = (value: unknown, name: string): string | null => {
  if (typeof value !== "object" || value === null) return null
  const found: unknown = Reflect.get(value, name)
  return typeof found === "string" && found !== "" ? found : null
}

const valueAt = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** The response code of a parsed response, which `imapflow` keeps for some commands. */
const parsedCode = (response: unknown): string | null => {
  const attributes = valueAt(response, "attributes")
  const section = Array.isArray(attributes) ? valueAt(attributes[0], "section") : undefined
  return Array.isArray(section) ? textAt(section[0], "value") : null
}

/** Removes control characters and secrets from a text, and limits its length. */
export const cleanText = (secrets: ReadonlyArray<string>, text: string): string =>
  redactSecrets(secrets, text)
    .replaceAll(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, maxTextLength)

/** Reads an error of `imapflow`. */
export const readImapError = (error: unknown, secrets: ReadonlyArray<string>): ImapError => {
  const response = valueAt(error, "response")
  // The text of a login error is the whole tagged response: `5 NO [AUTHENTICATIONFAILED] …`.
  const whole = typeof response === "string" ? response.replace(/^\S+ (?=NO|BAD)/u, "") : null
  const cause = textAt(error, "responseText") ?? whole ?? textAt(error, "reason") ?? textAt(error, "message")
  const responseCode = textAt(error, "serverResponseCode") ?? parsedCode(response)
  const status = textAt(error, "responseStatus")
  const quoted = textAt(error, "responseText")
  const words = quoted === null || whole !== null ? (whole ?? cause) : `${status} ${codeText(responseCode)}${quoted}`
  const throttle = valueAt(error, "throttleReset")
  return {
    code: textAt(error, "code"),
    responseCode: responseCode?.toUpperCase() ?? null,
    status,
    text: cleanText(secrets, words ?? "no reason given"),
    isLogin: valueAt(error, "authenticationFailed") === true,
    isTls: valueAt(error, "tlsFailed") === true,
    isMissing: valueAt(error, "mailboxMissing") === true || textAt(error, "code") === "NotFound",
    throttleMillis: typeof throttle === "number" && Number.isFinite(throttle) ? throttle : null
  }
}

const codeText = (code: string | null): string => (code === null ? "" : `[${code}] `)

/**
 * The delays before a retry by response code, in milliseconds. `LIMIT`, `INUSE`, `UNAVAILABLE`: RFC 5530, section 3.
 * `THROTTLED` and `OVERQUOTA` are those of Gmail and Yahoo for too much traffic.
 */
const delays: Readonly<Record<string, number>> = {
  THROTTLED: 120_000,
  LIMIT: 300_000,
  OVERQUOTA: 900_000,
  UNAVAILABLE: 60_000,
  SERVERBUG: 60_000,
  INUSE: 15_000
}

/** Texts about too many connections or too much traffic, without a response code. */
const busyText =
  /too many (?:simultaneous )?connections|maximum number of connections|rate limit|request is throttled|try again later|temporar(?:y|ily)|server (?:is )?(?:too )?busy/iu

/** The longest delay that a server may demand, in milliseconds. */
const maxDelayMillis = 3_600_000

/** Returns the delay in milliseconds when the server is only unavailable for a time. Null for other errors. */
export const delayOf = ({ responseCode, text, throttleMillis }: ImapError): number | null => {
  if (throttleMillis !== null) return Math.min(throttleMillis, maxDelayMillis)
  const delay = responseCode === null ? undefined : delays[responseCode]
  if (delay !== undefined) return delay
  return busyText.test(text) ? 60_000 : null
}
