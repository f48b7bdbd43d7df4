import { assert, describe } from "@effect/vitest"
import { answerTool } from "@leadloom/core/internal/workflow/assistant/AnswerTool"
import {
  makeAssistantSecret,
  removeAssistant,
  setRetellKey
} from "@leadloom/core/internal/workflow/assistant/AssistantKeys"
import { authenticateAssistant } from "@leadloom/core/internal/workflow/assistant/AuthenticateAssistant"
import { ingestReport } from "@leadloom/core/internal/workflow/assistant/IngestReport"
import type { AssistantCall, ToolCall } from "@leadloom/core/internal/domain/assistant/ToolCall"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { Calls } from "@leadloom/core/internal/port/repository/conversation/Calls"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import type { Tenant } from "@leadloom/core/internal/domain/tenant/Tenant"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, scenesOn, start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const number = "+15550002222"
const line: AssistantCall = { platform: "vapi", callId: "c1", direction: "inbound", number }
const hidden: AssistantCall = { ...line, number: null }

let toolCallCount = 0
const tool = (name: string, args: ToolCall["args"], answerId = `vapi:t${++toolCallCount}`): ToolCall => ({
  answerId,
  name,
  args
})

const refusal = (tenant: Tenant, call: AssistantCall, requests: ToolCall) =>
  Effect.map(Effect.flip(answerTool(tenant, call, requests)), (error) =>
    error._tag === "ToolRefused" ? error.reason : error._tag
  )

const contactsOf = Effect.flatMap(Contacts, (contacts) =>
  contacts
    .holders("acme", [{ kind: "phone", value: number }])
    .pipe(Effect.map((holders) => holders.map(({ contact }) => contact)))
)

const open = acme.open({ timeZone: "Europe/Berlin" })

