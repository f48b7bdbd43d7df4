// The `Crm` port for HighLevel: contacts, tokens, provider events and SSO. Synchronisation is in `core/workflow/crm`.
// Tests: `packages/connectors/test/highlevel`.
import type { CrmTask, SyncedFields } from "@leadloom/core/internal/domain/crm/CrmContact"
import type { GrantLevel } from "@leadloom/core/internal/domain/crm/CrmGrant"
import { Crm } from "@leadloom/core/internal/port/provider/Crm"
import type { CrmShape } from "@leadloom/core/internal/port/repository/crm/CrmShape"
import { Effect, Layer, Schema } from "effect"
import { HttpClient } from "effect/http"
import { layerFetch } from "../provider/Fetch.ts"
import { listOf, maybe } from "../provider/Lenient.ts"
import { present } from "../provider/Present.ts"
import { changesJson, ContactJson, contactOf, nameJson } from "./ContactJson.ts"
import { locationTokens } from "./Agencies.ts"
import { pageOf } from "./ContactList.ts"
import {
  agencyScopes,
  contactsVersion,
  type HighLevelConfig,
  highLevelProvider,
  numberIn,
  type RequestContacts,
  scopes
} from "./HighLevelConfig.ts"
import { exchange } from "../provider/Exchange.ts"
import { makePacing, type Pace } from "../provider/Pacing.ts"
import { decode, requireFine } from "../provider/ProviderClient.ts"
import { tokenExchange } from "./TokenExchange.ts"

const ContactAnswer = Schema.Struct({ contact: ContactJson })
const FoundAnswer = Schema.Struct({ contact: maybe(ContactJson) })
const UpsertAnswer = Schema.Struct({ contact: ContactJson, new: maybe(Schema.Boolean) })
const TagsAnswer = Schema.Struct({ tags: listOf(Schema.String) })
const NoteAnswer = Schema.Struct({ note: Schema.Struct({ id: Schema.String }) })
const TaskAnswer = Schema.Struct({ task: Schema.Struct({ id: Schema.String }) })

