import { endpoints } from "./Endpoints.ts"
import { type Answer, adminKey, at, type TestServer } from "./TestServer.ts"

/** Data of a tenant that no list contains. */
export interface Requested {
  readonly tenantId: string
  readonly signalIds: ReadonlyArray<string>
  /** An address at which mail arrived. */
  readonly alias: string
}

/** A response without request id and link tokens. NUL is replaced by U+FFFD, as on Postgres. */
export interface Reported {
  readonly path: string
  readonly text: string
}

/** Every escape of JSON; NUL, which Postgres cannot store, has its own group. */
const escapes = /\\(?:(?<nul>u0000)|.)/gu

/** Returns a body as a database without NUL stores it. */
const held = (text: string): string =>
  text.replace(escapes, (escape, nul?: string) => (nul === undefined ? escape : "\uFFFD"))

const links = /\/api\/v1\/public\/attachments\/(?<token>[\w.-]+)/gu

/** Returns a text without values that differ in every response. */
const lasting = (text: string): string =>
  text.replace(/"request_id":"[^"]*"/u, '"request_id":""').replace(links, "/api/v1/public/attachments/…")

const reportOf = (path: string, { headers, status, text }: Answer): Reported => ({
  path: lasting(path),
  text: `${status} ${headers.get("content-type")}\n${lasting(held(text))}`
})

/** Returns the paths that messages of a conversation refer to: raw mail and attachments. */
const sourcesOf = (base: string, text: string): ReadonlyArray<string> => [
  ...Array.from(
    text.matchAll(/"message_id":"(?<id>[^"]+)"/gu),
    ({ groups }) => `${base}/messages/${groups?.["id"]}/raw`
  ),
  ...Array.from(text.matchAll(links), ([link]) => link)
]

/** Returns the paths of one item of a list. */
const furtherOf = (base: string, list: string, id: string, { text }: Answer): ReadonlyArray<string> => {
  if (list === "contacts") {
    const views = ["detail", "timeline", "identities", "consent"].map((view) => `${base}/contacts/${id}/${view}`)
    return [...views, `${base}/conversations/${id}/row`, `${base}/conversations/${id}/notes`]
  }
  if (list === "leads") return [`${base}/leads/${id}/scores`, `/api/v1/leads/${id}/conversation`]
  if (list === "webhooks") return [`${base}/webhooks/${id}/deliveries`]
  return list === "conversations" ? sourcesOf(base, text) : []
}

/** Reduces an export to its manifest, because the archive contains the time of its creation. */
const reportedExport = (path: string, answer: Answer): Reported =>
  reportOf(path, { ...answer, text: /\{"content_hash":.*\}/u.exec(answer.text.slice(-8_000))?.[0] ?? answer.text })

const idsIn = (json: unknown, list: string, key: string): ReadonlyArray<string> => {
  const found = at(json, list)
  return Array.isArray(found) ? found.map((one: unknown) => String(at(one, key))) : []
}

/** Yields every page of a list, and its items. */
async function* pages(
  server: TestServer,
  path: string
): AsyncGenerator<{ readonly reported: Reported; readonly json: unknown }> {
  let cursor: unknown = null
  do {
    const separator = path.includes("?") ? "&" : "?"
    const next = typeof cursor === "string" ? `${path}${separator}cursor=${encodeURIComponent(cursor)}` : path
    const answer = await server.call("GET", next, { as: adminKey })
    yield { reported: reportOf(next, answer), json: answer.json }
    cursor = at(answer.json, "next_cursor")
  } while (typeof cursor === "string")
}

const plainPaths = (tenantId: string): ReadonlyArray<string> => [
  "/health",
  "/api/v1/admin/tenants",
  "/api/v1/admin/sources",
  "/api/v1/admin/locations",
  "/api/v1/admin/crm/auth-url",
  "/api/v1/admin/crm/agencies",
  "/api/v1/admin/crm/agencies/agency_of_nobody/locations",
  "/api/v1/admin/phone-numbers",
  `/api/v1/admin/tenants/${tenantId}`,
  `/api/v1/admin/tenants/${tenantId}/sources`,
  `/api/v1/tenants/${tenantId}/api-keys`,
  "/api/v1/config/presets",
  `/api/v1/config/${tenantId}`,
  `/api/v1/config/${tenantId}/versions/1`,
  `/api/v1/guardrails/${tenantId}/active`,
  `/api/v1/guardrails/${tenantId}/stats`,
  `/api/v1/guardrails/${tenantId}/export?format=csv`,
  `/api/v1/tenants/${tenantId}/email/aliases`,
  `/api/v1/tenants/${tenantId}/email/auth-url`,
  `/api/v1/tenants/${tenantId}/crm/auth-url`,
  `/api/v1/tenants/${tenantId}/crm/installs`,
  `/api/v1/tenants/${tenantId}/contacts/con_of_nobody`,
  `/api/v1/tenants/${tenantId}/calls/con_of_nobody/recording`,
  `/api/v1/tenants/${tenantId}/assistant`,
  `/api/v1/tenants/${tenantId}/erasures`,
  `/api/v1/usage/${tenantId}`,
  `/api/v1/admin/audit?actor=nobody`,
  `/api/v1/tenants/${tenantId}/audit?actor=nobody`,
  `/api/v1/billing/status?tenant_id=${tenantId}`,
  `/api/v1/billing/credits/balance?tenant_id=${tenantId}`,
  `/api/v1/public/leads/${tenantId}/challenge`
]