/** Tests voice assistants on a store. */
export const assistantSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`a voice assistant on ${name}`, () => {
    scene("authenticates by its newest secret, or by a signature with the configured key", () =>
      Effect.gen(function* () {
        yield* open
        const come = (secret: string | null, isSigned: ((key: string) => boolean) | null = null) =>
          authenticateAssistant("acme", { secret, isSigned }).pipe(
            Effect.map(({ tenantId }) => tenantId),
            Effect.catch(({ _tag }) => Effect.succeed(_tag))
          )
        assert.strictEqual(yield* come("lla_x"), "AssistantNotConfigured")
        const { access, secret } = yield* makeAssistantSecret("acme")
        assert.match(secret, /^lla_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/u)
        assert.isTrue(secret.startsWith(access.prefix ?? "nothing"))
        assert.strictEqual(yield* come(secret), "acme")
        assert.strictEqual(yield* come(`${secret}x`), "AssistantRefused")
        assert.strictEqual(yield* come(null), "AssistantRefused")
        assert.strictEqual(yield* come(null, () => true), "AssistantRefused")
        yield* setRetellKey("acme", "key_vector")
        assert.strictEqual(yield* come(null, (key) => key === "key_vector"), "acme")
        assert.strictEqual(yield* come(null, () => false), "AssistantRefused")
        const { secret: next } = yield* makeAssistantSecret("acme")
        assert.deepStrictEqual([yield* come(secret), yield* come(next)], ["AssistantRefused", "acme"])
        assert.strictEqual(yield* come(null, (key) => key === "key_vector"), "acme")
        yield* removeAssistant("acme")
        assert.strictEqual(yield* come(next), "AssistantNotConfigured")
      })
    )

    scene("receives a little data about the caller, and none about others", () =>
      Effect.gen(function* () {
        const tenant = yield* open
        const none = { email: null, company: null, notes: null }
        yield* createContact("acme", { ...none, name: "Jo Smith", phone: number })
        yield* createContact("acme", { ...none, name: "Ann Other", phone: "+15550009999" })
        const look = (call: AssistantCall, args: ToolCall["args"] = {}) =>
          answerTool(tenant, call, tool("lookup_contact", args))
        const first = yield* look(line, { phone: "+15550009999", name: "Ann Other" })
        assert.strictEqual(first.text, "This is Jo Smith. There is no open request.")
        yield* answerTool(tenant, line, tool("create_lead", { message: "The roof leaks", subject: "A roof" }))
        yield* answerTool(
          tenant,
          line,
          tool("book_callback", { time: "tomorrow at 3pm", reason: "secret of the house" })
        )
        const { facts, text } = yield* look(line)
        assert.strictEqual(
          text,
          "This is Jo Smith. There is an open request about A roof. A callback is planned for Tuesday 3 March 2026, 15:00."
        )
        assert.deepInclude(facts, { known: true, name: "Jo Smith", next_at: "2026-03-03T14:00:00.000Z" })
        assert.deepInclude((yield* look(hidden)).facts, { known: false })
        assert.deepInclude((yield* look({ ...line, number: "+15550007777" })).facts, { known: false })
        const clinic = { ...tenant, hipaa: true }
        const little = yield* answerTool(clinic, line, tool("lookup_contact", {}))
        assert.deepStrictEqual(little, { text: "This caller is known here.", facts: { known: true } })
      })
    )

    scene("records a request once, however often it is made", () =>
      Effect.gen(function* () {
        const tenant = yield* open
        const requests = tool("create_lead", {
          name: "Jo Smith",
          email: "jo@customer.example",
          message: "The roof leaks",
          company: "unknown"
        })
        const first = yield* answerTool(tenant, line, requests)
        assert.deepStrictEqual(yield* answerTool(tenant, line, requests), first)
        const [contact] = yield* contactsOf
        assert.deepInclude(contact, { name: "Jo Smith", email: "jo@customer.example", phone: number, company: null })
        const said = yield* acme.messagesOf(contact?.contactId ?? null)
        assert.deepStrictEqual(
          said.map(({ actor, body, channel, leadId }) => ({ actor, body, channel, leadId })),
          [{ actor: "contact", body: "The roof leaks", channel: "voice", leadId: first.facts["lead_id"] }]
        )
        assert.strictEqual(yield* (yield* Signals).backlog, 1)
        const again = yield* answerTool(tenant, line, tool("create_lead", { message: "Today, please" }))
        assert.strictEqual(again.facts["lead_id"], first.facts["lead_id"])
        yield* TestClock.setTime(start + 2 * 86_400_000)
        yield* answerTool(tenant, line, tool("book_callback", {}))
        assert.strictEqual((yield* acme.messagesOf(contact?.contactId ?? null)).length, 2)
      })
    )

    scene("cannot act for the owner of an address that a caller names", () =>
      Effect.gen(function* () {
        const tenant = yield* open
        const ann = yield* createContact("acme", {
          name: "Ann",
          email: "ann@other.example",
          phone: null,
          company: null,
          notes: null
        })
        yield* answerTool(tenant, line, tool("create_lead", { email: "Ann@other.example", message: "Cancel my order" }))
        assert.deepStrictEqual(yield* acme.messagesOf(ann.contactId), [])
        const [caller] = yield* contactsOf
        assert.deepInclude(caller, { email: null, phone: number })
      })
    )

    scene("books a callback within business hours, once, and names missing data", () =>
      Effect.gen(function* () {
        const tenant = yield* open
        const requests = tool("book_callback", { date: "2026-03-07", time: "10:00", name: "Jo", notes: "the\nroof" })
        const first = yield* answerTool(tenant, line, requests)
        assert.match(
          first.text,
          /^A callback is booked for Monday 9 March 2026 at 9:00 AM, Central European Standard Time\. That is the next time/u
        )
        assert.deepStrictEqual(yield* answerTool(tenant, line, requests), first)
        const [contact] = yield* contactsOf
        const tasks = yield* acme.tasksOf(contact?.contactId ?? null)
        assert.deepStrictEqual(
          tasks.map(({ dueAt, taskId, title, type }) => ({ dueAt, taskId: String(taskId), title, type })),
          [
            {
              dueAt: Date.parse("2026-03-09T08:00:00Z"),
              taskId: String(first.facts["task_id"]),
              title: "Call back: the roof",
              type: "callback"
            }
          ]
        )
        assert.match(
          yield* refusal(tenant, line, tool("book_callback", { time: "whenever" })),
          /It is Monday 2 March 2026, 10:00 now/u
        )
        assert.match(yield* refusal(tenant, hidden, tool("book_callback", { time: "tomorrow" })), /hidden/u)
        assert.match(yield* refusal(tenant, hidden, tool("create_lead", { message: "x" })), /hidden/u)
        assert.match(yield* refusal(tenant, line, tool("create_lead", {})), /`message`/u)
        assert.match(yield* refusal(tenant, line, tool("drop_tables", {})), /Use one of: lookup_contact, create_lead/u)
      })
    )

    scene("books the stated time, confirms it in full, and asks again if it is unclear", () =>
      Effect.gen(function* () {
        const tenant = yield* open
        const book = (time: string) => answerTool(tenant, line, tool("book_callback", { time, name: "Jo" }))
        const said = {
          "tomorrow at 10": "Tuesday 3 March 2026 at 10:00 AM",
          "10 o'clock tomorrow": "Tuesday 3 March 2026 at 10:00 AM",
          "half past three on Wednesday": "Wednesday 4 March 2026 at 3:30 PM"
        }
        for (const [time, confirmed] of Object.entries(said)) {
          const { facts, text } = yield* book(time)
          assert.strictEqual(text, `A callback is booked for ${confirmed}, Central European Standard Time.`)
          assert.deepInclude(facts, { moved: false, time_zone: "Europe/Berlin" })
        }
        const split = tool("book_callback", { date: "tomorrow", time: "10" })
        assert.include((yield* answerTool(tenant, line, split)).text, "Tuesday 3 March 2026 at 10:00 AM")
        const [contact] = yield* contactsOf
        const tasksOf = Effect.flatMap(Tasks, (tasks) => tasks.ofContact("acme", contact?.contactId ?? ""))
        assert.strictEqual((yield* tasksOf).length, 4)
        for (const time of ["next Friday at 2", "tomorrow at 8", "übermorgen um zehn", "5/6 at noon"])
          assert.match(yield* refusal(tenant, line, tool("book_callback", { time })), /^Nothing is booked for .+ Ask /u)
        assert.strictEqual((yield* tasksOf).length, 4)
      })
    )

    scene("reports a call once, as a call and as a message with its transcript", () =>
      Effect.gen(function* () {
        const tenant = yield* open
        const report = {
          call: { ...line, callId: "c1" },
          ownNumber: "+15550001111",
          startedAt: start - 200_000,
          endedAt: start - 8_000,
          transcript: "AI: Hello\nUser: My roof leaks",
          summary: "A leaking roof."
        }
        yield* ingestReport(tenant, report)
        yield* ingestReport(tenant, report)
        const calls = yield* (yield* Calls).page("acme", { contactId: null, status: null, direction: null }, 9, null)
        const [call] = calls
        assert.strictEqual(calls.length, 1)
        assert.deepInclude(call, { provider: "vapi", status: "completed", durationSeconds: 192, fromNumber: number })
        const [message, ...others] = yield* acme.messagesOf(call?.contactId ?? null)
        assert.deepStrictEqual(others, [])
        assert.strictEqual(
          message?.body,
          "Call, 3 min 12 s, answered\n\nA leaking roof.\n\nAI: Hello\nUser: My roof leaks"
        )
        assert.strictEqual(message?.messageId, call?.messageId)
        assert.deepStrictEqual(yield* acme.tasksOf(call?.contactId ?? null), [])
      })
    )
  })
}
