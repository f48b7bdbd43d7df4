/**
 * Parses every odd mail of a corpus and checks the expectations of the corpus.
 *
 * The folder holds `odd/manifest.json`. Each `should` is checked as far as the parser and the pure rules decide it;
 * those of later layers are listed as such. The manifest also holds the results of another parser. They are compared
 * field by field and only reported (`hints`), because that parser may be wrong.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { isEmail, normalizeEmail } from "@leadloom/core/internal/domain/address/Address"
import { classifyAuto } from "@leadloom/core/internal/domain/email/AutoMail"
import { readBounce } from "@leadloom/core/internal/domain/email/Bounce"
import {
  contentFingerprint,
  isReusedId,
  rawFingerprint,
  synthesizedMessageId
} from "@leadloom/core/internal/domain/email/Fingerprint"
import { normalizeMessageId } from "@leadloom/core/internal/domain/email/MessageId"
import type { ParsedMail } from "@leadloom/core/internal/domain/email/ParsedMail"
import { argumentAt, type Bench, type BenchResult } from "@leadloom/testkit/bench/Bench"
import { findCorpora, missingCorpora } from "@leadloom/testkit/mail/Corpora"
import { parseMail } from "../../connectors/src/mime/MimeParser.ts"

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)
const textAt = (json: Json, key: string): string => (typeof json[key] === "string" ? json[key] : "")
const listAt = (json: Json, key: string): ReadonlyArray<unknown> => (Array.isArray(json[key]) ? json[key] : [])

interface Odd {
  readonly file: string
  readonly kind: ReadonlyArray<unknown>
  readonly raw: Uint8Array
  readonly mail: ParsedMail
  readonly should: ReadonlyArray<Json>
  readonly reference: Json
}

const active =
  /<\s*\/?\s*(?:script|form|frame|iframe|frameset|object|embed|applet|meta|base|style|link|input|button)\b|\son\w+\s*=|(?:java|vb)script:|url\s*\(|\ssrc\s*=\s*["']?\s*https?:|srcset|background\s*=/iu

const withoutText = (html: string): string => html.replace(/>[^<]*</gu, "><")

const effectiveId = ({ mail, raw }: Odd): string =>
  (mail.messageId === null ? null : normalizeMessageId(mail.messageId)) ?? synthesizedMessageId(rawFingerprint(raw))

const witness = ({ mail }: Odd) => ({
  from: mail.from[0]?.email ?? "",
  subject: mail.subject,
  dateSeconds: mail.date === null ? null : Math.floor(mail.date / 1000)
})

const addressOf = (value: string): string => normalizeEmail(value.replace(/^rfc822;/iu, ""))

const checkBounce = (odd: Odd, wanted: Json): string | null => {
  const verdict = classifyAuto(odd.mail)
  const bounce = readBounce(odd.mail)
  const original = textAt(wanted, "original_message_id")
  if (verdict.auto !== "bounce") return `auto is ${verdict.auto}`
  if (bounce === null) return "no bounce that can be trusted"
  if (bounce.originalMessageId !== original) return `original id ${bounce.originalMessageId}`
  const address = addressOf(textAt(wanted, "final-recipient"))
  const found = bounce.recipients.find(({ email }) => email === address)
  if (address !== "" && found === undefined)
    return `recipients ${bounce.recipients.map(({ email }) => email).join(" ")}`
  const status = textAt(wanted, "status")
  if (found !== undefined && status !== "" && found.status !== status) return `status ${found.status}`
  const delayed = textAt(wanted, "action") === "delayed"
  return found !== undefined && found.hard === delayed ? `hard is ${found.hard}` : null
}

/** Returns null if the expectation holds, a sentence if it fails, and undefined if another layer decides. */
const check = (odd: Odd, wanted: Json, all: ReadonlyArray<Odd>): string | null | undefined => {
  const treat = textAt(wanted, "treat")
  const { mail } = odd
  if (treat.startsWith("no usable Message-ID")) {
    const id = effectiveId(odd)
    const twins = all.filter((other) => other !== odd && effectiveId(other) === id)
    return twins.length === 0 ? null : `shares ${id} with ${twins[0]?.file}`
  }
  if (treat.startsWith("sanitised HTML")) {
    return mail.html !== null && active.test(withoutText(mail.html))
      ? `html holds ${active.exec(mail.html)?.[0]}`
      : null
  }
  if (treat.startsWith("must be stored")) {
    const json = JSON.stringify(mail)
    return json.includes("\\u0000") || /\\ud[89a-f]/iu.test(json) ? "NUL or a lone surrogate" : null
  }
  if (treat.startsWith("automatic mail")) {
    const { auto, suppressReply } = classifyAuto(mail)
    return auto !== null && suppressReply ? null : `auto is ${auto}`
  }
  if (treat.startsWith("abuse complaint")) {
    const complaint = mail.complaint
    if (complaint === undefined) return "no complaint found"
    return complaint.recipients.length > 0 || complaint.originalMessageId !== null ? null : "names nobody"
  }
  if (treat.startsWith("same Message-ID")) {
    const group = all.filter((other) => effectiveId(other) === effectiveId(odd))
    if (group.length < 2) return "no other file with this id"
    return group.every((other) => !isReusedId(witness(odd), witness(other))) ? null : "classified as a reused id"
  }
  if (treat.startsWith("bounce")) return checkBounce(odd, wanted)
  if (treat === "calendar") {
    const methods = mail.attachments.flatMap(({ method }) => (method === undefined ? [] : [method]))
    return listAt(wanted, "methods").every((method) => methods.some((m) => m === method))
      ? null
      : `methods ${methods.join()}`
  }
  return undefined
}

