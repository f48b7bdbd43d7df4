import { isEmail, localPartOf, normalizeEmail } from "@leadloom/core/internal/domain/address/Address"
import type { DeliveryReport, DeliveryStatus, MailHeader } from "@leadloom/core/internal/domain/email/ParsedMail"
import { visibleLine } from "@leadloom/core/internal/domain/email/VisibleText"

/** The maximum numbers of characters and recipients read from one text, and of lines that explain one recipient. */
const charactersRead = 65_536
const recipientsRead = 100
const linesExplaining = 12
const maxDiagnosticLength = 300

const valuesOf = (fields: ReadonlyArray<MailHeader>, name: string): ReadonlyArray<string> =>
  fields.filter((field) => field.name === name).map(({ value }) => visibleLine(value))

const daemon = /^(?:mailer-?daemon|postmaster|mail-?daemon|mdaemon|mailsystem|mail-system|amavisd?|double-bounce)$/u
const daemonName =
  /^(?:"?)(?:mail delivery|mailer[ -]?daemon|postmaster|mail (?:system|administrator)|microsoft (?:outlook|exchange)|system administrator|delivery subsystem)/iu
const failureSubject =
  /^(?:undeliver|delivery (?:status|failure|has failed|report|notification)|mail (?:delivery|system error)|message (?:delivery|undeliverable)|returned (?:mail|to sender)|failure (?:notice|delivery)|non remis|échec|unzustellbar|nicht zustellbar|mensaje no entregado|non recapitabile|недоставлен|warning: (?:message|could not))/iu

const isDaemon = (fields: ReadonlyArray<MailHeader>): boolean =>
  valuesOf(fields, "from").some((from) => daemon.test(localPartOf(normalizeEmail(from))) || daemonName.test(from))

const isMachineMade = (fields: ReadonlyArray<MailHeader>): boolean =>
  valuesOf(fields, "return-path").some((path) => /^<?\s*>?$/u.test(path)) ||
  valuesOf(fields, "x-failed-recipients").length > 0 ||
  valuesOf(fields, "auto-submitted").some((value) => value !== "" && !/^no\b/iu.test(value))

/**
 * Returns whether a mail system wrote the mail. Two of three signs are required: the sender, the headers of automatic
 * mail (RFC 3834, RFC 5321 section 6.1), and the subject. A person's mail that quotes a bounce has at most one of these
 * signs.
 */
export const isFromMailSystem = (fields: ReadonlyArray<MailHeader>): boolean => {
  const subject = valuesOf(fields, "subject").some((value) => failureSubject.test(value))
  return [isDaemon(fields), isMachineMade(fields), subject].filter((sign) => sign).length >= 2
}

/** An address at the start of a line, alone or followed by its result: `<jo@x.io>:`, `jo@x.io on Mon, 4 Mar`. */
const recipientLine = /^[ \t]{0,12}<?([^\s<>@:;,()]{1,64}@[^\s<>@:;,()]{1,189})>?(?=\s*(?:[:(]|$|\.\.\.| on ))/u
const mentioned = /<([^\s<>@]{1,64}@[^\s<>@]{1,189})>/u
/** The start of the original mail that a report quotes: the first of the transport headers. */
const copyStart = /^[ \t>]{0,8}(?:Return-Path|Received|Message-ID)[ \t]*:/imu
const originalId = /^[ \t>]{0,8}Message-ID[ \t]*:\s{0,80}(<[^<>\s]{1,400}>)/imu
const enhanced = /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.])/u
const reply = /(?<![\d.])[45][0-5]\d(?=[ -])/u
const waits =
  /delayed|not yet been delivered|still being|will (?:be retried|keep trying|continue to)|no action is required|warning message/iu
const gaveUp = /not going to try again|(?:have|has) given up|giving up|could not be delivered|permanent/iu

interface Reported {
  readonly recipient: string
  readonly lines: Array<string>
}

const addressIn = (shape: RegExp, line: string): string => {
  const found = shape.exec(line)?.[1]
  const email = found === undefined ? "" : normalizeEmail(found)
  return isEmail(email) ? email : ""
}

/** Returns the recipients that an explanation names, each with the lines that follow it. */
const recipientsOf = (explanation: string): ReadonlyArray<Reported> => {
  const byAddress = new Map<string, Reported>()
  let current: Reported | null = null
  for (const line of explanation.split("\n")) {
    if (line.trim() === "") continue
    const named = addressIn(recipientLine, line)
    const again = byAddress.get(addressIn(mentioned, line) || named)
    if (again !== undefined) current = again
    else if (named !== "" && byAddress.size < recipientsRead) {
      current = { recipient: named, lines: [] }
      byAddress.set(named, current)
    }
    if (current !== null && current.lines.length < linesExplaining) current.lines.push(line.trim())
  }
  return [...byAddress.values()]
}

const statusOf = ({ lines, recipient }: Reported, waiting: boolean): DeliveryStatus => {
  const text = lines.join(" ").replace(/^<?[^\s<>]{1,254}>?:?\s*/u, "")
  const status = enhanced.exec(text)?.[0] ?? null
  const temporary = (status ?? reply.exec(text)?.[0] ?? "").startsWith("4")
  const diagnostic = visibleLine(text).slice(0, maxDiagnosticLength) || null
  const lost = gaveUp.test(text) || (!waiting && !temporary)
  return { recipient, action: lost ? "failed" : "delayed", status, diagnostic }
}

/**
 * Reads a text-only report of a mail system (qmail, Exim, old Postfix, sendmail and Exchange). `attachedId` is the
 * Message-ID of an attached copy of the original mail. Returns null when the text names no recipient. Call it only if
 * `isFromMailSystem` returns true. Linear in the length of the text.
 */
export const readTextReport = (
  fields: ReadonlyArray<MailHeader>,
  text: string,
  attachedId: string | null
): DeliveryReport | null => {
  const start = text.slice(0, charactersRead)
  const copy = start.search(copyStart)
  const explanation = copy === -1 ? start : start.slice(0, copy)
  const waiting =
    waits.test(explanation) || valuesOf(fields, "subject").some((subject) => /^warning|delay/iu.test(subject))
  const reported = new Map(recipientsOf(explanation).map((each) => [each.recipient, each]))
  const failed = valuesOf(fields, "x-failed-recipients").flatMap((value) => value.split(",", recipientsRead))
  for (const recipient of failed.map(normalizeEmail).filter(isEmail)) {
    if (!reported.has(recipient)) reported.set(recipient, { recipient, lines: [] })
  }
  const statuses = [...reported.values()].map((each) => statusOf(each, waiting))
  const own = new Set([...valuesOf(fields, "from"), ...valuesOf(fields, "to")].map(normalizeEmail))
  const reached = statuses.filter(({ recipient }) => !own.has(recipient))
  if (reached.length === 0) return null
  const id = attachedId ?? originalId.exec(copy === -1 ? "" : start.slice(copy))?.[1] ?? null
  return { statuses: reached, originalMessageId: id ?? (valuesOf(fields, "in-reply-to")[0] || null) }
}
