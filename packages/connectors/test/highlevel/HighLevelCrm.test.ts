import type * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import type { CrmAccess } from "@leadloom/core/internal/domain/crm/CrmGrant"
import { Crm } from "@leadloom/core/internal/port/provider/Crm"
import type { CrmShape } from "@leadloom/core/internal/port/repository/crm/CrmShape"
import { type HighLevelStandIn, startHighLevel, tooMany } from "@leadloom/testkit/highlevel/HighLevelStandIn"
import { problem } from "@leadloom/testkit/highlevel/StandInState"
import { Effect, Redacted, Result } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as HighLevelCrm from "../../src/highlevel/HighLevelCrm.ts"
import { checkExchange, specificationNote } from "./HighLevelSpecification.ts"

let highLevel: HighLevelStandIn
beforeEach(async () => {
  highLevel = await startHighLevel()
})
afterEach(() => highLevel.close())

const configOf = ({ clientId, clientSecret, url }: HighLevelStandIn, secret = clientSecret) => ({
  apiUrl: url,
  authorizeUrl: "https://marketplace.example/choose?theme=dark",
  clientId,
  clientSecret: Redacted.make(secret),
  redirectUri: "https://leadloom.example/crm/callback"
})

const sendRequest = <A>(
  use: (crm: CrmShape) => Effect.Effect<A, ProviderFailure.ProviderFailure>,
  config = configOf(highLevel)
) => Effect.flatMap(Crm, use).pipe(Effect.provide(HighLevelCrm.layer(config)), Effect.result, Effect.runPromise)

const got = async <A>(response: Promise<Result.Result<A, ProviderFailure.ProviderFailure>>): Promise<A> =>
  Result.getOrThrow(await response)

const failed = async <A>(
  response: Promise<Result.Result<A, ProviderFailure.ProviderFailure>>
): Promise<ProviderFailure.ProviderFailure> => {
  const result = await response
  return Result.isFailure(result) ? result.failure : expect.fail("it worked")
}

const enter = async (locationId = "loc-1"): Promise<CrmAccess> => {
  const grant = await got(sendRequest((crm) => crm.exchangeCode(highLevel.choose(locationId), "location")))
  return { locationId, token: grant.accessToken }
}

const enterAgency = async (locations: ReadonlyArray<string>): Promise<CrmAccess> => {
  highLevel.state.agencies.set("agency-1", new Set(locations))
  const code = highLevel.choose("agency-1")
  const grant = await got(sendRequest((crm) => crm.exchangeCode(code, "agency")))
  expect(grant).toMatchObject({ locationId: null, companyId: "agency-1" })
  return { locationId: "agency-1", token: grant.accessToken }
}

const jo = { name: "Jo van Smith", email: "Jo@Customer.example", phone: "+14155550123", company: "Smith Roofs" }

