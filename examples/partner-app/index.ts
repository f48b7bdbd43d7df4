/**
 * A partner's application: new leads arrive as webhooks, and an answer leaves through the API. The variables are in
 * `README.md`.
 *
 *     node examples/partner-app/index.ts
 */
import { createServer, type IncomingMessage } from "node:http"
import { createClient, type EventEnvelope, webhooks, WebhookVerificationError } from "@leadloom/client"

const { LEADLOOM_API_KEY, LEADLOOM_SIGNING_SECRET = "", LEADLOOM_URL, PORT = "3000" } = process.env
const client = createClient({ baseUrl: LEADLOOM_URL ?? "http://127.0.0.1:4800", credential: LEADLOOM_API_KEY })

/** The maximum size of a delivery in bytes. Larger requests do not come from Leadloom. */
const maxBodyBytes = 1_048_576

/** The ids of the processed events. A real application stores them in its database, with a unique index. */
const processed = new Set<string>()

/** Returns the body byte for byte, because the signature covers these bytes; null if it is too large. */
const readBody = async (request: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > maxBodyBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Answers the contact of a new lead by email. */
const answer = async (event: EventEnvelope): Promise<void> => {
  if (event.event_type !== "lead.received" || "redacted" in event.data) return
  const { contact_id, lead_id, subject } = event.data
  const { email, name } = await client.contacts.get(event.tenant_id, contact_id)
  if (email === null) return console.log(`no address for ${lead_id}`)
  const mail = {
    to: [name === null ? { email } : { email, name }],
    subject: subject === null ? "Your enquiry" : `Re: ${subject}`,
    body: "Thank you. We read your message and call you back within two hours."
  }
  // Events arrive at least once, and this application may stop after the request. The key prevents a second email.
  await client.email.send(event.tenant_id, mail, { idempotencyKey: `answer-${event.event_id}` })
  console.log(`answered ${lead_id}`)
}

/** Processes a delivery and returns the status of the response. */
const receive = async (request: IncomingMessage): Promise<number> => {
  const body = await readBody(request)
  if (body === null) return 413
  const event = await webhooks.verify(body, request.headers, LEADLOOM_SIGNING_SECRET)
  if (processed.has(event.event_id)) {
    console.log(`known ${event.event_id}`)
    return 204
  }
  await answer(event)
  processed.add(event.event_id)
  return 204
}

const statusOf = (error: unknown): number => {
  console.error(error instanceof Error ? error.message : error)
  // Leadloom delivers the event again after a 500, for up to 18 hours. A forged delivery is not repeated.
  return error instanceof WebhookVerificationError ? 400 : 500
}

const server = createServer(async (request, response) => {
  const status = await receive(request).catch(statusOf)
  response.writeHead(status, { connection: status === 413 ? "close" : "keep-alive" }).end()
})
server.listen(Number(PORT), "127.0.0.1", () => console.log(`receiving at http://127.0.0.1:${PORT}`))
process.on("SIGTERM", () => server.close())
