import { readFileSync } from "node:fs"
import { Agent, request } from "node:http"
import type { Answer, Call } from "../world/TestServer.ts"
import { adminKey, readResponse, requestOf, textAt } from "../world/TestServer.ts"
import { importOf, mail, makeWorld, sourceId } from "../world/World.ts"
import type { FuzzRequest, Known, OpenApiDocument } from "./Requests.ts"
import type { FuzzAnswer } from "./Verdict.ts"

/** Returns the published contract. */
export const contract = (): OpenApiDocument =>
  JSON.parse(readFileSync(new URL("../../../api/openapi.json", import.meta.url), "utf8"))

const agent = new Agent({ keepAlive: true, maxSockets: 32 })

/** Returns whether a request opens an endless stream, of which only the header is read. */
const isEndless = ({ path }: FuzzRequest): boolean => /\/events\/stream(\?|$)/u.test(path)

/** Sends one request unchanged. A broken connection without a response rejects, unless it had been idle. */
export const sendTo = (url: string, fuzzed: FuzzRequest): Promise<FuzzAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const { body, headers, method, path } = fuzzed
    const length = body === null ? {} : { "content-length": String(body.length) }
    const sent = request({ agent, hostname, port, method, path, headers: { ...headers, ...length } }, (response) => {
      const chunks: Array<Buffer> = []
      const done = () =>
        resolve({
          status: response.statusCode ?? 0,
          contentType: response.headers["content-type"] ?? "",
          requestId: String(response.headers["x-request-id"] ?? ""),
          text: Buffer.concat(chunks).toString("utf8")
        })
      if (isEndless(fuzzed) && response.statusCode === 200) {
        done()
        response.destroy()
        return
      }
      response.on("data", (chunk: Buffer) => void chunks.push(chunk))
      response.on("end", done)
      response.on("error", reject)
    })
    sent.on("error", (error) => {
      // The server closes idle connections, and may do so while a client reuses one.
      if (sent.reusedSocket && Object(error).code === "ECONNRESET") sendTo(url, fuzzed).then(resolve, reject)
      else reject(error)
    })
    sent.end(body ?? undefined)
  })

/** Closes open connections. */
export const closeTarget = (): void => agent.destroy()

/** Creates tenants with data and returns the ids and credentials for requests. */
export const settle = async (url: string): Promise<Known> => {
  const call = async (method: string, path: string, options: Call = {}): Promise<Answer> =>
    readResponse(await fetch(requestOf(method, path, options, url)))
  const { acme, globalSourceKey } = await makeWorld({ call })
  const as = acme.apiKey
  const form = { public_form: { enabled: true, allowed_origins: ["https://www.acme.com"] } }
  await call("PATCH", "/api/v1/config/acme", { as: adminKey, body: form })
  const run = await call("POST", "/api/v1/webhook/automation/acme", {
    as,
    body: { message: "How much is a roof?", contact: { email: "jane@customer.example", phone: "+14155552671" } }
  })
  const contacts = await call("GET", "/api/v1/tenants/acme/contacts", { as })
  const leads = await call("GET", "/api/v1/tenants/acme/leads", { as })
  const hook = { url: "https://hooks.example.com/in" }
  const webhook = await call("POST", "/api/v1/tenants/acme/webhooks", { as: adminKey, body: hook })
  const contactId = textAt(contacts.json, "contacts", 0, "id")
  const conversation = `conversations/${contactId}`
  /** Creates a resource and returns its id. */
  const create = async (path: string, body: unknown, field = "id"): Promise<string> =>
    textAt((await call("POST", `/api/v1/tenants/acme/${path}`, { as: adminKey, body })).json, field)
  const mails = await call("POST", "/api/v1/import/acme/email", {
    as: adminKey,
    body: importOf(mail({ From: "Kim Lee <kim@customer.example>" }, "I need a quote."))
  })
  const wait = { name: "first", kind: "wait", delay: { amount: 30, unit: "days" } }
  const sequenceId = await create("sequences", { name: "Reminders", steps: [wait] })
  const messageId = textAt(mails.json, "results", 0, "message_id")
  const message = await call("GET", `/api/v1/tenants/acme/messages/${messageId}`, { as: adminKey })
  return {
    params: {
      tenant_id: ["acme"],
      source_id: [sourceId],
      contact_id: [contactId],
      message_id: [messageId],
      thread_id: [textAt(message.json, "thread_id")],
      pipeline_id: [await create("pipelines", { name: "Renewals" }, "pipeline_id")],
      field_id: [await create("fields", { key: "budget", label: "Budget", type: "number" })],
      company_id: [await create("companies", { name: "Acme Roofs" })],
      segment_id: [await create("segments", { name: "Hot leads", filters: { tier: "hot" } })],
      note_id: [await create(`${conversation}/notes`, { body: "Prefers calls." })],
      draft_id: [await create(`${conversation}/drafts`, { channel: "email", body: "Soon" }, "draft_id")],
      canned_reply_id: [await create("canned-replies", { name: "Hello", body: "Hello {{ contact.name }}" })],
      sequence_id: [sequenceId],
      enrolment_id: [await create(`sequences/${sequenceId}/enrolments`, { contact_id: contactId })],
      macro_id: [await create("macros", { name: "Visit", actions: [{ type: "tag", tag: "visit" }] })],
      task_id: [await create("tasks", { title: "Call", type: "callback", contact_id: contactId })],
      view_id: [await create("views", { name: "Open", filters: { state: "open" }, shared: true })],
      user_id: [await create("users", { name: "Ann", email: "ann@business.example" })],
      team_id: [await create("teams", { name: "Sales" })],
      lead_id: [textAt(leads.json, "leads", 0, "id")],
      signal_id: [textAt(run.json, "signal_id")],
      webhook_id: [textAt(webhook.json, "id")],
      version: ["1"]
    },
    credentials: [...Array.from({ length: 8 }, () => adminKey), as, acme.session],
    sourceKey: globalSourceKey
  }
}