describe("the authorisation", () => {
  it("sends the owner to the marketplace with the app's id and the state", async () => {
    const url = new URL(await got(sendRequest((crm) => crm.authorizeUrl("a state/ü", "location"))))
    expect(Object.fromEntries(url.searchParams)).toEqual({
      theme: "dark",
      response_type: "code",
      client_id: "client-1",
      redirect_uri: "https://leadloom.example/crm/callback",
      scope: "contacts.readonly contacts.write workflows.readonly locations.readonly",
      state: "a state/ü"
    })
  })

  it("exchanges a code once, and each refresh token once", async () => {
    const code = highLevel.choose("loc-1")
    const grant = await got(sendRequest((crm) => crm.exchangeCode(code, "location")))
    expect(grant).toMatchObject({ locationId: "loc-1", companyId: "company-1", expiresIn: 86_399 })
    expect(JSON.stringify(grant)).not.toContain("access0")
    const refresh = grant.refreshToken ?? expect.fail("no refresh token")
    const next = await got(sendRequest((crm) => crm.refresh(refresh, "location")))
    expect(Redacted.value(next.accessToken)).not.toBe(Redacted.value(grant.accessToken))
    expect(await failed(sendRequest((crm) => crm.refresh(refresh, "location")))).toMatchObject({
      reason: { _tag: "SignedOut" }
    })
    expect(await failed(sendRequest((crm) => crm.exchangeCode(code, "location")))).toMatchObject({
      reason: { _tag: "Refused" }
    })
  })

  it("requests tokens of its locations from an agency", async () => {
    const url = new URL(await got(sendRequest((crm) => crm.authorizeUrl("a state", "agency"))))
    expect(url.searchParams.get("scope")).toContain("contacts.write")
    expect(url.searchParams.get("scope")).toMatch(/oauth\.write oauth\.readonly$/u)
  })

  it("yields tokens and a list of locations for an agency", async () => {
    const agency = await enterAgency(["loc-1", "loc-2"])
    const grant = await got(sendRequest((crm) => crm.locationGrant(agency, "loc-2")))
    expect(grant).toMatchObject({ locationId: "loc-2", companyId: "agency-1", refreshToken: null, expiresIn: 86_399 })
    const access = { locationId: "loc-2", token: grant.accessToken }
    expect(await got(sendRequest((crm) => crm.findContact(access, { email: jo.email })))).toBeNull()
    expect(await failed(sendRequest((crm) => crm.locationGrant(agency, "loc-3")))).toMatchObject({
      reason: { _tag: "Refused" }
    })
    expect(await got(sendRequest((crm) => crm.agencyLocations(agency, 1, 1)))).toEqual([
      { locationId: "loc-2", name: "Name of loc-2", installed: true }
    ])
  })

  it("keeps a location when this server's own credentials are wrong", async () => {
    const wrong = configOf(highLevel, "another secret")
    const failure = await failed(sendRequest((crm) => crm.refresh(Redacted.make("a-token"), "location"), wrong))
    expect(failure).toMatchObject({ reason: { _tag: "Refused", detail: expect.stringContaining("Invalid client") } })
  })

  it("reports an unknown outcome when the response to a refresh is lost", async () => {
    const grant = await got(sendRequest((crm) => crm.exchangeCode(highLevel.choose("loc-1"), "location")))
    highLevel.fault("lost")
    const refresh = grant.refreshToken ?? expect.fail("no refresh token")
    expect(await failed(sendRequest((crm) => crm.refresh(refresh, "location")))).toMatchObject({
      reason: { _tag: "OutcomeUnknown" }
    })
    expect(await failed(sendRequest((crm) => crm.refresh(refresh, "location")))).toMatchObject({
      reason: { _tag: "SignedOut" }
    })
  })
})