/** Requests the lists of a tenant, all their pages, and their items; of long lists every `step`th item. */
async function* listed(
  server: TestServer,
  { alias, signalIds, tenantId }: Requested,
  step = 1
): AsyncGenerator<Reported> {
  const get = (path: string): Promise<Answer> => server.call("GET", path, { as: adminKey })
  const sendRequest = async (path: string): Promise<Reported> => reportOf(path, await get(path))
  const base = `/api/v1/tenants/${tenantId}`
  for (const path of plainPaths(tenantId)) yield await sendRequest(path)
  const lists = [
    { path: `${base}/contacts?limit=100`, list: "contacts", key: "id", one: `${base}/contacts` },
    { path: `${base}/contacts?archived=true`, list: "", key: "", one: "" },
    { path: `${base}/contacts/merge-suggestions`, list: "", key: "", one: "" },
    { path: `${base}/conversations`, list: "conversations", key: "contact_id", one: `${base}/conversations` },
    { path: `${base}/leads?limit=100`, list: "leads", key: "id", one: `${base}/leads` },
    {
      path: `${base}/leads?sort=-last_message_at&state=open&tier=none`,
      list: "leads",
      key: "id",
      one: "/api/v1/leads"
    },
    { path: `/api/v1/config/${tenantId}/audit?limit=1`, list: "", key: "", one: "" },
    { path: `/api/v1/guardrails/${tenantId}/audit?limit=3`, list: "", key: "", one: "" },
    { path: `${base}/webhooks`, list: "webhooks", key: "id", one: `${base}/webhooks` },
    { path: `${base}/events?limit=500`, list: "", key: "", one: "" },
    { path: `${base}/events/stream?after=0&follow=false`, list: "", key: "", one: "" },
    { path: `${base}/sms-filters/blocklist?limit=1`, list: "", key: "", one: "" },
    { path: `${base}/calls?limit=2`, list: "", key: "", one: "" },
    { path: `${base}/tasks`, list: "", key: "", one: "" },
    { path: `/api/v1/callbacks?tenant_id=${tenantId}&status=done`, list: "", key: "", one: "" },
    {
      path: `${base}/pipeline/batches`,
      list: "batches",
      key: "batch_id",
      one: `${base}/pipeline/batch`
    },
    { path: `/api/v1/billing/credits/transactions?tenant_id=${tenantId}&limit=2`, list: "", key: "", one: "" },
    { path: `${base}/pipeline/runs?limit=100`, list: "", key: "", one: "" },
    { path: `${base}/email/grants`, list: "grants", key: "grant_id", one: `${base}/email/grants` },
    { path: `${base}/conversations?alias=${encodeURIComponent(alias)}`, list: "", key: "", one: "" }
  ]
  for (const { key, list, one, path } of lists) {
    let number = 0
    for await (const { json, reported: page } of pages(server, path)) {
      yield page
      for (const id of idsIn(json, list, key)) {
        if (number++ % step !== 0) continue
        const answer = await get(`${one}/${id}`)
        yield reportOf(`${one}/${id}`, answer)
        if (list === "contacts") yield reportedExport(`${one}/${id}/export`, await get(`${one}/${id}/export`))
        for (const further of furtherOf(base, list, id, answer)) yield await sendRequest(further)
      }
    }
  }
  for (const [index, id] of signalIds.entries())
    if (index % step === 0) yield await sendRequest(`${base}/pipeline/runs/${id}`)
  yield reportedExport(`${base}/export`, await get(`${base}/export`))
}

/** Returns the pattern of the paths of an endpoint. */
export const pathPattern = (path: string): RegExp => new RegExp(`^${path.replace(/:\w+/gu, "[^/?]+")}(?:\\?.*)?$`, "u")

/** The findings of the doctor concern one server and its database, and state the time of the check. */
export const ofServer: ReadonlySet<string> = new Set(["/api/v1/admin/doctor"])

/**
 * Requests everything that a server shows of a tenant: its lists and their items, and once every other GET endpoint,
 * with ids that do not exist.
 */
export async function* everything(server: TestServer, requested: Requested, step = 1): AsyncGenerator<Reported> {
  const seen: Array<string> = []
  for await (const reported of listed(server, requested, step)) {
    seen.push(reported.path)
    yield reported
  }
  for (const { method, path } of endpoints) {
    if (method !== "GET" || ofServer.has(path) || seen.some((one) => pathPattern(path).test(one))) continue
    const named = path.replace(":tenant_id", requested.tenantId).replace(/:\w+/gu, "id_of_nobody")
    yield reportOf(named, await server.call("GET", named, { as: adminKey }))
  }
}

const excerpt = (reported: Reported | undefined, from: number): string =>
  reported === undefined ? "nothing" : `${reported.path}: …${reported.text.slice(Math.max(0, from - 80), from + 80)}…`

const differenceOf = (one: Reported | undefined, other: Reported | undefined): string | null => {
  if (one !== undefined && one.path === other?.path && one.text === other.text) return null
  const [left, right] = [one?.text ?? "", other?.text ?? ""]
  const characters = [...right]
  const end = [...left].findIndex((character, index) => character !== characters[index])
  return `${excerpt(one, end)}\n${excerpt(other, end)}`
}

/** Requests everything from two servers and returns the first different response; null: none. */
export const firstDifference = async (
  one: AsyncGenerator<Reported>,
  other: AsyncGenerator<Reported>,
  onAnswer: (reported: Reported) => void
): Promise<string | null> => {
  for (;;) {
    const [left, right] = await Promise.all([one.next(), other.next()])
    if (left.done === true && right.done === true) return null
    const [first, second] = [left.done === true ? undefined : left.value, right.done === true ? undefined : right.value]
    const difference = differenceOf(first, second)
    if (difference !== null) return difference
    if (first !== undefined) onAnswer(first)
  }
}
