import { type CrmFailure, CrmRefused, CrmSignedOut } from "@leadloom/core/crm/CrmFailure"
import type { CrmTask, SyncedFields } from "@leadloom/core/crm/CrmContact"
import type { CrmGrant } from "@leadloom/core/crm/CrmGrant"
import { Crm } from "@leadloom/core/port/Crm"
import type { CrmShape } from "@leadloom/core/port/CrmShape"
import { Effect, Layer, Redacted, Schema } from "effect"
import { HttpClient } from "effect/http"
import { layerFetch } from "../http/Fetch.ts"
import { listOf, maybe, present } from "../http/Lenient.ts"
import { changesJson, ContactJson, contactOf, nameJson } from "./ContactJson.ts"
import { pageOf } from "./ContactList.ts"
import { contactsVersion, type HighLevelConfig, scopes } from "./HighLevelConfig.ts"
import { ask, type AskContacts } from "./HighLevelHttp.ts"
import { makePace } from "./HighLevelPace.ts"

const TokenJson = Schema.Struct({
  access_token: Schema.String,
  refresh_token: maybe(Schema.String),
  expires_in: maybe(Schema.Number),
  scope: maybe(Schema.String),
  locationId: maybe(Schema.String),
  companyId: maybe(Schema.String)
})

const ContactAnswer = Schema.Struct({ contact: ContactJson })
const FoundAnswer = Schema.Struct({ contact: maybe(ContactJson) })
const UpsertAnswer = Schema.Struct({ contact: ContactJson, new: maybe(Schema.Boolean) })
const TagsAnswer = Schema.Struct({ tags: listOf(Schema.String) })
const NoteAnswer = Schema.Struct({ note: Schema.Struct({ id: Schema.String }) })
const TaskAnswer = Schema.Struct({ task: Schema.Struct({ id: Schema.String }) })

/** A day, which its tokens last, should an answer leave it out; seconds. */
const usualLife = 86_399

const grantOf = (json: typeof TokenJson.Type): CrmGrant => ({
  locationId: json.locationId || null,
  companyId: json.companyId || null,
  accessToken: Redacted.make(json.access_token, { label: "access token of the CRM" }),
  refreshToken: json.refresh_token ? Redacted.make(json.refresh_token, { label: "refresh token of the CRM" }) : null,
  expiresIn: json.expires_in ?? usualLife,
  scopes: (json.scope ?? "").split(" ").filter((scope) => scope !== "")
})

