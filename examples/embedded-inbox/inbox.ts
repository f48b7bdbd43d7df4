/**
 * The page of the inbox. It runs in the browser and calls Leadloom directly with a session token. Everything that a
 * contact wrote is assigned to `textContent`, so the browser never parses it as HTML.
 */
import { type Conversation, createClient, isLeadloomError, type Message, type PendingDraft } from "@leadloom/client"

interface Session {
  readonly base_url: string
  readonly tenant_id: string
  readonly token: string
}

const openSession = async (): Promise<Session> => {
  const response = await fetch("/session", { method: "POST" })
  if (!response.ok) throw new Error("Sign in to the app first.")
  return response.json()
}

const first = await openSession()
const tenant = first.tenant_id
const client = createClient({
  baseUrl: first.base_url,
  // A token is valid for one hour. After a 401, the client calls this function again.
  credential: async (rejected) => (rejected === undefined ? first.token : (await openSession()).token)
})

const element = <E extends HTMLElement>(id: string, kind: new () => E): E => {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`The page has no #${id}.`)
  return found
}

const list = element("conversations", HTMLUListElement)
const history = element("messages", HTMLOListElement)
const form = element("reply", HTMLFormElement)
const text = element("text", HTMLTextAreaElement)
const status = element("status", HTMLParagraphElement)

/** The conversation that the page shows. */
let open: { readonly contactId: string; readonly draft: PendingDraft | null } | null = null

const report = (error: unknown): void => {
  status.textContent = isLeadloomError(error) ? `${error.code}: ${error.message}` : String(error)
}

const messageItem = ({ actor, body, timestamp }: Message): HTMLLIElement => {
  const item = document.createElement("li")
  item.dataset["actor"] = actor
  item.textContent = `${actor}, ${new Date(timestamp).toLocaleString()}\n${body}`
  return item
}

const showConversation = async (contactId: string): Promise<void> => {
  const { messages, pending_draft: draft } = await client.conversations.get(tenant, contactId, { limit: 50 })
  const isOther = open?.contactId !== contactId
  // A person may already edit the text, so only another conversation or another draft replaces it.
  if (isOther || open?.draft?.draft_id !== draft?.draft_id) text.value = draft?.text ?? ""
  open = { contactId, draft }
  history.replaceChildren(...messages.map(messageItem))
  form.hidden = false
  if (isOther) await client.conversations.markRead(tenant, contactId)
}

const conversationItem = ({ contact_id: contactId, contact_name: name, last_message: last, unread }: Conversation) => {
  const item = document.createElement("li")
  const button = document.createElement("button")
  button.textContent = `${name ?? "Unknown contact"}${unread > 0 ? ` (${unread})` : ""}: ${last}`
  button.addEventListener("click", () => void showConversation(contactId).catch(report))
  item.append(button)
  return item
}

const showList = async (): Promise<void> => {
  const { conversations } = await client.conversations.list(tenant)
  list.replaceChildren(...conversations.map(conversationItem))
}

/** Sends the text: as the approved draft if there is one, otherwise as a new email. */
const send = async (body: string): Promise<void> => {
  if (open === null) return
  const { contactId, draft } = open
  await (draft === null
    ? client.conversations.send(tenant, contactId, { channel: "email", body })
    : client.conversations.approveDraft(tenant, contactId, {
        draft_id: draft.draft_id,
        content_hash: draft.content_hash,
        head_message_id: draft.head_message_id,
        body
      }))
  text.value = ""
  status.textContent = "Sent."
  await showConversation(contactId)
}

form.addEventListener("submit", (event) => {
  event.preventDefault()
  void send(text.value).catch(report)
})

/** Shows changes by contacts, by other agents and by the assistant. */
const follow = async (): Promise<void> => {
  const types = "lead.received,conversation.updated,lead.contact_replied"
  for await (const { event } of client.eventFeed.stream(tenant, {
    types,
    onOpen: () => void showList().catch(report)
  })) {
    await showList()
    if (open !== null && "contact_id" in event.data && event.data.contact_id === open.contactId)
      await showConversation(open.contactId)
  }
}

void follow().catch(report)
