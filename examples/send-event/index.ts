/**
 * A partner application reports that somebody asked for something, then reads the whole conversation with them.
 *
 *     npm start                                   (in the root, prints the keys)
 *     LEADLOOM_SOURCE_KEY=lls_… LEADLOOM_API_KEY=llk_… node examples/send-event/index.ts
 */
import { createClient, LeadloomError } from "@leadloom/client"

const tenant = process.env["LEADLOOM_TENANT"] ?? "demo"
const source = process.env["LEADLOOM_SOURCE"] ?? "website"
const client = createClient({
  baseUrl: process.env["LEADLOOM_URL"] ?? "http://127.0.0.1:4800",
  credential: process.env["LEADLOOM_API_KEY"]
})

/** Sends the event under a key of our own, so that sending it again changes nothing. */
const report = async (): Promise<void> => {
  const event = {
    entity: { id: "customer-1042", name: "Grace Hopper", email: "grace@example.org" },
    event_type: "quote_requested",
    content: { body: "Could you send me a quote for a new roof this week?", metadata: { plan: "premium" } }
  }
  // Sources have keys of their own: all they can do is send events.
  const sent = await client.events.send(tenant, source, event, {
    credential: process.env["LEADLOOM_SOURCE_KEY"],
    idempotencyKey: "quote-request-1042"
  })
  console.log(`event ${sent.status}`)
}

/** Prints what was said on every channel, oldest first. */
const readConversation = async (email: string): Promise<void> => {
  const { conversations } = await client.conversations.list(tenant)
  const conversation = conversations.find((one) => one.contact_email === email)
  if (conversation === undefined) throw new Error(`No conversation with ${email} yet`)
  const { messages } = await client.conversations.get(tenant, conversation.contact_id)
  for (const { timestamp, channel, actor, body } of messages) console.log(`${timestamp} ${channel} ${actor}: ${body}`)
}

try {
  await report()
  await readConversation("grace@example.org")
} catch (error) {
  if (!(error instanceof LeadloomError)) throw error
  // Branch on the code, show the message, quote the request id when you ask for help.
  console.error(`${error.code}: ${error.message} (${error.requestId ?? "no request id"})`)
  process.exitCode = 1
}
