import { isNoReply, localPartOf, normalizeEmail } from "../address/Address.ts"
import { headerValues, type ParsedMail } from "./ParsedMail.ts"

/**
 * The kind of automatic mail. A copy of mail that this server sent is not a kind of its own, because its Message-ID
 * identifies it.
 */
export type AutoKind = "auto_reply" | "bounce" | "list"

/** The result for one mail. */
export interface AutoVerdict {
  /** The kind of automatic mail. Null for mail from a person. */
  readonly auto: AutoKind | null
  /** True if an automatic reply is forbidden. This is so for all automatic mail, and for some mail from persons. */
  readonly suppressReply: boolean
  /** The findings as readable text, for the audit trail. */
  readonly reasons: ReadonlyArray<string>
}

type Headers = ReadonlyMap<string, ReadonlyArray<string>>

/** A sign of automatic mail: whether the mail has the sign, and the text that records it. */
type Sign = readonly [found: boolean, reason: string]

const asMap = (mail: ParsedMail): Headers => {
  const names = ["auto-submitted", "x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-response-suppress"]
  const more = ["precedence", "x-precedence", "delivered-to", "x-loop", "return-path", "x-failed-recipients"]
  const rest = [
    "list-id",
    "list-unsubscribe",
    "list-post",
    "list-help",
    "x-ms-exchange-inbox-rules-loop",
    "content-type"
  ]
  return new Map([...names, ...more, ...rest].map((name) => [name, headerValues(mail, name)]))
}

const values = (headers: Headers, name: string): ReadonlyArray<string> => headers.get(name) ?? []

const some = (headers: Headers, names: ReadonlyArray<string>, test: (value: string) => boolean): boolean =>
  names.some((name) => values(headers, name).some((value) => test(value.trim().toLowerCase())))