/** Checks by kind of mail that concern the parser only, in addition to `should`. */
const kindChecks: Readonly<Record<string, (mail: ParsedMail) => string | null>> = {
  "encoded-words": (mail) =>
    /=\?[\w-]+\?[QB]\?[^?\s]*\?=/iu.test(mail.subject) ? `encoded word left in the subject: ${mail.subject}` : null,
  "html-only": (mail) => (mail.html === null ? "no html" : null),
  attachment: (mail) => (mail.attachments.length === 0 ? "no attachment" : null),
  "several-from": (mail) => (mail.defects.some((defect) => defect.includes("several addresses")) ? null : "not noted"),
  "missing-from": (mail) =>
    mail.from.length > 0 || mail.defects.some((defect) => defect.includes("From")) ? null : "not noted",
  "missing-date": (mail) => (mail.date === null ? null : "has a date"),
  "unterminated-multipart": (mail) =>
    mail.defects.some((defect) => defect.includes("closing boundary") || defect.includes("boundary"))
      ? null
      : "not noted",
  dsn: (mail) => (mail.report === null ? "no report" : null),
  "precedence:bulk": (mail) => (classifyAuto(mail).auto === null ? "not automatic" : null),
  "precedence:list": (mail) => (classifyAuto(mail).auto === null ? "not automatic" : null),
  "list-id": (mail) => (classifyAuto(mail).auto === null ? "not automatic" : null)
}

const charsetKind = /^charset:/u

const foldSpace = (text: string): string => text.replace(/[\s\u200B-\u200F\uFEFF\0]+/gu, " ").trim()

const differences = ({ mail, reference }: Odd): ReadonlyArray<string> => {
  const found: Array<string> = []
  const compare = (what: string, mine: string, theirs: string): void => {
    if (mine !== theirs)
      found.push(`${what}: ${JSON.stringify(mine.slice(0, 100))} and not ${JSON.stringify(theirs.slice(0, 100))}`)
  }
  compare("subject", mail.subject, foldSpace(textAt(reference, "subject")))
  const from = mail.from[0]?.email ?? ""
  const theirFrom = textAt(reference, "from_")
  if (from !== "" && !theirFrom.includes(from)) compare("from", from, theirFrom)
  if (from === "" && isEmail(normalizeEmail(theirFrom))) compare("from", from, theirFrom)
  const theirs = Date.parse(textAt(reference, "date"))
  if (mail.date !== null && Number.isFinite(theirs) && mail.date !== theirs)
    compare("date", String(mail.date), String(theirs))
  if (mail.date === null && Number.isFinite(theirs)) compare("date", "null", textAt(reference, "date"))
  const start = foldSpace(textAt(reference, "text_start")).slice(0, 60)
  if (start !== "" && !foldSpace(mail.text).includes(start)) compare("text", foldSpace(mail.text), start)
  const names = listAt(reference, "attachments").length
  if (mail.attachments.length !== names)
    compare("attachments", String(mail.attachments.length), JSON.stringify(listAt(reference, "attachments")))
  return found
}

const judge = (folder: string, withHints: boolean): BenchResult => {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "odd", "manifest.json"), "utf8"))
  const entries = Array.isArray(manifest) ? manifest.filter(isJson) : []
  const odds = entries.map((entry): Odd => {
    const raw = readFileSync(join(folder, textAt(entry, "file")))
    const expectation = isJson(entry["expectation"]) ? entry["expectation"] : {}
    const should = listAt(expectation, "should").filter(isJson)
    const reference = isJson(expectation["reference_parse"]) ? expectation["reference_parse"] : {}
    return { file: textAt(entry, "file"), kind: listAt(entry, "kind"), raw, mail: parseMail(raw), should, reference }
  })
  const tally = { held: 0, failed: 0, later: 0, kindHeld: 0, kindFailed: 0 }
  const remarks: Array<string> = []
  const crashed = odds.filter(({ mail }) =>
    mail.defects.some((defect) => defect.startsWith("The mail could not be read"))
  )
  for (const odd of odds) {
    for (const wanted of odd.should) {
      const outcome = check(odd, wanted, odds)
      if (outcome === undefined) tally.later++
      else if (outcome === null) tally.held++
      else {
        tally.failed++
        remarks.push(`SHOULD ${odd.file}: ${textAt(wanted, "treat")} — ${outcome}`)
      }
    }
    for (const kind of odd.kind.map(String)) {
      const outcome = kindChecks[kind]?.(odd.mail)
      if (outcome === null) tally.kindHeld++
      else if (outcome !== undefined) {
        tally.kindFailed++
        remarks.push(`KIND ${odd.file}: ${kind} — ${outcome}`)
      }
    }
    if (odd.kind.map(String).some((kind) => charsetKind.test(kind)) && odd.mail.text.includes("\uFFFD")) {
      remarks.push(`CHARSET ${odd.file}: replacement characters in the text`)
    }
    if (withHints) remarks.push(...differences(odd).map((difference) => `HINT ${odd.file}: ${difference}`))
  }
  const fingerprints = new Set(
    odds.map((odd) =>
      contentFingerprint({ ...witness(odd), recipients: odd.mail.to.map(({ email }) => email), text: odd.mail.text })
    )
  )
  return {
    figures: {
      files: odds.length,
      unreadable: crashed.length,
      ...tally,
      differentContents: fingerprints.size,
      remarks
    },
    checks: { "every mail is readable": crashed.length === 0, "every expectation holds": tally.failed === 0 }
  }
}

export const bench: Bench = {
  name: "odd",
  purpose: "Every odd mail of a corpus against the expectations of the corpus.",
  usage: "[--hints]",
  sizes: { smallest: [], small: [], full: [] },
  missing: missingCorpora,
  run: (args) => Promise.resolve(judge(findCorpora(), argumentAt(args, 0) === "--hints"))
}