/** Where an owner chooses a location and lets us in. */
const authorizeUrl = ({ authorizeUrl: base, clientId, redirectUri }: HighLevelConfig, state: string): string => {
  const url = new URL(base)
  const query = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(" "),
    state
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/**
 * What a refused trade of tokens means. That this server's own credentials are wrong is its operator's trouble and no
 * reason to give a location up.
 */
const tradeFailed = (failure: CrmFailure): CrmFailure => {
  if (failure._tag !== "CrmSignedOut" && failure._tag !== "CrmRefused" && failure._tag !== "CrmGone") return failure
  const reason = failure._tag === "CrmGone" ? "the CRM does not know this token" : failure.reason
  const ours = /client/iu.test(reason) || (failure._tag === "CrmSignedOut" && !/grant|token|code/iu.test(reason))
  return ours ? new CrmRefused({ reason }) : new CrmSignedOut({ reason })
}

const trading = (http: HttpClient.HttpClient, config: HighLevelConfig): Pick<CrmShape, "exchangeCode" | "refresh"> => {
  const trade = (form: Readonly<Record<string, string>>) =>
    ask(
      http,
      config,
      {
        method: "POST",
        steps: ["oauth", "token"],
        what: "token",
        form: {
          client_id: config.clientId,
          client_secret: Redacted.value(config.clientSecret),
          user_type: "Location",
          redirect_uri: config.redirectUri,
          ...form
        },
        token: null,
        version: null
      },
      TokenJson
    ).pipe(Effect.map(grantOf), Effect.mapError(tradeFailed))
  return {
    exchangeCode: (code) =>
      trade({ grant_type: "authorization_code", code }).pipe(
        Effect.catchTag("CrmSignedOut", ({ reason }) => Effect.fail(new CrmRefused({ reason })))
      ),
    refresh: (refreshToken) => trade({ grant_type: "refresh_token", refresh_token: Redacted.value(refreshToken) })
  }
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

const people = (ask: AskContacts): Pick<CrmShape, "contact" | "findContact" | "upsertContact" | "updateContact"> => ({
  contact: (access, id) =>
    Effect.map(ask(access, { method: "GET", steps: contactStep(id), what: "contact" }, ContactAnswer), ({ contact }) =>
      contactOf(contact, access.locationId)
    ),
  findContact: (access, by) => {
    const wanted: Readonly<Record<string, string>> = "email" in by ? { email: by.email } : { number: by.phone }
    const query = { locationId: access.locationId, ...wanted }
    const call = { method: "GET", steps: ["contacts", "search", "duplicate"], what: "contact", query } as const
    return ask(access, call, FoundAnswer).pipe(
      Effect.map(({ contact }) => (contact ? contactOf(contact, access.locationId) : null)),
      Effect.catchTag("CrmGone", () => Effect.succeed(null))
    )
  },
  upsertContact: (access, fields) => {
    const json = upsertJson(access.locationId, fields)
    const call = { method: "POST", steps: ["contacts", "upsert"], what: "contact", json } as const
    return Effect.map(ask(access, call, UpsertAnswer), ({ contact, new: created }) => ({
      contact: contactOf(contact, access.locationId),
      created: created === true
    }))
  },
  updateContact: (access, id, changes) => {
    const call = { method: "PUT", steps: contactStep(id), what: "contact", json: changesJson(changes) } as const
    return Effect.map(ask(access, call, ContactAnswer), ({ contact }) => contactOf(contact, access.locationId))
  }
})

const taskJson = ({ body, dueAt, title }: CrmTask) => ({
  title,
  ...(body === null ? {} : { body }),
  dueDate: new Date(dueAt).toISOString(),
  completed: false
})

/** Whether a contact goes into a workflow or out of it is answered with a flag that says nothing more than 200 does. */
const Anything = Schema.Unknown

type Acts = "addTags" | "removeTags" | "addNote" | "createTask" | "addToWorkflow" | "removeFromWorkflow"

const acting = (ask: AskContacts): Pick<CrmShape, Acts> => {
  const tag =
    (method: "POST" | "DELETE"): CrmShape["addTags"] =>
    (access, id, tags) =>
      Effect.map(
        ask(access, { method, steps: contactStep(id, "tags"), what: "contact", json: { tags } }, TagsAnswer),
        (answer) => present(answer.tags)
      )
  const flow =
    (method: "POST" | "DELETE"): CrmShape["addToWorkflow"] =>
    (access, id, workflowId) =>
      Effect.asVoid(
        ask(
          access,
          { method, steps: contactStep(id, "workflow", workflowId), what: "contact or workflow", json: {} },
          Anything
        )
      )
  return {
    addTags: tag("POST"),
    removeTags: tag("DELETE"),
    addNote: (access, id, body) =>
      Effect.map(
        ask(access, { method: "POST", steps: contactStep(id, "notes"), what: "contact", json: { body } }, NoteAnswer),
        ({ note }) => note.id
      ),
    createTask: (access, id, task) =>
      Effect.map(
        ask(
          access,
          { method: "POST", steps: contactStep(id, "tasks"), what: "contact", json: taskJson(task) },
          TaskAnswer
        ),
        (answer) => answer.task.id
      ),
    addToWorkflow: flow("POST"),
    removeFromWorkflow: flow("DELETE")
  }
}

/** HighLevel (API v2) over the `HttpClient` that is given. */
export const layerNoDeps = (config: HighLevelConfig): Layer.Layer<Crm, never, HttpClient.HttpClient> =>
  Layer.effect(
    Crm,
    Effect.map(HttpClient.HttpClient, (http) => {
      const { left, noteLeft, paced } = makePace()
      const askContacts: AskContacts = ({ locationId, token }, call, schema) => {
        const onLeft = (requests: number) => noteLeft(locationId, requests)
        return paced(locationId, ask(http, config, { ...call, token, version: contactsVersion, onLeft }, schema))
      }
      return {
        configured: Effect.void,
        authorizeUrl: (state) => Effect.succeed(authorizeUrl(config, state)),
        allowance: left,
        contacts: pageOf(askContacts),
        ...trading(http, config),
        ...people(askContacts),
        ...acting(askContacts)
      }
    })
  )

/** HighLevel (API v2). */
export const layer = (config: HighLevelConfig): Layer.Layer<Crm> => Layer.provide(layerNoDeps(config), layerFetch)
