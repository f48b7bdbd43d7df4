import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { Effect, Layer, Redacted } from "effect"
import { type CrmContact, type CrmTask, noFields } from "@leadloom/core/internal/domain/crm/CrmContact"
import type { CrmAccess, CrmGrant } from "@leadloom/core/internal/domain/crm/CrmGrant"
import type { CrmShape } from "@leadloom/core/internal/port/repository/crm/CrmShape"
import { Crm } from "@leadloom/core/internal/port/provider/Crm"

/** The state of a CRM in memory. */
export interface CrmInMemory {
  /** Locations or agencies by authorization code. A code can be used once. */
  readonly codes: Map<string, string>
  /** Locations by valid refresh token. A token can be used once. */
  readonly refreshTokens: Map<string, string>
  /** Locations by access token. */
  readonly accessTokens: Map<string, string>
  /** The locations of each agency. */
  readonly agencies: Map<string, Set<string>>
  readonly contacts: Map<string, CrmContact>
  readonly notes: Array<{ readonly crmContactId: string; readonly body: string }>
  readonly tasks: Array<CrmTask & { readonly crmContactId: string }>
  /** Contacts by workflow. */
  readonly workflows: Map<string, Set<string>>
  /** The names of all calls, oldest first. */
  readonly calls: Array<string>
  /** The result of `allowance`. */
  allowance: number | null
  /** The failure of every call; null when calls succeed. */
  failure: ProviderFailure.ProviderFailure | null
  /** Numbers tokens, contacts, notes and tasks. */
  counter: number
}

/** Creates an empty CRM. */
export const emptyCrm = (): CrmInMemory => ({
  codes: new Map(),
  refreshTokens: new Map(),
  accessTokens: new Map(),
  agencies: new Map(),
  contacts: new Map(),
  notes: [],
  tasks: [],
  workflows: new Map(),
  calls: [],
  allowance: null,
  failure: null,
  counter: 0
})

/** The lifetime of an access token in seconds: one day, as at HighLevel. */
export const accessSeconds = 86_399

/** Normalizes tags to lower case, as HighLevel does. */
const spelled = (tags: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(tags.map((tag) => tag.trim().toLowerCase()))
]

/** Issues a pair of tokens for a location. */
export const grantOf = (crm: CrmInMemory, locationId: string): CrmGrant => {
  const number = ++crm.counter
  crm.accessTokens.set(`access-${number}`, locationId)
  crm.refreshTokens.set(`refresh-${number}`, locationId)
  const isAgency = crm.agencies.has(locationId)
  return {
    locationId: isAgency ? null : locationId,
    companyId: isAgency ? locationId : "company-1",
    accessToken: Redacted.make(`access-${number}`),
    refreshToken: Redacted.make(`refresh-${number}`),
    expiresIn: accessSeconds,
    scopes: ["contacts.readonly", "contacts.write"]
  }
}

const trading = (crm: CrmInMemory, respond: Respond): Pick<CrmShape, "exchangeCode" | "refresh"> => {
  const trade = (held: Map<string, string>, secret: string, refusal: ProviderFailure.ProviderFailure) =>
    Effect.suspend(() => {
      const locationId = held.get(secret)
      if (locationId === undefined) return Effect.fail(refusal)
      held.delete(secret)
      return Effect.succeed(grantOf(crm, locationId))
    })
  return {
    exchangeCode: (code) =>
      respond("exchangeCode", trade(crm.codes, code, ProviderFailure.refused("crm", "unknown code"))),
    refresh: (token) =>
      respond(
        "refresh",
        trade(crm.refreshTokens, Redacted.value(token), ProviderFailure.signedOut("crm", "unknown refresh token"))
      )
  }
}

const lending = (crm: CrmInMemory, { enter }: Requesting): Pick<CrmShape, "locationGrant" | "agencyLocations"> => ({
  locationGrant: (agency, locationId) =>
    Effect.flatMap(
      enter("locationGrant", agency, () => crm.agencies.get(agency.locationId)?.has(locationId) === true),
      (isOpen): Effect.Effect<CrmGrant, ProviderFailure.ProviderFailure> => {
        if (!isOpen) return Effect.fail(ProviderFailure.signedOut("crm", "the app is not installed in the location"))
        return Effect.succeed({ ...grantOf(crm, locationId), refreshToken: null, companyId: agency.locationId })
      }
    ),
  agencyLocations: (agency, limit, skip) =>
    enter("agencyLocations", agency, () =>
      [...(crm.agencies.get(agency.locationId) ?? [])]
        .slice(skip, skip + limit)
        .map((locationId) => ({ locationId, name: `Name of ${locationId}`, installed: true }))
    )
})

type Respond = <A>(
  name: string,
  answer: Effect.Effect<A, ProviderFailure.ProviderFailure>
) => Effect.Effect<A, ProviderFailure.ProviderFailure>

