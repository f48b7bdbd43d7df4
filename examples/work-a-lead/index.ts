/**
 * Takes one lead from the first message to won, as an agent's application does.
 *
 *     npm start                                                      (in the root, prints the keys)
 *     leadloom email connect hello@demo.example --tenant demo        (the account that sends the reply)
 *     LEADLOOM_SOURCE_KEY=lls_… LEADLOOM_API_KEY=llk_… node examples/work-a-lead/index.ts
 */
import { createClient, isLeadloomError, type Lead } from "@leadloom/client"

const tenant = process.env["LEADLOOM_TENANT"] ?? "demo"
const source = process.env["LEADLOOM_SOURCE"] ?? "website"
const client = createClient({
  baseUrl: process.env["LEADLOOM_URL"] ?? "http://127.0.0.1:4800",
  credential: process.env["LEADLOOM_API_KEY"]
})

const grace = { id: "customer-2077", name: "Grace Hopper", email: "grace@example.org" }

/** Sends a message of the contact through a form's source. The idempotency key makes a repeated run harmless. */
const write = async (body: string, key: string): Promise<void> => {
  const event = { entity: grace, content: { body } }
  const credential = process.env["LEADLOOM_SOURCE_KEY"]
  await client.events.send(tenant, source, event, { credential, idempotencyKey: key })
}

/** Returns the first open lead. */
const nextLead = async (): Promise<Lead> => {
  const { leads } = await client.leads.list(tenant, { state: "open", limit: 1 })
  const [lead] = leads
  if (lead === undefined) throw new Error("No open lead found")
  return lead
}

const report = ({ score, state, tier }: Lead): void =>
  console.log(`${state}${score === null ? "" : `, score ${score} (${tier ?? "no tier"})`}`)

const answer = async (lead: Lead, body: string): Promise<void> => {
  const letter = { to: [{ email: grace.email, name: grace.name }], subject: "Your roof", body }
  // The key prevents a second email after a repeated click or run.
  await client.email.send(tenant, letter, { idempotencyKey: `first-answer-${lead.id}` })
}

const workLead = async (): Promise<void> => {
  await write("How much is a new roof? We need a quote this week, it is urgent.", "roof-1")
  const lead = await nextLead()
  await client.leads.update(tenant, lead.id, { assignee: "ada@demo.example" })
  const { factors } = await client.leads.score(tenant, lead.id)
  console.log(`scored by ${factors.map(({ name }) => name).join(", ")}`)

  const { messages } = await client.conversations.get(tenant, lead.contact_id)
  for (const { actor, body } of messages) console.log(`${actor}: ${body}`)
  await client.conversations.markRead(tenant, lead.contact_id)

  await answer(lead, "Hello Grace, we can look at it on Monday at ten.")
  report(await client.leads.transition(tenant, lead.id, { state: "engaged", reason: "answered" }))

  await write("Monday at ten is fine.", "roof-2")
  await client.leads.append(tenant, lead.id, {
    entries: [{ channel: "voice", actor: "agent", body: "Visited. 140 square metres, tiles. She takes the offer." }]
  })
  report(await client.leads.transition(tenant, lead.id, { state: "qualified", reason: "visited" }))
  report(await client.leads.transition(tenant, lead.id, { state: "won", reason: "signed" }))

  // Close the remaining tasks of the lead.
  let closed = 0
  for await (const { id } of client.tasks.list(tenant, { leadId: lead.id })) {
    await client.tasks.update(tenant, id, { status: "done", disposition: "won" })
    closed++
  }
  console.log(`tasks closed: ${closed}`)
}

try {
  await workLead()
} catch (error) {
  if (!isLeadloomError(error)) throw error
  console.error(`${error.code}: ${error.message} (${error.requestId ?? "no request id"})`)
  process.exitCode = 1
}