describe("contacts", () => {
  it("are created, found, changed and tagged in the CRM's format", async () => {
    const access = await enter()
    const { contact, created } = await got(sendRequest((crm) => crm.upsertContact(access, jo)))
    expect(created).toBe(true)
    expect(contact).toEqual({
      ...jo,
      email: "jo@customer.example",
      crmContactId: contact.crmContactId,
      locationId: "loc-1",
      tags: [],
      smsOptOut: false
    })
    const again = await got(sendRequest((crm) => crm.upsertContact(access, { ...jo, name: null, company: null })))
    expect(again).toEqual({ contact, created: false })
    const id = contact.crmContactId
    expect(await got(sendRequest((crm) => crm.addTags(access, id, ["VIP", "Roof"])))).toEqual(["vip", "roof"])
    expect(await got(sendRequest((crm) => crm.removeTags(access, id, ["VIP"])))).toEqual(["roof"])
    expect(await got(sendRequest((crm) => crm.updateContact(access, id, { name: "Jo", phone: null })))).toMatchObject({
      name: "Jo",
      phone: null,
      email: "jo@customer.example"
    })
    expect(await got(sendRequest((crm) => crm.contact(access, id)))).toMatchObject({ name: "Jo", tags: ["roof"] })
    expect(await got(sendRequest((crm) => crm.findContact(access, { email: "jo@customer.example" })))).toMatchObject({
      crmContactId: id
    })
    expect(await got(sendRequest((crm) => crm.findContact(access, { phone: "+14155550123" })))).toBeNull()
  })

  it("are listed in pages, newest first, without the lower-case names of the list", async () => {
    const access = await enter()
    for (const number of [1, 2, 3])
      await got(
        sendRequest((crm) => crm.upsertContact(access, { ...jo, phone: null, email: `p${number}@customer.example` }))
      )
    highLevel.state.leftToday = 19_000
    const [contacts, left] = await got(
      sendRequest((crm) =>
        Effect.gen(function* () {
          const first = yield* crm.contacts(access, 2, null)
          const second = yield* crm.contacts(access, 2, first.next)
          return [[first, second], yield* crm.allowance("loc-1")] as const
        })
      )
    )
    expect(contacts).toEqual([
      { contacts: [expect.anything(), expect.anything()], next: expect.stringContaining("contact"), total: 3 },
      { contacts: [expect.anything()], next: null, total: 3 }
    ])
    const emails = contacts.flatMap((page) => page.contacts.map(({ email }) => email))
    expect(emails).toEqual([3, 2, 1].map((number) => `p${number}@customer.example`))
    expect(contacts[0]?.contacts[0]).toMatchObject({ name: null, company: "Smith Roofs", locationId: "loc-1" })
    expect(left).toBe(19_000)
    expect(await got(sendRequest((crm) => crm.allowance("loc-1")))).toBeNull()
    const pretended = { ...access, locationId: "loc-2" }
    expect(await failed(sendRequest((crm) => crm.contacts(pretended, 2, null)))).toMatchObject({
      reason: { _tag: "Refused" }
    })
  })

  it("receive notes and tasks, and enter and leave workflows", async () => {
    const access = await enter()
    const { contact } = await got(sendRequest((crm) => crm.upsertContact(access, jo)))
    const id = contact.crmContactId
    const note = await got(sendRequest((crm) => crm.addNote(access, id, "Wants a roof")))
    const task = await got(
      sendRequest((crm) => crm.createTask(access, id, { title: "Call", body: null, dueAt: 1_795_220_000_000 }))
    )
    expect([note, task]).toEqual([expect.stringMatching(/^note/u), expect.stringMatching(/^task/u)])
    await got(sendRequest((crm) => crm.addToWorkflow(access, id, "workflow-1")))
    expect([...highLevel.state.enrolled]).toEqual([`workflow-1:${id}`])
    await got(sendRequest((crm) => crm.removeFromWorkflow(access, id, "workflow-1")))
    expect(highLevel.state.enrolled.size).toBe(0)
  })

  it("do not exist for another location", async () => {
    const access = await enter()
    const { contact } = await got(sendRequest((crm) => crm.upsertContact(access, jo)))
    const other = await enter("loc-2")
    expect(await failed(sendRequest((crm) => crm.contact(other, contact.crmContactId)))).toMatchObject({
      reason: { _tag: "Gone" }
    })
    const pretended = { ...other, locationId: "loc-1" }
    expect(await failed(sendRequest((crm) => crm.upsertContact(pretended, jo)))).toMatchObject({
      reason: { _tag: "Refused" }
    })
  })

  it.each(["..", ".", ""])("are not requested with the id %j", async (id) => {
    const access = await enter()
    expect(await failed(sendRequest((crm) => crm.contact(access, id)))).toMatchObject({ reason: { _tag: "Gone" } })
    expect(highLevel.exchanges).toHaveLength(1)
  })
})

describe("a failure", () => {
  it("states whether the request was processed, may have been processed, or was not processed", async () => {
    const access = await enter()
    const { contact } = await got(sendRequest((crm) => crm.upsertContact(access, jo)))
    const note = () => failed(sendRequest((crm) => crm.addNote(access, contact.crmContactId, "x")))
    const read = () => failed(sendRequest((crm) => crm.contact(access, contact.crmContactId)))
    highLevel.fault(tooMany)
    expect(await note()).toMatchObject({ reason: { _tag: "Unavailable", retryAfterMillis: 10_000 } })
    highLevel.fault("lost")
    expect(await note()).toMatchObject({ reason: { _tag: "OutcomeUnknown" } })
    highLevel.fault(problem(500, "Internal"))
    expect(await note()).toMatchObject({ reason: { _tag: "OutcomeUnknown" } })
    highLevel.fault(problem(503, "Down"))
    expect(await note()).toMatchObject({ reason: { _tag: "Unavailable" } })
    highLevel.fault("lost")
    expect(await read()).toMatchObject({ reason: { _tag: "Unavailable" } })
    highLevel.fault(problem(422, ["body must be a string", "x"]))
    expect(await note()).toMatchObject({
      reason: { _tag: "Refused", detail: "422 body must be a string; x (trace trace-1)" }
    })
    highLevel.fault(problem(403, "The token is not authorized for this scope."))
    expect(await note()).toMatchObject({ reason: { _tag: "Refused" } })
    highLevel.fault({ status: 200, json: "<html>" })
    expect(await read()).toMatchObject({
      reason: { _tag: "Unavailable", detail: "the response did not come from the CRM" }
    })
    highLevel.fault({ status: 302, json: "", headers: { location: "http://elsewhere.example" } })
    expect(await read()).toMatchObject({ reason: { _tag: "Refused" } })
    const stranger = { ...access, token: Redacted.make("a-token") }
    expect(await failed(sendRequest((crm) => crm.contact(stranger, contact.crmContactId)))).toMatchObject({
      reason: { _tag: "SignedOut" }
    })
  })

  it("contains no secret that the CRM repeats", async () => {
    const access = await enter()
    highLevel.fault(problem(422, `bad token ${Redacted.value(access.token)}`))
    const failure = await failed(sendRequest((crm) => crm.contact(access, "x")))
    expect(failure).toMatchObject({ reason: { detail: "422 bad token [secret] (trace trace-1)" } })
  })

  it("counts as unsent when the server is down", async () => {
    await highLevel.close()
    const failure = await failed(sendRequest((crm) => crm.refresh(Redacted.make("a-token"), "location")))
    expect(failure).toMatchObject({ reason: { _tag: "Unavailable" } })
  })
})

