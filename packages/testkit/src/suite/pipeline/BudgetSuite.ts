/**
 * Suites of workflows under unusual conditions: an exhausted budget, long drafts, unparsed mail and bounces. Other
 * suites are in `suite/<noun>`.
 */
import { assert, describe } from "@effect/vitest"
import { acceptRequest } from "@leadloom/core/internal/workflow/intake/AcceptMessage"
import { handleRequest } from "@leadloom/core/internal/workflow/pipeline/HandleRequest"
import { type PipelineInput, toInbound } from "@leadloom/core/internal/workflow/intake/PipelineInput"
import type { Action, Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { dryRun } from "@leadloom/core/internal/workflow/pipeline/DryRun"
import { explainRun } from "@leadloom/core/internal/workflow/pipeline/ExplainRun"
import { replayRun } from "@leadloom/core/internal/workflow/pipeline/ReplayRun"
import { type RunResult, stepText } from "@leadloom/core/internal/domain/run/Run"
import { workDueSignals } from "@leadloom/core/internal/workflow/pipeline/WorkSignals"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import type { Tenant } from "@leadloom/core/internal/domain/tenant/Tenant"
import { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Clock, Effect, Fiber, Latch } from "effect"
import { TestClock } from "effect/testing"
import { acme, request as jo, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const long = "the quick brown fox ".repeat(45_000)

const request = (message: string): PipelineInput => ({ ...jo, message })

const indices = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)

const rule = (id: number, when: Rule["when"], actions: Rule["actions"]): Rule => ({
  id: `rule_${id}`,
  name: "A rule",
  priority: id,
  when,
  actions
})

const always: Rule["when"] = { all: [] }
const tag: Rule["actions"] = [{ type: "tag", tag: "seen" }]
const notices: Rule["actions"] = [
  { type: "notify", message: "{{message.body}}" },
  ...indices(19).map((): Action => ({ type: "notify", message: "{{message.body}}" }))
]

const searching = (rules: number, comparisons: number): ReadonlyArray<Rule> =>
  indices(rules).map((id) => {
    const any = indices(comparisons).map((index) => {
      return { fact: "message.text", op: "contains" as const, value: `no such words ${id} ${index}` }
    })
    return rule(id, { any }, tag)
  })

/** Valid configurations that need more than the budget of a run for a message of 900 KB. */
const expensive: Readonly<Record<string, ReadonlyArray<Rule>>> = {
  "10,000 comparisons": searching(100, 100),
  "200 notices with the whole message": [
    rule(0, always, tag),
    ...indices(10).map((id) => rule(id + 1, always, notices))
  ],
  "a reply with the whole message": [
    rule(0, always, [
      { type: "tag", tag: "seen" },
      { type: "reply", template: "{{message.body}}" }
    ])
  ],
  "300 actions": indices(15).map((id) =>
    rule(id, always, [...tag, ...indices(19).map((n): Action => ({ type: "tag", tag: `tag ${id} ${n}` }))])
  )
}

const stepsOf = ({ steps }: Pick<RunResult, "steps">) => steps.map(({ outcome, step }) => `${step} ${outcome}`)

const routeOf = ({ steps }: Pick<RunResult, "steps">): string => {
  const route = steps.find(({ step }) => step === "route")
  return route === undefined ? "no route" : stepText(route)
}

/** A clock whose time advances with every reading. */
const slowClock = Effect.map(Clock.Clock, (clock): Clock.Clock => {
  let late = 0
  return {
    ...clock,
    sleep: (duration) => clock.sleep(duration),
    currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
    currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + (late += 50)
  }
})

/** Tests the budget of a run on a store. */
export const budgetSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  const expectReview = Effect.fnUntraced(function* (tenant: Tenant, signalId: string) {
    const run = yield* acme.runOf(signalId)
    assert.deepStrictEqual(stepsOf(run), [
      "classify skipped",
      "score done",
      "route failed",
      "reply suppressed",
      "guard skipped",
      "act done"
    ])
    assert.match(
      routeOf(run),
      /^the run ends for review: .* more than [\d,]+ (?:steps|characters|actions|milliseconds)$/
    )
    assert.deepStrictEqual([run.actions, run.matchedRules, run.written, run.reply], [[], [], null, null])
    assert.strictEqual(yield* acme.draftOf(run.contactId), null)
    const tasks = yield* acme.tasksOf(run.contactId)
    assert.deepStrictEqual(
      tasks.map((task): ReadonlyArray<unknown> => [task.type, task.signalId]),
      [["review", signalId]]
    )
    assert.match(tasks[0]?.title ?? "", /^Not handled automatically: /)
    assert.strictEqual(yield* (yield* Signals).backlog, 0)
    const { replay } = yield* replayRun(tenant, signalId)
    assert.deepStrictEqual(replay.differences, [])
    return run
  })

  describe(`the budget of a run on ${name}`, () => {
    for (const [what, rules] of Object.entries(expensive)) {
      scene(`${what}: ends the run for review, without its actions`, () =>
        Effect.gen(function* () {
          const tenant = yield* acme.open({ classifier: "off", rules })
          const message = what === "300 actions" ? "Hello" : long
          const { result, signalId } = yield* handleRequest({ tenant, request: request(message) })
          const run = yield* expectReview(tenant, signalId)
          assert.isBelow(JSON.stringify(run).length, 5_000)
          const events = yield* acme.eventTypes()
          assert.notInclude(events, "rule.notified")
          assert.isBelow(events.length, 10)
          const dry = yield* dryRun({ tenant, request: request(message) })
          assert.strictEqual(routeOf(dry.result), routeOf(result))
          const { rules: stories } = yield* explainRun(tenant, signalId)
          assert.strictEqual(stories?.length, rules.length)
        })
      )
    }

    scene("ends a queued run for review, once", () =>
      Effect.gen(function* () {
        const tenant = yield* acme.open({ classifier: "off", rules: searching(100, 100) })
        const now = yield* Clock.currentTimeMillis
        const accepted = yield* acceptRequest({ ...toInbound(tenant, request(long), now), pipeline: "queue" })
        assert.strictEqual(yield* workDueSignals(), 1)
        yield* expectReview(tenant, accepted.signalId ?? "none")
        assert.strictEqual(yield* workDueSignals(), 0)
      })
    )

    scene("decides a large run outside a unit of work, and its replay is identical", () =>
      Effect.gen(function* () {
        const hit = rule(99, { fact: "message.text", op: "has_word", value: "fox" }, notices)
        const tenant = yield* acme.open({ classifier: "off", rules: [...searching(5, 100), hit] })
        const { result, signalId } = yield* handleRequest({
          tenant,
          request: request(long.slice(0, 12_000))
        })
        assert.strictEqual(result.matchedRules.length, 1)
        assert.deepStrictEqual([...new Set(result.actions.map(({ outcome }) => outcome))], ["done"])
        const events = yield* acme.events()
        const texts = events.flatMap(({ data, type }) => (type === "rule.notified" ? [data["text"]] : []))
        assert.strictEqual(texts.length, 20)
        for (const text of texts) {
          assert.isString(text)
          assert.strictEqual(String(text).length, 10_000)
          assert.isTrue(String(text).endsWith("… [cut]"))
        }
        assert.isTrue((yield* replayRun(tenant, signalId)).replay.identical)
      })
    )

    scene("ends a run for review at the time limit, and its replay gives the same result without a clock", () =>
      Effect.gen(function* () {
        const tenant = yield* acme.open({ classifier: "off", rules: searching(8, 100) })
        const { signalId } = yield* handleRequest({ tenant, request: request(long.slice(0, 20_000)) }).pipe(
          Effect.provideServiceEffect(Clock.Clock, slowClock)
        )
        const run = yield* expectReview(tenant, signalId)
        assert.include(routeOf(run), "milliseconds")
        assert.isTrue(run.inputs?.outOfTime)
      })
    )

    describe("a signal whose run was started but not finished", () => {
      const lease = 30_000
      const queue = (tenant: Tenant, message: string) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const { signalId } = yield* acceptRequest({ ...toInbound(tenant, request(message), now), pipeline: "queue" })
          return signalId ?? assert.fail("the message was not queued")
        })
      /** Simulates a server that claims all due work, starts it and crashes. */
      const dieAtWork = Effect.gen(function* () {
        const signals = yield* Signals
        const now = yield* Clock.currentTimeMillis
        const taken = yield* signals.claim(9, now, now + lease)
        for (const { signalId, suspect, tenantId } of taken) if (suspect) yield* signals.begin(tenantId, signalId)
        yield* TestClock.adjust(lease)
        return taken.length
      })
      const hasRun = (signalId: string) => Effect.map(acme.findRun(signalId), (run) => run !== null)

      scene("moves behind later signals of its tenant, and runs again", () =>
        Effect.gen(function* () {
          const tenant = yield* acme.open({ classifier: "off" })
          const first = yield* queue(tenant, "One")
          assert.strictEqual(yield* dieAtWork, 1)
          const second = yield* queue(tenant, "Two")
          yield* workDueSignals()
          assert.deepStrictEqual([yield* hasRun(first), yield* hasRun(second)], [false, true])
          yield* workDueSignals()
          assert.isTrue(yield* hasRun(first))
          assert.strictEqual(yield* (yield* Signals).backlog, 0)
        })
      )

      scene("does not run a third time: a person reviews the message, and other signals are processed", () =>
        Effect.gen(function* () {
          const tenant = yield* acme.open({ classifier: "off" })
          const poison = yield* queue(tenant, "One")
          yield* dieAtWork
          yield* workDueSignals()
          assert.strictEqual(yield* dieAtWork, 1)
          const other = yield* queue(tenant, "Two")
          yield* workDueSignals()
          assert.deepStrictEqual([yield* hasRun(poison), yield* hasRun(other)], [false, true])
          assert.strictEqual(yield* (yield* Signals).backlog, 0)
          const run = yield* acme.findRun(other)
          const tasks = yield* acme.tasksOf(run?.contactId ?? null)
          assert.deepStrictEqual(
            tasks.map((task): ReadonlyArray<unknown> => [task.type, task.signalId]),
            [["review", poison]]
          )
          assert.strictEqual(yield* workDueSignals(), 0)
        })
      )

      scene("runs after outages of the database during several starts, because an outage is not a crash", () =>
        Effect.gen(function* () {
          const tenant = yield* acme.open({ classifier: "off" })
          const queued = yield* queue(tenant, "One")
          const signals = yield* Signals
          for (let outage = 0; outage < 3; outage++) {
            const failed = yield* Latch.make()
            const returned = yield* Latch.make()
            const during = Signals.of({
              ...signals,
              finish: () => new StoreUnavailable({ reason: "down" }),
              release: (...args) =>
                Effect.suspend(() => {
                  if (failed.isOpen()) return Effect.andThen(returned.open, signals.release(...args))
                  return Effect.andThen(failed.open, new StoreUnavailable({ reason: "down" }))
                })
            })
            const working = yield* Effect.forkChild(Effect.provideService(workDueSignals(), Signals, during))
            yield* failed.await
            while (!returned.isOpen()) yield* TestClock.adjust("1 second")
            assert.strictEqual(yield* Fiber.join(working), 1)
            yield* TestClock.adjust(lease)
          }
          assert.isFalse(yield* hasRun(queued))
          yield* workDueSignals()
          assert.isTrue(yield* hasRun(queued))
        })
      )
    })
  })
}