/** Runs requests about contacts. The access token must belong to the location. */
const requesting = (crm: CrmInMemory, respond: Respond) => {
  const enter = ({ locationId, token }: CrmAccess): Effect.Effect<void, ProviderFailure.ProviderFailure> =>
    Effect.suspend(() =>
      crm.accessTokens.get(Redacted.value(token)) === locationId
        ? Effect.void
        : Effect.fail(ProviderFailure.signedOut("crm", "unknown access token"))
    )
  const found = (access: CrmAccess, id: string): Effect.Effect<CrmContact, ProviderFailure.ProviderFailure> =>
    Effect.suspend(() => {
      const contact = crm.contacts.get(id)
      return contact?.locationId === access.locationId
        ? Effect.succeed(contact)
        : Effect.fail(ProviderFailure.gone("crm", "contact"))
    })
  return {
    enter: <A>(name: string, access: CrmAccess, answer: () => A) =>
      respond(name, Effect.andThen(enter(access), Effect.sync(answer))),
    about: <A>(name: string, access: CrmAccess, id: string, answer: (contact: CrmContact) => A) =>
      respond(name, Effect.andThen(enter(access), Effect.map(found(access, id), answer)))
  }
}

type Requesting = ReturnType<typeof requesting>

const searching = (
  { contacts }: CrmInMemory,
  nextId: () => string,
  { about, enter }: Requesting
): Pick<CrmShape, "contact" | "contacts" | "findContact" | "upsertContact"> => {
  const find = (locationId: string, email: string | null, phone: string | null): CrmContact | null => {
    const all = [...contacts.values()].filter((contact) => contact.locationId === locationId)
    const byEmail = all.find((contact) => email !== null && contact.email?.toLowerCase() === email.toLowerCase())
    return byEmail ?? all.find((contact) => phone !== null && contact.phone === phone) ?? null
  }
  return {
    contact: (access, id) => about("contact", access, id, (contact) => contact),
    contacts: (access, limit, after) =>
      enter("contacts", access, () => {
        // Newest first, in the order of HighLevel's list.
        const all = [...contacts.values()].filter(({ locationId }) => locationId === access.locationId).toReversed()
        const start = all.findIndex(({ crmContactId }) => crmContactId === after) + 1
        const page = all.slice(start, start + limit)
        const next = start + limit < all.length ? (page.at(-1)?.crmContactId ?? null) : null
        return { contacts: page, next, total: all.length }
      }),
    findContact: (access, by) =>
      enter("findContact", access, () =>
        "email" in by ? find(access.locationId, by.email, null) : find(access.locationId, null, by.phone)
      ),
    upsertContact: (access, fields) =>
      enter("upsertContact", access, () => {
        const there = find(access.locationId, fields.email, fields.phone)
        const blank = { ...noFields, crmContactId: nextId(), locationId: access.locationId, smsOptOut: false }
        const before = there ?? blank
        const contact: CrmContact = {
          ...before,
          name: fields.name ?? before.name,
          email: fields.email ?? before.email,
          phone: fields.phone ?? before.phone,
          company: fields.company ?? before.company
        }
        contacts.set(contact.crmContactId, contact)
        return { contact, created: there === null }
      })
  }
}

const changing = (
  { contacts }: CrmInMemory,
  { about }: Requesting
): Pick<CrmShape, "updateContact" | "addTags" | "removeTags"> => {
  const change = (contact: CrmContact): CrmContact => {
    contacts.set(contact.crmContactId, contact)
    return contact
  }
  return {
    updateContact: (access, id, changes) =>
      about("updateContact", access, id, (contact) => change({ ...contact, ...changes })),
    addTags: (access, id, tags) =>
      about("addTags", access, id, (contact) => change({ ...contact, tags: spelled([...contact.tags, ...tags]) }).tags),
    removeTags: (access, id, tags) =>
      about("removeTags", access, id, (contact) => {
        const gone = spelled(tags)
        return change({ ...contact, tags: contact.tags.filter((tag) => !gone.includes(tag)) }).tags
      })
  }
}

/** Implements the CRM port on a state in memory. */
export const makeCrm = (crm: CrmInMemory): CrmShape => {
  const respond: Respond = (name, answer) =>
    Effect.suspend(() => {
      crm.calls.push(name)
      return crm.failure === null ? answer : Effect.fail(crm.failure)
    })
  const nextId = (): string => `crm-${++crm.counter}`
  const talk = requesting(crm, respond)
  const members = (workflowId: string): Set<string> => {
    const there = crm.workflows.get(workflowId) ?? new Set<string>()
    crm.workflows.set(workflowId, there)
    return there
  }
  return {
    configured: Effect.void,
    allowance: () => Effect.sync(() => crm.allowance),
    authorizeUrl: (state) => Effect.succeed(`https://crm.example/choose?state=${encodeURIComponent(state)}`),
    ...trading(crm, respond),
    ...lending(crm, talk),
    ...searching(crm, nextId, talk),
    ...changing(crm, talk),
    addNote: (access, crmContactId, body) =>
      talk.about("addNote", access, crmContactId, () => `note-${crm.notes.push({ crmContactId, body })}`),
    createTask: (access, crmContactId, task) =>
      talk.about("createTask", access, crmContactId, () => `task-${crm.tasks.push({ crmContactId, ...task })}`),
    addToWorkflow: (access, id, workflowId) =>
      talk.about("addToWorkflow", access, id, () => void members(workflowId).add(id)),
    removeFromWorkflow: (access, id, workflowId) =>
      talk.about("removeFromWorkflow", access, id, () => void members(workflowId).delete(id))
  }
}

/** Provides the CRM port on a state in memory. */
export const inMemoryCrm = (crm: CrmInMemory): Layer.Layer<Crm> => Layer.succeed(Crm, makeCrm(crm))