describe(`by the official descriptions${specificationNote}`, () => {
  it.skipIf(checkExchange === null)(
    "every request and every response of the stand-in matches HighLevel's description",
    async () => {
      const access = await enter()
      const { contact } = await got(sendRequest((crm) => crm.upsertContact(access, jo)))
      const id = contact.crmContactId
      const agency = await enterAgency(["loc-3"])
      await got(sendRequest((crm) => crm.locationGrant(agency, "loc-3")))
      await got(sendRequest((crm) => crm.agencyLocations(agency, 20, 0)))
      const grant = await got(sendRequest((crm) => crm.exchangeCode(highLevel.choose("loc-2"), "location")))
      await got(sendRequest((crm) => crm.refresh(grant.refreshToken ?? expect.fail("no refresh token"), "location")))
      await got(sendRequest((crm) => crm.upsertContact(access, { ...jo, email: null, name: "Jo" })))
      await got(sendRequest((crm) => crm.contact(access, id)))
      await got(sendRequest((crm) => crm.contacts(access, 1, null)))
      await got(sendRequest((crm) => crm.contacts(access, 1, `[1772442000000,"${id}"]`)))
      await got(sendRequest((crm) => crm.findContact(access, { email: "a+b@customer.example" })))
      await got(sendRequest((crm) => crm.findContact(access, { phone: "+14155550123" })))
      await got(sendRequest((crm) => crm.updateContact(access, id, { name: null, email: null, phone: null })))
      await got(sendRequest((crm) => crm.updateContact(access, id, { name: "Jo Smith" })))
      await got(sendRequest((crm) => crm.addTags(access, id, ["a"])))
      await got(sendRequest((crm) => crm.removeTags(access, id, ["a"])))
      await got(sendRequest((crm) => crm.addNote(access, id, "note")))
      await got(sendRequest((crm) => crm.createTask(access, id, { title: "t", body: "b", dueAt: 0 })))
      await got(sendRequest((crm) => crm.addToWorkflow(access, id, "w")))
      await got(sendRequest((crm) => crm.removeFromWorkflow(access, id, "w")))
      const problems = highLevel.exchanges.flatMap(({ answer, request }) => checkExchange?.(request, answer) ?? [])
      expect(problems).toEqual([])
      const kinds = highLevel.exchanges.map(
        ({ request }) => `${request.method} ${request.path.replaceAll(/contact\d+/gu, "id")}`
      )
      expect(new Set(kinds).size).toBe(14)
    }
  )

  it.skipIf(checkExchange === null)("the check detects a field that HighLevel does not know", async () => {
    const access = await enter()
    await got(sendRequest((crm) => crm.upsertContact(access, jo)))
    const [, exchange] = highLevel.exchanges
    const { answer, request } = exchange ?? expect.fail("nothing came")
    const text = JSON.stringify({ ...JSON.parse(request.text), company: "x" })
    expect(checkExchange?.({ ...request, text }, answer)).toHaveLength(1)
    expect(checkExchange?.({ ...request, headers: { ...request.headers, version: "2020" } }, answer)).toHaveLength(1)
    expect(checkExchange?.(request, { ...answer, json: { contact: { id: 7 } } })).toHaveLength(1)
  })
})
