import { type Conversation, LeadloomError } from "@leadloom/client"
import { minuteIn } from "./Place.ts"
import { answers } from "./Words.ts"
import { type Business, recordRefusal, tenantNumberKey, type World } from "./World.ts"

/** The maximum numbers of conversations and of tasks that the agents of a tenant handle in one step. */
const [conversationsAtOnce, tasksAtOnce] = [12, 3]

/** The working hours of agents, in minutes of their local day. One agent also works in the evening and at night. */
const isOffice = (minute: number): boolean => minute >= 9 * 60 && minute < 19 * 60
const isLateShift = (minute: number): boolean => minute >= 21 * 60 + 30 && minute < 22 * 60

/**
 * Runs an operation that the server may reject for a valid reason, and records such a rejection. Reports any other
 * failure as unexpected.
 */
const attempt = async (
  world: World,
  { place }: Business,
  what: string,
  work: () => Promise<unknown>
): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof LeadloomError) || error.status >= 500 || error.status === 0) {
      world.notes.unexpected.push(`${place.tenantId} ${what}: ${String(error)}`)
      return
    }
    recordRefusal(world.notes, place.tenantId, `${what}: ${error.message.replaceAll(/\s*\S*\d\S*/gu, "").trim()}`)
  }
}

/** Blocks the sender's number, then tries to send a text to it. */
const blockSender = async (world: World, business: Business, contactId: string): Promise<void> => {
  const { client, operator, place } = business
  const { tenantId } = place
  const { phone } = await client.contacts.get(tenantId, contactId)
  if (phone === null) return
  await operator.smsFilters.block(tenantId, { phone })
  world.notes.blocked.set(tenantNumberKey(tenantId, phone), world.now())
  await attempt(world, business, "text", () =>
    client.conversations.send(tenantId, contactId, { channel: "sms", body: world.random.pick(answers) })
  )
}

const answer = async (
  world: World,
  business: Business,
  { contact_id: contactId, last_channel: channel }: Conversation
) => {
  const { client, place } = business
  const { random } = world
  const { pending_draft: draft } = await client.conversations.get(place.tenantId, contactId, { limit: 1 })
  const [fate, body] = [random.next(), random.pick(answers)]
  if (draft !== null) {
    const { channel: way, content_hash, draft_id, head_message_id } = draft
    const seen = { draft_id, content_hash, head_message_id }
    if (fate > 0.85) return
    // The server can send on the channels email and SMS only. On another channel, an agent would send the text outside
    // Leadloom and then dismiss the draft.
    const isDone = fate > 0.75 || (way !== "email" && way !== "sms")
    await attempt(world, business, "draft", () =>
      isDone
        ? client.conversations.dismissDraft(place.tenantId, contactId, { draft_id })
        : client.conversations.approveDraft(place.tenantId, contactId, fate > 0.55 ? { ...seen, body } : seen)
    )
    return
  }
  if (channel === "sms" && fate < 0.8)
    await attempt(world, business, "text", () =>
      client.conversations.send(place.tenantId, contactId, { channel: "sms", body })
    )
  if (channel === "email" && fate < 0.3)
    await attempt(world, business, "mail", () =>
      client.conversations.send(place.tenantId, contactId, { channel: "email", body })
    )
}

/** The next state of a successful lead, by its current state. */
const nextStates: Readonly<Record<string, "engaged" | "qualified" | "won">> = {
  open: "engaged",
  engaged: "qualified",
  qualified: "won"
}

const seeTo = async (world: World, business: Business, conversation: Conversation): Promise<void> => {
  const { client, place } = business
  const { contact_id: contactId, last_channel: channel, lead_id: leadId } = conversation
  const { tenantId } = place
  await answer(world, business, conversation)
  const [rings, moves, blocks] = [world.random.chance(0.06), world.random.chance(0.2), world.random.chance(0.04)]
  if (rings || channel === "voice")
    await attempt(world, business, "call", () => client.calls.outbound(tenantId, { contact_id: contactId }))
  const state = nextStates[conversation.lead_state ?? ""]
  if (moves && leadId !== null && state !== undefined) {
    await attempt(world, business, "lead", () => client.leads.transition(tenantId, leadId, { state }))
  }
  if (blocks && channel === "sms") await blockSender(world, business, contactId)
  await client.conversations.markRead(tenantId, contactId)
}

const finishTasks = async (world: World, business: Business): Promise<void> => {
  const { client, place } = business
  const { tasks } = await client.tasks.list(place.tenantId, { status: "open", limit: 20 })
  const own = tasks.filter(({ type }) => type !== "reply_approval").slice(0, tasksAtOnce)
  for (const { id } of own)
    await attempt(world, business, "task", () =>
      client.tasks.update(place.tenantId, id, { status: "done", disposition: "Done." })
    )
}

/** Simulates the work of a tenant's agents during one step, within their working hours. */
export const runAgents = async (world: World, business: Business): Promise<void> => {
  const { client, place } = business
  const minute = minuteIn(place.zone, world.now())
  if (!isOffice(minute) && !isLateShift(minute)) return
  const { conversations } = await client.conversations.list(place.tenantId)
  const waiting = conversations.filter(
    ({ last_channel: channel, unread }) => unread > 0 && (isOffice(minute) || channel === "sms")
  )
  for (const conversation of waiting.slice(0, conversationsAtOnce)) await seeTo(world, business, conversation)
  if (isOffice(minute)) await finishTasks(world, business)
}
