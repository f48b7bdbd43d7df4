import { assert, layer } from "@effect/vitest"
import { setSync } from "@leadloom/core/internal/workflow/crm/Install"
import { sealTokens } from "@leadloom/core/internal/workflow/crm/WithAccess"
import { runJob } from "@leadloom/core/internal/workflow/job/RunJob"
import { workDueJobs } from "@leadloom/core/internal/workflow/job/WorkJobs"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Crm } from "@leadloom/core/internal/port/provider/Crm"
import { CrmFirstSyncs, CrmInstalls } from "@leadloom/core/internal/port/repository/crm/CrmLocations"
import * as Store from "@leadloom/store/internal/Store"
import { onMigratedFile } from "@leadloom/testkit/MigratedFile"
import { type HighLevelStandIn, startHighLevel } from "@leadloom/testkit/highlevel/HighLevelStandIn"
import type { StandInContact } from "@leadloom/testkit/highlevel/StandInState"
import { contactsThere, makeHere, peopleOf, said, writesFor } from "@leadloom/testkit/suite/crm/CrmPeople"
import { blankInstall } from "@leadloom/testkit/suite/crm/CrmWorld"
import { around } from "@leadloom/testkit/suite/Doubles"
import { start, acme } from "@leadloom/testkit/suite/Scene"
import { Clock, Effect, Layer, Redacted } from "effect"
import * as HighLevelCrm from "../../src/highlevel/HighLevelCrm.ts"
import { checkExchange, specificationNote } from "./HighLevelSpecification.ts"
import { hurriedClock } from "./HurriedClock.ts"

const locationId = "loc-1"
const each = 200

/** Fills the stand-in with the CRM's contacts. */
const fill = ({ state }: HighLevelStandIn, people: ReturnType<typeof peopleOf>): void => {
  for (const [index, { crmContactId, email, name, phone, tags }] of contactsThere(people, locationId).entries()) {
    const [firstName = "", ...more] = (name ?? "").split(" ")
    const date = new Date(start - index * 1_000).toISOString()
    const contact: StandInContact = {
      id: crmContactId,
      locationId,
      firstName,
      lastName: more.join(" "),
      ...(email === null ? {} : { email: email.toLowerCase() }),
      ...(phone === null ? {} : { phone }),
      tags: tags.map((tag) => tag.toLowerCase()),
      dnd: false,
      dateAdded: date,
      dateUpdated: date
    }
    state.contacts.set(crmContactId, contact)
  }
}

const saidThere = ({ state }: HighLevelStandIn) =>
  said(
    [...state.contacts.values()].map(({ email, firstName, lastName, phone, tags }) => ({
      name: [firstName, lastName].filter(Boolean).join(" "),
      email: email ?? null,
      phone: phone ?? null,
      company: null,
      tags
    }))
  )

const workOn = Effect.gen(function* () {
  for (let round = 0; round < 1_000; round++) {
    while ((yield* workDueJobs(runJob)) > 0);
    const firstSync = yield* (yield* CrmFirstSyncs).get("acme", locationId)
    if (firstSync?.state !== "running") return firstSync
    yield* Effect.sleep(5_000)
  }
  return assert.fail("it goes on for ever")
})

const layerOf = ({ clientId, clientSecret, url }: HighLevelStandIn) =>
  HighLevelCrm.layer({
    apiUrl: url,
    authorizeUrl: "https://marketplace.example/choose",
    clientId,
    clientSecret: Redacted.make(clientSecret),
    redirectUri: "https://leadloom.example/crm/callback"
  })

const standIn = Effect.acquireRelease(
  Effect.promise(() => startHighLevel()),
  (highLevel) => Effect.promise(() => highLevel.close())
)

layer(Layer.mergeAll(Layer.fresh(onMigratedFile((url) => Store.layer({ url }))), around))(
  `all contacts and HighLevel${specificationNote}`,
  (it) => {
    it.effect(
      "are synchronised with the minimum number of requests, all of which match the official descriptions",
      () =>
        Effect.gen(function* () {
          const highLevel = yield* standIn
          yield* acme.open()
          const people = peopleOf(each)
          yield* makeHere(people)
          fill(highLevel, people)
          yield* Effect.gen(function* () {
            const grant = yield* (yield* Crm).exchangeCode(highLevel.choose(locationId), "location")
            yield* (yield* CrmInstalls).insert(
              yield* sealTokens({ ...blankInstall("acme", start), sync: "off" }, grant)
            )
            yield* setSync("acme", locationId, "both")
            const over = yield* workOn
            assert.strictEqual(over?.state, "done")
            assert.strictEqual(over?.total, each)
          }).pipe(Effect.provide(layerOf(highLevel)), Effect.provideService(Clock.Clock, hurriedClock(start)))
          const here = yield* (yield* Contacts).page("acme", 2 * each, null)
          assert.deepStrictEqual(said(here), saidThere(highLevel))
          const count = (kind: string) =>
            highLevel.exchanges.filter(({ request }) => kind === `${request.method} ${request.path.split("/").at(-1)}`)
              .length
          const writes = writesFor(people)
          assert.strictEqual(count("POST upsert"), writes["upsertContact"])
          assert.strictEqual(count("POST tags"), writes["addTags"])
          assert.strictEqual(
            highLevel.exchanges.filter(({ request }) => request.method === "PUT").length,
            writes["updateContact"]
          )
          const problems = highLevel.exchanges.flatMap(({ answer, request }) => checkExchange?.(request, answer) ?? [])
          assert.deepStrictEqual(problems, [])
        })
    )
  }
)
