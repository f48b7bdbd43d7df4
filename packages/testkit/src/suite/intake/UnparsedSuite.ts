import { assert, describe } from "@effect/vitest"
import { parseMessage } from "@leadloom/core/internal/workflow/intake/ParseMessage"
import { splitMail } from "@leadloom/core/internal/domain/email/ReadMail"
import { readSource } from "@leadloom/core/internal/workflow/intake/Sources"
import { scanMail, unparsedBody, unparsedReasonOf } from "@leadloom/core/internal/domain/conversation/UnparsedMail"
import { workDueSends } from "@leadloom/core/internal/workflow/sending/WorkSends"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { stepText } from "@leadloom/core/internal/domain/run/Run"
import { workDueSignals } from "@leadloom/core/internal/workflow/pipeline/WorkSignals"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { MailParser } from "@leadloom/core/internal/port/provider/MailParser"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { searchTenant } from "@leadloom/core/internal/workflow/search/SearchTenant"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, rawMail, scenesOn, thanks } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const answering: Rule = { ...thanks, when: { fact: "message.subject", op: "contains", value: "roof" } }

const open = Effect.gen(function* () {
  const tenant = yield* acme.open({ rules: [answering], replyMode: "auto" })
  yield* acme.connectMail()
  yield* TestClock.adjust("1 minute")
  return tenant
})

/** Replaces the parser by one that never parses in time. */
const givingUp = Effect.provideServiceEffect(
  MailParser,
  Effect.map(MailParser, (parser) => ({
    ...parser,
    parse: (raw: Uint8Array) => Effect.succeed(splitMail(scanMail(Buffer.from(raw).toString("latin1"), "deadline")))
  }))
)

const found = Effect.fnUntraced(function* (query: string) {
  const { messages } = yield* searchTenant("acme", {
    query,
    deep: true,
    kinds: ["conversations"],
    limit: 10,
    cursor: null
  })
  return messages.map(({ value }): string => value.messageId)
})

const body = "What would a new chimney cost?\r\n\r\n> Hello Jo"

/** Tests unparsed mail on a store. */
export const unparsedSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`unparsed mail on ${name}`, () => {
    scene("is stored with its headers and source, and gets no automatic reply", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        yield* open
        const { contactId, detail, leadId, messageId, outcome, signalId } = yield* givingUp(acme.receiveMail({ body }))
        assert.strictEqual(outcome, "message")
        assert.include(detail ?? "", "could not be parsed in time")
        const message = yield* (yield* Messages).find("acme", messageId ?? assert.fail("nothing was stored"))
        assert.strictEqual(message === null ? null : unparsedReasonOf(message), "deadline")
        assert.deepStrictEqual(
          [message?.from, message?.to, message?.subject, message?.internetMessageId, message?.body],
          ["jo@customer.example", ["sales@acme.com"], "A roof", "first@customer.example", unparsedBody]
        )
        assert.isNotNull(leadId)
        const source = yield* readSource("acme", messageId ?? "")
        assert.deepStrictEqual([...source.bytes], [...rawMail({ body })])
        yield* workDueSignals()
        yield* workDueSends()
        assert.deepStrictEqual(outbox, [])
        const run = yield* acme.findRun(signalId)
        assert.deepStrictEqual(
          run?.matchedRules.map(({ ruleId }) => ruleId),
          ["rule_thanks"]
        )
        const reply = run?.steps.find(({ step }) => step === "reply")
        assert.include(reply === undefined ? "" : stepText(reply), "could not be parsed")
        const tasks = yield* acme.tasksOf(contactId)
        assert.deepStrictEqual(
          tasks.map(({ title, type }) => [type, title]),
          [["review", "A message could not be parsed: read its source"]]
        )
      })
    )

    scene("counts as a copy only with the same bytes", () =>
      Effect.gen(function* () {
        yield* open
        const bare = (text: string) => givingUp(acme.receiveMail({ id: null, body: text }))
        const [one, again, other] = [yield* bare("one"), yield* bare("one"), yield* bare("other")]
        assert.deepStrictEqual([one.outcome, again.outcome, other.outcome], ["message", "duplicate_of", "message"])
        assert.strictEqual(again.messageId, one.messageId)
        assert.notStrictEqual(other.messageId, one.messageId)
      })
    )

    scene("gets its content after it is parsed again", () =>
      Effect.gen(function* () {
        yield* open
        const accepted = yield* givingUp(acme.receiveMail({ body }))
        const messageId = accepted.messageId ?? assert.fail("nothing was stored")
        assert.deepStrictEqual(yield* found("chimney"), [])
        assert.strictEqual(unparsedReasonOf(yield* givingUp(parseMessage("acme", messageId))), "deadline")
        const parsed = yield* parseMessage("acme", messageId)
        assert.deepStrictEqual(
          [parsed.body, parsed.quotedText, unparsedReasonOf(parsed)],
          ["What would a new chimney cost?", "> Hello Jo", null]
        )
        assert.deepStrictEqual(yield* (yield* Messages).find("acme", messageId), parsed)
        const head = yield* (yield* Conversations).get("acme", parsed.contactId)
        assert.strictEqual(head.lastMessage, "What would a new chimney cost?")
        assert.deepStrictEqual(yield* found("chimney"), [messageId])
        assert.deepStrictEqual(yield* found("placeholder parsed source"), [])
        assert.deepStrictEqual(yield* givingUp(parseMessage("acme", messageId)), parsed)
        assert.deepStrictEqual(yield* parseMessage("acme", messageId), parsed)
        assert.strictEqual((yield* Effect.flip(parseMessage("other", messageId)))._tag, "RawNotFound")
      })
    )
  })
}
