import { data, invalid, listPage, problem, sendOnce, type Withholding } from "./StandInAnswers.ts"
import { madeId, type StandInAnswer, type StandInGrant } from "./StandInMailbox.ts"

/** A received request. */
export interface SeenRequest {
  readonly method: string
  /** The encoded path of the request, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
  /** The body; undefined if it is not JSON. */
  readonly json: unknown
}

/** The state of the stand-in. */
export interface StandInWorld {
  readonly apiKey: string
  readonly clientId: string
  readonly redirectUri: string
  readonly grants: Map<string, StandInGrant>
  /** The grant of each unused code. */
  readonly codes: Map<string, string>
}

/** Returns the account of an address, if it exists. */
export const grantOf = ({ grants }: StandInWorld, email: string): StandInGrant | undefined =>
  [...grants.values()].find((each) => each.email === email.toLowerCase())

/**
 * Simulates an owner who signs in. Returns the code in the redirect of the browser. The same address always has the
 * same grant id.
 */
export const signIn = (world: StandInWorld, email: string, provider: StandInGrant["provider"] = "google"): string => {
  const grant: StandInGrant = grantOf(world, email) ?? {
    id: madeId("grant-"),
    provider,
    email: email.toLowerCase(),
    aliases: [],
    valid: false,
    messages: [],
    answers: new Map()
  }
  world.grants.set(grant.id, grant)
  const code = madeId("code-")
  world.codes.set(code, grant.id)
  return code
}

const oauthProblem = (error: string, error_description: string, status: number = 400): StandInAnswer => ({
  status,
  json: { error, error_code: 25_000, error_description, error_uri: "" }
})

const exchange = ({ apiKey, clientId, codes, grants, redirectUri }: StandInWorld, json: unknown): StandInAnswer => {
  const form: Record<string, unknown> = typeof json === "object" && json !== null ? { ...json } : {}
  if (form["grant_type"] !== "authorization_code") return oauthProblem("unsupported_grant_type", "grant_type")
  if (form["client_id"] !== clientId || form["client_secret"] !== apiKey) {
    return oauthProblem("invalid_client", "unknown application", 401)
  }
  if (form["redirect_uri"] !== redirectUri) return oauthProblem("invalid_request", "redirect_uri differs")
  const code = String(form["code"])
  const grant = grants.get(codes.get(code) ?? "")
  codes.delete(code)
  if (grant === undefined) return oauthProblem("invalid_grant", "the code is unknown or was used")
  grant.valid = true
  const tokens = { access_token: "a-token-nobody-needs", expires_in: 3_600, scope: "email", token_type: "Bearer" }
  return { status: 200, json: { grant_id: grant.id, email: grant.email, provider: grant.provider, ...tokens } }
}

/** Redirects the browser with a code for the owner in `login_hint`. */
const authorise = (world: StandInWorld, query: URLSearchParams): StandInAnswer => {
  const back = query.get("redirect_uri")
  if (query.get("client_id") !== world.clientId || back !== world.redirectUri || query.get("response_type") !== "code")
    return invalid("client_id, redirect_uri and response_type=code are required")
  const url = new URL(back)
  const provider = query.get("provider") === "microsoft" ? "microsoft" : "google"
  url.searchParams.set("code", signIn(world, query.get("login_hint") ?? "owner@customer.example", provider))
  url.searchParams.set("state", query.get("state") ?? "")
  return { status: 302, headers: { location: url.href } }
}

const ofMessage = (grant: StandInGrant, id: string, query: URLSearchParams): StandInAnswer => {
  const message = grant.messages.find((each) => each.id === id)
  if (message === undefined) return problem(404, "not_found_error", "message not found")
  return data({ ...message.json, ...(query.get("fields") === "include_headers" ? { headers: message.headers } : {}) })
}

const download = (grant: StandInGrant, id: string, query: URLSearchParams): StandInAnswer => {
  const messageId = query.get("message_id")
  if (messageId === null) return invalid("message_id is required")
  const attachment = grant.messages.find((each) => each.id === messageId)?.attachments.get(id)
  return attachment === undefined
    ? problem(404, "not_found_error", "attachment not found")
    : { status: 200, bytes: attachment.content }
}

const ofGrant = ({ grants }: StandInWorld, method: string, grant: StandInGrant): StandInAnswer => {
  const { email, id, provider, valid } = grant
  if (method === "GET") return data({ id, email, provider, grant_status: valid ? "valid" : "invalid", scope: [] })
  if (method !== "DELETE") return problem(404, "not_found_error", "no such endpoint")
  grants.delete(id)
  return { status: 200, json: { request_id: madeId("req") } }
}

const send = (grant: StandInGrant, { headers, json, query, text }: SeenRequest, withholding: Withholding) => {
  const key = headers["idempotency-key"]
  const request = { json, text, key: typeof key === "string" ? key : null, fields: query.get("fields") }
  return sendOnce(grant, request, withholding)
}

const knownFields: ReadonlyArray<string | null> = [null, "standard", "include_headers", "include_basic_headers"]

/** Returns the error of an invalid query, or null. */
const wrongQuery = (query: URLSearchParams, known: ReadonlyArray<string>): StandInAnswer | null => {
  const unknown = [...query.keys()].find((name) => !known.includes(name))
  if (unknown !== undefined) return invalid(`unknown query parameter ${unknown}`)
  return knownFields.includes(query.get("fields")) ? null : invalid("fields: unknown value")
}

const ofMailbox = (
  seen: SeenRequest,
  grant: StandInGrant,
  steps: ReadonlyArray<string>,
  withholding: Withholding
): StandInAnswer | Promise<StandInAnswer> => {
  const { method, query } = seen
  const [what, id = "", last] = steps
  if (method === "GET" && what === "messages" && steps.length === 1) {
    const known = ["limit", "page_token", "received_after", "received_before", "select", "fields"]
    return wrongQuery(query, known) ?? listPage(grant, query)
  }
  if (method === "GET" && what === "messages" && steps.length === 2) {
    return wrongQuery(query, ["fields", "select"]) ?? ofMessage(grant, id, query)
  }
  if (method === "GET" && what === "attachments" && last === "download") {
    return wrongQuery(query, ["message_id"]) ?? download(grant, id, query)
  }
  if (method === "POST" && what === "messages" && id === "send") {
    return wrongQuery(query, ["fields"]) ?? send(grant, seen, withholding)
  }
  return problem(404, "not_found_error", "no such endpoint")
}

/** Returns the response of Nylas. `withholding` runs between the start and the end of a send. */
export const answer = (
  world: StandInWorld,
  seen: SeenRequest,
  withholding: Withholding
): StandInAnswer | Promise<StandInAnswer> => {
  const [version, area, step = "", ...steps] = seen.path.slice(1).split("/").map(decodeURIComponent)
  if (version !== "v3") return problem(404, "not_found_error", "no such endpoint")
  if (area === "connect" && step === "auth") return authorise(world, seen.query)
  if (area === "connect" && step === "token") return exchange(world, seen.json)
  if (seen.headers["authorization"] !== `Bearer ${world.apiKey}`) return problem(401, "unauthorized", "Unauthorized")
  if (area !== "grants") return problem(404, "not_found_error", "no such endpoint")
  const grant = world.grants.get(step)
  if (grant === undefined) return problem(404, "grant.not_found", `No grant found for ${step}`)
  if (steps.length === 0) return wrongQuery(seen.query, ["expose_aliases"]) ?? ofGrant(world, seen.method, grant)
  if (!grant.valid) return problem(401, "unauthorized", "the grant has expired")
  return ofMailbox(seen, grant, steps, withholding)
}