/** Returns the page on which an owner chooses a location and authorises this server. */
const authorizeUrl = (
  { authorizeUrl: base, clientId, redirectUri }: HighLevelConfig,
  state: string,
  level: GrantLevel
): string => {
  const url = new URL(base)
  const query = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: (level === "agency" ? [...scopes, ...agencyScopes] : scopes).join(" "),
    state
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

const contactStep = (crmContactId: string, ...more: ReadonlyArray<string>): ReadonlyArray<string> => [
  "contacts",
  crmContactId,
  ...more
]

const upsertJson = (locationId: string, { company, email, name, phone }: Omit<SyncedFields, "tags">) => ({
  locationId,
  ...(name === null ? {} : nameJson(name)),
  ...(email === null ? {} : { email }),
  ...(phone === null ? {} : { phone }),
  ...(company === null ? {} : { companyName: company }),
  source: "Leadloom"
})

const people = (
  sendRequest: RequestContacts
): Pick<CrmShape, "contact" | "findContact" | "upsertContact" | "updateContact"> => ({
  contact: (access, id) =>
    Effect.map(
      sendRequest(access, { method: "GET", path: contactStep(id), what: "contact" }, ContactAnswer),
      ({ contact }) => contactOf(contact, access.locationId)
    ),
  findContact: (access, by) => {
    const wanted: Readonly<Record<string, string>> = "email" in by ? { email: by.email } : { number: by.phone }
    const query = { locationId: access.locationId, ...wanted }
    const call = { method: "GET", path: ["contacts", "search", "duplicate"], what: "contact", query } as const
    return sendRequest(access, call, FoundAnswer).pipe(
      Effect.map(({ contact }) => (contact ? contactOf(contact, access.locationId) : null)),
      Effect.catchReason("ProviderFailure", "Gone", () => Effect.succeed(null))
    )
  },
  upsertContact: (access, fields) => {
    const json = upsertJson(access.locationId, fields)
    const call = { method: "POST", path: ["contacts", "upsert"], what: "contact", json } as const
    return Effect.map(sendRequest(access, call, UpsertAnswer), ({ contact, new: created }) => ({
      contact: contactOf(contact, access.locationId),
      created: created === true
    }))
  },
  updateContact: (access, id, changes) => {
    const call = { method: "PUT", path: contactStep(id), what: "contact", json: changesJson(changes) } as const
    return Effect.map(sendRequest(access, call, ContactAnswer), ({ contact }) => contactOf(contact, access.locationId))
  }
})

const taskJson = ({ body, dueAt, title }: CrmTask) => ({
  title,
  ...(body === null ? {} : { body }),
  dueDate: new Date(dueAt).toISOString(),
  completed: false
})

/** The response to a change of workflows contains only a flag that repeats the status 200. */
const Anything = Schema.Unknown

type Acts = "addTags" | "removeTags" | "addNote" | "createTask" | "addToWorkflow" | "removeFromWorkflow"

const acting = (sendRequest: RequestContacts): Pick<CrmShape, Acts> => {
  const tag =
    (method: "POST" | "DELETE"): CrmShape["addTags"] =>
    (access, id, tags) =>
      Effect.map(
        sendRequest(access, { method, path: contactStep(id, "tags"), what: "contact", json: { tags } }, TagsAnswer),
        (answer) => present(answer.tags)
      )
  const flow =
    (method: "POST" | "DELETE"): CrmShape["addToWorkflow"] =>
    (access, id, workflowId) =>
      Effect.asVoid(
        sendRequest(
          access,
          { method, path: contactStep(id, "workflow", workflowId), what: "contact or workflow", json: {} },
          Anything
        )
      )
  return {
    addTags: tag("POST"),
    removeTags: tag("DELETE"),
    addNote: (access, id, body) =>
      Effect.map(
        sendRequest(
          access,
          { method: "POST", path: contactStep(id, "notes"), what: "contact", json: { body } },
          NoteAnswer
        ),
        ({ note }) => note.id
      ),
    createTask: (access, id, task) =>
      Effect.map(
        sendRequest(
          access,
          { method: "POST", path: contactStep(id, "tasks"), what: "contact", json: taskJson(task) },
          TaskAnswer
        ),
        (answer) => answer.task.id
      ),
    addToWorkflow: flow("POST"),
    removeFromWorkflow: flow("DELETE")
  }
}

/** The official rate limit per location: 100 requests in 10 s. */
export const pace = {
  service: "crm",
  account: "location",
  requests: 100,
  windowMillis: 10_000,
  maxWaitMillis: 15_000
} as const satisfies Pace

/** Provides HighLevel (API v2) over the given `HttpClient`. */
export const layerNoDeps = (config: HighLevelConfig): Layer.Layer<Crm, never, HttpClient.HttpClient> =>
  Layer.effect(
    Crm,
    Effect.map(HttpClient.HttpClient, (http) => {
      const provider = highLevelProvider(config, http)
      const { left, noteLeft, paced } = makePacing(pace)
      const requestContacts: RequestContacts = ({ locationId, token }, call, schema) => {
        const request = { ...call, headers: { version: contactsVersion, accept: "application/json" }, token }
        const sent = exchange(provider, request).pipe(
          Effect.tap((response) => {
            const remaining = numberIn(response, "x-ratelimit-daily-remaining")
            return remaining === null ? Effect.void : noteLeft(locationId, remaining)
          }),
          Effect.flatMap((response) => requireFine(provider, request, response)),
          Effect.flatMap((response) => decode(provider, request, schema, response))
        )
        return paced(locationId, sent)
      }
      return {
        configured: Effect.void,
        authorizeUrl: (state, level) => Effect.succeed(authorizeUrl(config, state, level)),
        allowance: left,
        contacts: pageOf(requestContacts),
        ...tokenExchange(provider, config),
        ...locationTokens(requestContacts, config),
        ...people(requestContacts),
        ...acting(requestContacts)
      }
    })
  )

/** Provides HighLevel (API v2). */
export const layer = (config: HighLevelConfig): Layer.Layer<Crm> => Layer.provide(layerNoDeps(config), layerFetch)
