/**
 * Reports an event as a partner application does, then reads the conversation with the contact.
 *
 *     npm start                                   (in the root, prints the keys)
 *     LEADLOOM_SOURCE_KEY=lls_… LEADLOOM_API_KEY=llk_… node examples/send-event/index.ts
 */
import { type Conversation, createClient, isLeadloomError } from "@leadloom/client"

const tenant = process.env["LEADLOOM_TENANT"] ?? "demo"
const source = process.env["LEADLOOM_SOURCE"] ?? "website"
const client = createClient({
  baseUrl: process.env["LEADLOOM_URL"] ?? "http://127.0.0.1:4800",
  credential: process.env["LEADLOOM_API_KEY"]
})

/** Sends the event with an idempotency key, so that a repeated run stores it once. */
const report = async (): Promise<void> => {
  const event = {
    entity: { id: "customer-1042", name: "Grace Hopper", email: "grace@example.org" },
    event_type: "quote_requested",
    content: { body: "Could you send me a quote for a new roof this week?", metadata: { plan: "premium" } }
  }
  // A source has its own key, which can only send events.
  const sent = await client.events.send(tenant, source, event, {
    credential: process.env["LEADLOOM_SOURCE_KEY"],
    idempotencyKey: "quote-request-1042"
  })
  console.log(`event ${sent.status}`)
}

/** Reads the list page by page until it finds the conversation. */
const findConversation = async (email: string): Promise<Conversation | undefined> => {
  for await (const one of client.conversations.list(tenant)) if (one.contact_email === email) return one
  return undefined
}

/** Prints the messages on all channels, oldest first. */
const readConversation = async (email: string): Promise<void> => {
  const conversation = await findConversation(email)
  if (conversation === undefined) throw new Error(`No conversation with ${email} found`)
  const { messages } = await client.conversations.get(tenant, conversation.contact_id)
  for (const { timestamp, channel, actor, body } of messages) console.log(`${timestamp} ${channel} ${actor}: ${body}`)
}

try {
  await report()
  await readConversation("grace@example.org")
} catch (error) {
  if (!isLeadloomError(error)) throw error
  // Branch on the code and show the message. The operator needs the request id to find the error in the log.
  console.error(`${error.code}: ${error.message} (${error.requestId ?? "no request id"})`)
  process.exitCode = 1
}
