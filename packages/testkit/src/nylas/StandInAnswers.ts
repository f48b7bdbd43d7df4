import { createHash } from "node:crypto"
import {
  madeId,
  put,
  type StandInAnswer,
  type StandInGrant,
  type StandInHeader,
  type StandInPerson
} from "./StandInMailbox.ts"

/** Returns an error in the format of Nylas. */
export const problem = (status: number, type: string, message: string): StandInAnswer => ({
  status,
  json: { request_id: madeId("req"), error: { type, message } }
})

/** Returns a successful response with data. */
export const data = (value: object): StandInAnswer => ({
  status: 200,
  json: { request_id: madeId("req"), data: value }
})

export const invalid = (message: string): StandInAnswer => problem(400, "invalid_request_error", message)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isPerson = (value: unknown): value is StandInPerson =>
  isRecord(value) &&
  typeof value["email"] === "string" &&
  value["email"].includes("@") &&
  (value["name"] === undefined || typeof value["name"] === "string")

const isHeader = (value: unknown): value is StandInHeader =>
  isRecord(value) && typeof value["name"] === "string" && typeof value["value"] === "string"

const listOf = <A>(value: unknown, is: (each: unknown) => each is A): ReadonlyArray<A> | null => {
  if (value === undefined) return []
  return Array.isArray(value) && value.every(is) ? value : null
}

const sendFields = new Set(
  (
    "to cc bcc from reply_to subject body is_plaintext reply_to_message_id custom_headers tracking_options attachments " +
    "send_at signature_id template"
  ).split(" ")
)

/** Returns the error of an invalid send request, or null. */
const wrongWith = (grant: StandInGrant, body: Readonly<Record<string, unknown>>): StandInAnswer | null => {
  const unknown = Object.keys(body).find((name) => !sendFields.has(name))
  if (unknown !== undefined) return invalid(`unknown field ${unknown}`)
  if ((listOf(body["to"], isPerson) ?? []).length === 0) return invalid("to: at least one participant is required")
  if (listOf(body["cc"], isPerson) === null || listOf(body["bcc"], isPerson) === null) return invalid("cc, bcc")
  const from = listOf(body["from"], isPerson)
  const own = [grant.email, ...grant.aliases]
  if (from === null || from.length > 1 || from.some(({ email }) => !own.includes(email.toLowerCase()))) {
    return invalid("from: the account may not send as this address")
  }
  if (typeof body["subject"] !== "string" || typeof body["body"] !== "string") return invalid("subject, body")
  const plain = body["is_plaintext"]
  if (plain !== undefined && typeof plain !== "boolean") return invalid("is_plaintext")
  const headers = listOf(body["custom_headers"], isHeader)
  if (headers === null) return invalid("custom_headers")
  if (grant.provider === "microsoft" && headers.some(({ name }) => !/^x-/iu.test(name))) {
    return invalid("custom_headers: names have to begin with X-")
  }
  const answered = body["reply_to_message_id"]
  if (answered !== undefined && !grant.messages.some(({ id }) => id === answered)) {
    return problem(404, "not_found_error", "the message to reply to does not exist")
  }
  return null
}

/** Runs between the start and the end of a send. Returns an error response, or null to continue. */
export type Withholding = () => Promise<StandInAnswer | null>

const carryOut = (grant: StandInGrant, json: unknown, fields: string | null): StandInAnswer => {
  if (!isRecord(json)) return invalid("the body is no JSON object")
  const wrong = wrongWith(grant, json)
  if (wrong !== null) return wrong
  const [from = { email: grant.email }] = listOf(json["from"], isPerson) ?? []
  const answered = grant.messages.find(({ id }) => id === json["reply_to_message_id"])
  const sent = put(grant, {
    from,
    to: listOf(json["to"], isPerson) ?? [],
    cc: listOf(json["cc"], isPerson) ?? [],
    subject: String(json["subject"]),
    body: String(json["body"]),
    headers: listOf(json["custom_headers"], isHeader) ?? [],
    folders: ["SENT"],
    ...(answered === undefined ? {} : { inReplyTo: answered.messageId }),
    json: { bcc: json["bcc"] ?? [] }
  })
  const basic = new Set(["Message-ID", "In-Reply-To", "References"])
  const headers = fields === null ? {} : { headers: sent.headers.filter(({ name }) => basic.has(name)) }
  return data({ ...sent.json, ...headers })
}

/**
 * Sends a mail once per `Idempotency-Key`. A repeated key returns the first response, even if it was an error.
 * `withholding` runs before the send completes.
 */
export const sendOnce = async (
  grant: StandInGrant,
  request: {
    readonly json: unknown
    readonly text: string
    readonly key: string | null
    readonly fields: string | null
  },
  withholding: Withholding
): Promise<StandInAnswer> => {
  const act = async () => (await withholding()) ?? carryOut(grant, request.json, request.fields)
  if (request.key === null) return act()
  if (request.key === "" || request.key.length > 256) return problem(400, "api.invalid_idempotency_key", "256 at most")
  const hash = createHash("sha256").update(request.text).digest("hex")
  const known = grant.answers.get(request.key)
  if (known === undefined) {
    const kept: { request: string; answer: StandInAnswer | null } = { request: hash, answer: null }
    grant.answers.set(request.key, kept)
    kept.answer = await act()
    return kept.answer
  }
  if (known.request !== hash) return problem(409, "api.invalid_idempotent_request", "another request had this key")
  if (known.answer === null) return problem(409, "api.concurrent_idempotent_request", "the request is in flight")
  return { ...known.answer, headers: { ...known.answer.headers, "Idempotent-Response": "true" } }
}

/** Returns one page of an account's messages, newest first. */
export const listPage = (grant: StandInGrant, query: URLSearchParams): StandInAnswer => {
  const limit = Number(query.get("limit") ?? 50)
  const after = Number(query.get("received_after") ?? 0)
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) return invalid("limit: 1 to 200")
  if (!Number.isInteger(after)) return invalid("received_after: seconds since 1970")
  const start = Number(query.get("page_token")?.replace("page-", "") ?? 0)
  if (!Number.isInteger(start)) return invalid("page_token")
  const select = query.get("select")?.split(",") ?? null
  const found = grant.messages.filter(({ date }) => date > after).toReversed()
  const page = found.slice(start, start + limit).map(({ json }) => {
    if (select === null) return json
    return Object.fromEntries(Object.entries(json).filter(([name]) => select.includes(name)))
  })
  const next = start + limit < found.length ? { next_cursor: `page-${start + limit}` } : {}
  return { status: 200, json: { request_id: madeId("req"), data: page, ...next } }
}