const word = (value: string): string => value.split(/[\s;(]/u)[0] ?? ""

/**
 * Returns whether the header `Auto-Submitted` marks the mail as automatic. The value `no` means that a person wrote the
 * mail (RFC 3834 section 5).
 */
const autoSubmitted = (headers: Headers): boolean =>
  some(headers, ["auto-submitted"], (value) => value !== "" && word(value) !== "no")

const suppressed = (headers: Headers, test: (value: string) => boolean): boolean =>
  some(headers, ["x-auto-response-suppress"], test)

const autoSubject =
  /^(?:automatic reply|automatische antwort|réponse automatique|respuesta automática|risposta automatica|auto(?:matic)?[ -]?(?:response|reply)|autoreply|out of (?:the )?office|abwesenheitsnotiz|oof:|ooo:)/iu
const bounceSubject =
  /^(?:undeliver(?:able|ed)|delivery (?:status notification|failure|has failed)|mail delivery (?:failed|failure)|returned mail|failure notice|non remis|unzustellbar)/iu

const nullReturnPath = (headers: Headers): boolean =>
  some(headers, ["return-path"], (value) => /^<?\s*>?$/u.test(value))

const fromDaemon = (mail: ParsedMail): boolean =>
  mail.from.some(
    ({ email, name }) =>
      /^(?:mailer-daemon|postmaster)$/u.test(localPartOf(normalizeEmail(email))) ||
      /^mail delivery (?:sub)?system$/iu.test(name ?? "")
  )

const reportType = (headers: Headers, type: string): boolean =>
  some(headers, ["content-type"], (value) => value.startsWith("multipart/report") && value.includes(type))

const bounceSigns = (mail: ParsedMail, headers: Headers): ReadonlyArray<Sign> => {
  const undelivered = mail.report?.statuses.some(({ action }) => action === "failed" || action === "delayed") ?? false
  const silent = mail.report === null || mail.report.statuses.length === 0
  return [
    [undelivered, "a delivery status notification says that mail was not delivered"],
    [silent && reportType(headers, "delivery-status"), "the mail is a delivery report"],
    [values(headers, "x-failed-recipients").length > 0, "X-Failed-Recipients"],
    [
      silent &&
        fromDaemon(mail) &&
        (nullReturnPath(headers) || autoSubmitted(headers) || bounceSubject.test(mail.subject)),
      "a mail system reports a failed delivery"
    ],
    [
      silent && bounceSubject.test(mail.subject) && autoSubmitted(headers),
      "an automatic subject about a failed delivery"
    ]
  ]
}

const autoReplySigns = (mail: ParsedMail, headers: Headers): ReadonlyArray<Sign> => [
  [autoSubmitted(headers), "Auto-Submitted"],
  [some(headers, ["x-autoreply", "x-autorespond", "x-autoresponder"], (value) => value !== "no"), "X-Autoreply"],
  [some(headers, ["precedence", "x-precedence"], (value) => /^auto[_-]?reply$/u.test(value)), "Precedence: auto_reply"],
  [some(headers, ["delivered-to"], (value) => value === "autoresponder"), "Delivered-To: autoresponder"],
  [some(headers, ["x-loop"], (value) => value === "yes"), "X-Loop: yes"],
  [
    values(headers, "x-ms-exchange-inbox-rules-loop").length > 0 &&
      suppressed(headers, (value) => /\ball\b/u.test(value)),
    "an Exchange inbox rule"
  ],
  [autoSubject.test(mail.subject), "an automatic subject"],
  [/^auto:/iu.test(mail.subject) && mail.inReplyTo !== "", "a reply with a subject that starts with Auto:"],
  [mail.complaint !== undefined, "an abuse report"],
  [mail.report !== null || reportType(headers, "disposition-notification"), "a report of delivery or reading"],
  [nullReturnPath(headers), "an empty return path"]
]

const listSigns = (headers: Headers): ReadonlyArray<Sign> => [
  [
    ["list-id", "list-unsubscribe", "list-post", "list-help"].some((name) => values(headers, name).length > 0),
    "List-*"
  ],
  [some(headers, ["precedence", "x-precedence"], (value) => /^(?:list|bulk|junk)$/u.test(value)), "Precedence: bulk"]
]

/** Signs that forbid an automatic reply but do not prove that the mail is automatic. */
const silenceSigns = (mail: ParsedMail, headers: Headers): ReadonlyArray<Sign> => [
  [suppressed(headers, (value) => value !== "" && value !== "none"), "X-Auto-Response-Suppress"],
  [some(headers, ["x-loop"], (value) => value !== ""), "X-Loop"],
  [
    [...mail.from, ...mail.replyTo].some(({ email }) => isNoReply(email)),
    "the sender's address is an unattended mailbox"
  ],
  [mail.from.length === 0, "the mail has no sender"]
]

const reasonsOf = (signs: ReadonlyArray<Sign>): ReadonlyArray<string> =>
  signs.filter(([found]) => found).map(([, reason]) => reason)

/**
 * Distinguishes automatic mail from mail by a person (RFC 3834, and conventions of mail systems). A bounce has
 * precedence over an automatic reply. An automatic reply has precedence over list mail, because a vacation reply that
 * arrives through a list is still a vacation reply.
 */
export const classifyAuto = (mail: ParsedMail): AutoVerdict => {
  const headers = asMap(mail)
  const bounce = reasonsOf(bounceSigns(mail, headers))
  const reply = reasonsOf(autoReplySigns(mail, headers))
  const list = reasonsOf(listSigns(headers))
  const reasons = [...bounce, ...reply, ...list, ...reasonsOf(silenceSigns(mail, headers))]
  const suppressReply = reasons.length > 0
  if (bounce.length > 0) return { auto: "bounce", suppressReply, reasons }
  if (reply.length > 0) return { auto: "auto_reply", suppressReply, reasons }
  return { auto: list.length > 0 ? "list" : null, suppressReply, reasons }
}
