/** Suites of canned replies: validation, search and rendering. */
import { assert, describe } from "@effect/vitest"
import type { CannedReplyFields } from "@leadloom/core/internal/domain/reply/CannedReply"
import { CannedReplies } from "@leadloom/core/internal/port/repository/conversation/CannedReplies"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import {
  createCannedReply,
  deleteCannedReply,
  listCannedReplies,
  updateCannedReply
} from "@leadloom/core/internal/workflow/reply/CannedReplies"
import { renderCannedReply } from "@leadloom/core/internal/workflow/reply/RenderCannedReply"
import { ActingUser } from "@leadloom/core/internal/workflow/ActingUser"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { userRecord } from "../WorkspaceRecords.ts"
import { acme, scenesOn, start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const fields = (name: string, changes: Partial<CannedReplyFields> = {}): CannedReplyFields => ({
  name,
  body: "Hello {{ contact.first_name }}",
  folder: null,
  subject: null,
  shortcut: null,
  channels: [],
  ...changes
})

const issuesOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) =>
    typeof error === "object" && error !== null && "issues" in error ? error.issues : error
  )

const namesOf = (query: { readonly prefix?: string; readonly folder?: string }, limit = 10) =>
  Effect.gen(function* () {
    const found: Array<string> = []
    let cursor: string | null = null
    do {
      const filter = { prefix: query.prefix ?? null, folder: query.folder ?? null }
      const page: Effect.Success<ReturnType<typeof listCannedReplies>> = yield* listCannedReplies("acme", filter, {
        limit,
        cursor
      })
      found.push(...page.items.map(({ name }) => name))
      cursor = page.nextCursor
    } while (cursor !== null)
    return found
  })

/** Tests the workflows of canned replies on a store. */
export const cannedReplySuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`canned replies on ${name}`, () => {
    scene("rejects unknown variables by name, broken templates and a taken shortcut", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const saved = yield* createCannedReply("acme", fields("Hello", { shortcut: "hi" }))
        assert.deepStrictEqual(
          yield* issuesOf(createCannedReply("acme", fields("A", { body: "{{ contact.frist_name }}" }))),
          [{ path: "body", message: "Unknown variable contact.frist_name. Did you mean contact.first_name?" }]
        )
        const broken = createCannedReply("acme", fields(" ", { subject: "{% nothing %}", shortcut: "hi" }))
        assert.deepStrictEqual(
          yield* Effect.map(Effect.flip(broken), (error) =>
            error._tag === "CannedReplyInvalid" ? error.issues.map(({ path }) => path) : error._tag
          ),
          ["name", "subject", "shortcut"]
        )
        assert.deepInclude(yield* updateCannedReply("acme", saved.cannedReplyId, { name: "Hi" }), { shortcut: "hi" })
        const wrong = updateCannedReply("acme", saved.cannedReplyId, { body: "{{ lead.score }}" })
        assert.strictEqual((yield* Effect.flip(wrong))._tag, "CannedReplyInvalid")
        assert.deepStrictEqual(yield* namesOf({}), ["Hi"])
      })
    )
    scene("lists by name, and finds names and shortcuts by their beginning in any case", () =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* createCannedReply("acme", fields("price list", { folder: "Sales" }))
        yield* createCannedReply("acme", fields("Appointment", { folder: "Sales", shortcut: "pick" }))
        yield* createCannedReply("acme", fields("Übergabe"))
        const gone = yield* createCannedReply("acme", fields("Old"))
        yield* deleteCannedReply("acme", gone.cannedReplyId)
        for (const limit of [1, 2, 10]) {
          assert.deepStrictEqual(yield* namesOf({}, limit), ["Appointment", "price list", "Übergabe"])
        }
        assert.deepStrictEqual(yield* namesOf({ prefix: "P" }), ["Appointment", "price list"])
        assert.deepStrictEqual(yield* namesOf({ prefix: "ÜB" }), ["Übergabe"])
        assert.deepStrictEqual(yield* namesOf({ prefix: "%" }), [])
        assert.deepStrictEqual(yield* namesOf({ folder: "Sales", prefix: "pr" }), ["price list"])
      })
    )
    scene("renders the values of a contact, lists missing ones and counts the uses", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const tenant = yield* (yield* Tenants).get("acme")
        const { contactId } = yield* createContact("acme", { name: "Jo Smith", email: "jo@customer.example" })
        const body = "Hello {{ contact.first_name }}, {{ user.name }} of {{ tenant.name }}: {{ contact.phone }}"
        const reply = yield* createCannedReply("acme", fields("Hello", { body, subject: "For {{ contact.name }}" }))
        const kim = userRecord("acme", 1, { name: "Kim", email: null })
        const render = renderCannedReply(tenant, reply.cannedReplyId, contactId)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(yield* Effect.provideService(render, ActingUser, kim), {
          text: "Hello Jo, Kim of Acme: ",
          subject: "For Jo Smith",
          missing: ["contact.phone"]
        })
        assert.deepInclude(yield* render, { missing: ["user.name", "contact.phone"] })
        assert.deepInclude(yield* (yield* CannedReplies).get("acme", reply.cannedReplyId), {
          uses: 2,
          lastUsedAt: start + 60_000,
          updatedAt: start
        })
        const nobody = renderCannedReply(tenant, reply.cannedReplyId, "con_nothing")
        assert.strictEqual((yield* Effect.flip(nobody))._tag, "ContactNotFound")
      })
    )
  })
}
