import {
  madeId,
  problem,
  type SeenRequest,
  type StandInAnswer,
  type StandInContact,
  type StandInState
} from "./StandInState.ts"

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const bodyOf = (text: string): Json => {
  const value: unknown = text === "" ? {} : JSON.parse(text)
  return isJson(value) ? value : {}
}

const textsOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : []

/** The fields of a contact that a request may set, and the fields that the CRM rejects with 422. */
const settable = ["firstName", "lastName", "name", "email", "phone", "companyName", "source", "tags", "locationId"]

const unknownFields = (body: Json, allowed: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.keys(body)
    .filter((name) => !allowed.includes(name))
    .map((name) => `property ${name} should not exist`)

/** Reads a field. A missing field keeps its value, and null clears it. */
const field = (
  body: Json,
  before: StandInContact,
  name: "firstName" | "lastName" | "email" | "phone" | "companyName"
) => {
  const value = body[name]
  const next = value === undefined ? before[name] : typeof value === "string" ? value : undefined
  const spelled = name === "email" ? next?.toLowerCase() : next
  return spelled === undefined || spelled === "" ? {} : { [name]: spelled }
}

/** The CRM stores tags in lower case and without duplicates. */
const spelledTags = (tags: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(tags.map((tag) => tag.toLowerCase()))
]

const stepped = (date: string): string => new Date(Date.parse(date) + 1).toISOString()

const changed = (state: StandInState, before: StandInContact, body: Json): StandInContact => {
  const { id, locationId, dateAdded, dateUpdated, dnd, tags } = before
  const contact: StandInContact = {
    id,
    locationId,
    ...field(body, before, "firstName"),
    ...field(body, before, "lastName"),
    ...field(body, before, "email"),
    ...field(body, before, "phone"),
    ...field(body, before, "companyName"),
    tags: body["tags"] === undefined ? tags : spelledTags(textsOf(body["tags"])),
    dnd,
    dateAdded,
    dateUpdated: stepped(dateUpdated)
  }
  state.contacts.set(id, contact)
  return contact
}

/** Returns an empty contact with a new id. */
export const blankContact = (state: StandInState, locationId: string): StandInContact => ({
  id: madeId(state, "contact"),
  locationId,
  tags: [],
  dnd: false,
  dateAdded: "2026-03-02T09:00:00.000Z",
  dateUpdated: "2026-03-02T09:00:00.000Z"
})

const find = (state: StandInState, locationId: string, email: unknown, phone: unknown): StandInContact | null => {
  const all = [...state.contacts.values()].filter((contact) => contact.locationId === locationId)
  const byEmail = typeof email === "string" ? all.find((contact) => contact.email === email.toLowerCase()) : undefined
  return byEmail ?? (typeof phone === "string" ? all.find((contact) => contact.phone === phone) : undefined) ?? null
}

const upsert = (state: StandInState, locationId: string, text: string): StandInAnswer => {
  const body = bodyOf(text)
  if (body["locationId"] !== locationId) return problem(403, "The token does not have access to this location.")
  const wrong = unknownFields(body, settable)
  if (wrong.length > 0) return problem(422, wrong, "Unprocessable Entity")
  const there = find(state, locationId, body["email"], body["phone"])
  const contact = changed(state, there ?? blankContact(state, locationId), body)
  return { status: 200, json: { new: there === null, contact, traceId: "trace-1" } }
}

const retag = (state: StandInState, contact: StandInContact, { method, text }: SeenRequest): StandInAnswer => {
  const given = spelledTags(textsOf(bodyOf(text)["tags"]))
  if (given.length === 0) return problem(422, ["tags should not be empty"], "Unprocessable Entity")
  const tags = method === "POST" ? [...contact.tags, ...given] : contact.tags.filter((tag) => !given.includes(tag))
  return { status: method === "POST" ? 201 : 200, json: { tags: changed(state, contact, { tags }).tags } }
}

const addNote = (state: StandInState, { id }: StandInContact, text: string): StandInAnswer => {
  const body = bodyOf(text)["body"]
  if (typeof body !== "string") return problem(422, ["body must be a string"], "Unprocessable Entity")
  const note = {
    id: madeId(state, "note"),
    body,
    contactId: id,
    userId: "user-1",
    dateAdded: "2026-03-02T09:00:00.000Z"
  }
  state.notes.push(note)
  return { status: 201, json: { note } }
}

const addTask = (state: StandInState, { id }: StandInContact, text: string): StandInAnswer => {
  const { completed, dueDate, title } = bodyOf(text)
  if (typeof title !== "string" || typeof dueDate !== "string" || typeof completed !== "boolean")
    return problem(422, ["title, dueDate and completed are required"], "Unprocessable Entity")
  const task = { id: madeId(state, "task"), title, dueDate, completed, contactId: id }
  state.tasks.push(task)
  return { status: 201, json: { task } }
}

const enrol = (state: StandInState, { id }: StandInContact, method: string, workflowId: string): StandInAnswer => {
  if (method === "POST") state.enrolled.add(`${workflowId}:${id}`)
  else state.enrolled.delete(`${workflowId}:${id}`)
  return { status: 200, json: { succeded: true } }
}

const update = (state: StandInState, contact: StandInContact, text: string): StandInAnswer => {
  const body = bodyOf(text)
  const wrong = unknownFields(
    body,
    settable.filter((name) => name !== "locationId" && name !== "companyName")
  )
  if (wrong.length > 0) return problem(422, wrong, "Unprocessable Entity")
  return { status: 200, json: { succeded: true, contact: changed(state, contact, body) } }
}

const ofOne = (
  state: StandInState,
  contact: StandInContact,
  request: SeenRequest,
  [what, which = ""]: ReadonlyArray<string>
): StandInAnswer | null => {
  const { method, text } = request
  if (what === undefined && method === "GET") return { status: 200, json: { contact, traceId: "trace-1" } }
  if (what === undefined && method === "PUT") return update(state, contact, text)
  if (what === "tags" && (method === "POST" || method === "DELETE")) return retag(state, contact, request)
  if (what === "notes" && method === "POST") return addNote(state, contact, text)
  if (what === "tasks" && method === "POST") return addTask(state, contact, text)
  if (what === "workflow" && (method === "POST" || method === "DELETE")) return enrol(state, contact, method, which)
  return null
}

/** The parameters of the contact list. */
const searchable = ["locationId", "page", "pageLimit", "searchAfter", "filters", "sort", "query"]

/**
 * A contact in the list, without the original spelling of the names. Like HighLevel's search index, the list contains
 * names only in lower case.
 */
const listed = ({ firstName, lastName, ...contact }: StandInContact) => ({
  ...contact,
  firstNameLowerCase: firstName?.toLowerCase() ?? null,
  lastNameLowerCase: lastName?.toLowerCase() ?? null,
  searchAfter: [Date.parse(contact.dateAdded), contact.id]
})

/** Returns whether a contact comes after a position in the list. The list is in order of creation, newest first. */
const isBehind = ({ dateAdded, id }: StandInContact, [time, last]: ReadonlyArray<unknown>): boolean => {
  const at = Date.parse(dateAdded)
  return at === time ? id < String(last) : at < Number(time)
}

const byAge = (one: StandInContact, other: StandInContact): number =>
  Date.parse(other.dateAdded) - Date.parse(one.dateAdded) || (one.id < other.id ? 1 : -1)

const list = (state: StandInState, locationId: string, text: string): StandInAnswer => {
  const body = bodyOf(text)
  const wrong = unknownFields(body, searchable)
  const { pageLimit, searchAfter } = body
  if (wrong.length > 0) return problem(422, wrong, "Unprocessable Entity")
  if (body["locationId"] !== locationId) return problem(403, "The token does not have access to this location.")
  if (typeof pageLimit !== "number" || pageLimit > 500) return problem(400, "pageLimit must not be greater than 500")
  const all = [...state.contacts.values()].filter((contact) => contact.locationId === locationId).toSorted(byAge)
  const rest = Array.isArray(searchAfter) ? all.filter((contact) => isBehind(contact, searchAfter)) : all
  return {
    status: 200,
    json: { contacts: rest.slice(0, pageLimit).map(listed), total: all.length, traceId: "trace-1" }
  }
}

/** Answers `/contacts/…` for the location of a token. */
export const contacts = (
  state: StandInState,
  locationId: string,
  request: SeenRequest,
  [id = "", ...rest]: ReadonlyArray<string>
): StandInAnswer => {
  const { method, query, text } = request
  if (id === "upsert" && method === "POST") return upsert(state, locationId, text)
  if (id === "search" && rest[0] === undefined && method === "POST") return list(state, locationId, text)
  if (id === "search" && rest[0] === "duplicate") {
    if (query.get("locationId") !== locationId) return problem(403, "The token does not have access to this location.")
    return { status: 200, json: { contact: find(state, locationId, query.get("email"), query.get("number")) } }
  }
  const contact = state.contacts.get(id)
  if (contact === undefined || contact.locationId !== locationId) return problem(400, `Contact with id ${id} not found`)
  return ofOne(state, contact, request, rest) ?? problem(404, `Cannot ${method} ${request.path}`)
}
