import { assert, layer } from "@effect/vitest"
import type { QueuedJob } from "@leadloom/core/internal/domain/job/Job"
import { Jobs } from "@leadloom/core/internal/port/repository/webhook/Jobs"
import { SignIns } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { Effect, Layer } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { fairQueueSuite } from "../pipeline/FairQueueSuite.ts"
import { freshTenant, idOf, noon } from "../Records.ts"

const jobRecord = (tenantId: string, number: number, changes: Partial<QueuedJob> = {}): QueuedJob => ({
  tenantId,
  jobId: `fetch:${String(number).padStart(6, "0")}`,
  attempts: 0,
  dueAt: noon + number,
  createdAt: noon,
  reason: null,
  job: { kind: "fetch", grantId: idOf("grant", 1), providerMessageId: `<ä ${number}>`, historical: false },
  ...changes
})

/** Tests the port `Jobs` on a store. Each test has its own queue, because workers claim from all tenants. */
export const jobsSuite = (name: string, store: StoreLayer): void => {
  const scene = (title: string, test: () => Effect.Effect<void, unknown, Jobs>) =>
    layer(Layer.fresh(store))(`Jobs on ${name}`, (it) => it.effect(title, test))

  fairQueueSuite(`Jobs on ${name}`, store, {
    queue: (tenantId, number, dueAt) =>
      Effect.flatMap(Jobs, (jobs) => jobs.put(jobRecord(tenantId, number, { dueAt: noon + dueAt }))),
    claim: (limit, now, leaseUntil) =>
      Effect.map(
        Effect.flatMap(Jobs, (jobs) => jobs.claim(limit, noon + now, noon + leaseUntil)),
        (taken) => taken.map(({ jobId, tenantId }) => ({ tenantId, number: Number(jobId.slice(6)) }))
      )
  })

  scene("stores a job once per id, and returns it with its attempt", () =>
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const [one, other] = [freshTenant(), freshTenant()]
      const job = jobRecord(one, 1)
      yield* jobs.put(job)
      yield* jobs.put({ ...job, dueAt: noon + 9, job: { kind: "revoke", providerGrantId: "p" } })
      yield* jobs.put(jobRecord(other, 1, { dueAt: noon + 50 }))
      assert.strictEqual(yield* jobs.backlog, 2)
      const taken = yield* jobs.claim(9, noon + 10, noon + 40)
      assert.deepStrictEqual(taken, [{ ...job, attempts: 1, dueAt: noon + 40 }])
      assert.deepStrictEqual(yield* jobs.claim(9, noon + 39, noon + 90), [])
    })
  )

  scene("counts a tenant's jobs with a common prefix of the id, including running ones", () =>
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const [one, other] = [freshTenant(), freshTenant()]
      for (const jobId of ["a:b", "a:b:1", "a:b:2é", "a:b;1", "a:", "A:b:1"])
        yield* jobs.put({ ...jobRecord(one, 1), jobId })
      yield* jobs.put({ ...jobRecord(other, 1), jobId: "a:b:3" })
      yield* jobs.claim(2, noon + 10, noon + 40)
      assert.strictEqual(yield* jobs.waiting(one, "a:b:"), 2)
      assert.strictEqual(yield* jobs.waiting(one, "a:b:1"), 1)
      assert.strictEqual(yield* jobs.waiting(one, "a:"), 5)
      assert.strictEqual(yield* jobs.waiting(other, "b"), 0)
    })
  )

  scene("runs a job again if it is requested while it runs", () =>
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const job = jobRecord(freshTenant(), 1)
      yield* jobs.renew(job)
      const [first] = yield* jobs.claim(1, noon + 10, noon + 40)
      yield* jobs.renew(job)
      assert.isFalse(yield* jobs.finish(first ?? assert.fail()))
      assert.deepStrictEqual(yield* jobs.claim(1, noon + 39, noon + 90), [])
      yield* jobs.hurry(job.tenantId, job.jobId, noon + 20)
      const [second] = yield* jobs.claim(1, noon + 20, noon + 60)
      assert.deepStrictEqual(second, { ...job, attempts: 3, dueAt: noon + 60 })
      assert.isTrue(yield* jobs.finish(second ?? assert.fail()))
    })
  )

  scene("allows only the current attempt to end or postpone a job", () =>
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const tenantId = freshTenant()
      yield* jobs.put(jobRecord(tenantId, 1))
      const [old] = yield* jobs.claim(1, noon + 10, noon + 20)
      const [held] = yield* jobs.claim(1, noon + 20, noon + 30)
      const [mine, stale] = [held ?? assert.fail(), old ?? assert.fail()]
      assert.isFalse(yield* jobs.finish(stale))
      assert.isFalse(yield* jobs.release(stale, noon, stale.job, "late"))
      const next = { kind: "catch_up", grantId: idOf("grant", 1), since: noon, page: null } as const
      assert.isTrue(yield* jobs.release(mine, noon + 100, next, "away"))
      assert.deepStrictEqual(yield* jobs.claim(1, noon + 99, noon + 130), [])
      yield* jobs.hurry(tenantId, mine.jobId, noon + 90)
      yield* jobs.hurry(tenantId, "nothing", noon)
      const [third] = yield* jobs.claim(1, noon + 90, noon + 130)
      assert.deepStrictEqual([third?.attempts, third?.reason, third?.job], [3, "away", next])
      assert.isTrue(yield* jobs.finish(third ?? assert.fail()))
      assert.isFalse(yield* jobs.finish(third ?? assert.fail()))
      assert.strictEqual(yield* jobs.backlog, 0)
    })
  )
}

/** Tests the port `SignIns` on a store. */
export const signInsSuite = (name: string, store: StoreLayer): void => {
  layer(store)(`SignIns on ${name}`, (it) => {
    it.effect(
      "ends a sign-in only once, only for the principal and tenant that started it, and only before it expires",
      () =>
        Effect.gen(function* () {
          const signIns = yield* SignIns
          const [one, other] = [freshTenant(), freshTenant()]
          const signIn = { tenantId: one, stateHash: "hash", principal: "user:jo" }
          yield* signIns.begin({ ...signIn, expiresAt: noon + 10, sealed: "sealed" }, noon)
          assert.isNull(yield* signIns.end({ ...signIn, principal: "user:sam" }, noon))
          assert.isNull(yield* signIns.end({ ...signIn, stateHash: "other" }, noon))
          assert.isNull(yield* signIns.end({ ...signIn, tenantId: other }, noon))
          assert.isNull(yield* signIns.end(signIn, noon + 10))
          assert.deepStrictEqual(yield* signIns.end(signIn, noon + 9), { sealed: "sealed" })
          assert.isNull(yield* signIns.end(signIn, noon + 9))
        })
    )
    it.effect("deletes the expired sign-ins of one tenant", () =>
      Effect.gen(function* () {
        const signIns = yield* SignIns
        const [one, other] = [freshTenant(), freshTenant()]
        const signIn = { stateHash: "hash", principal: "admin", sealed: null }
        yield* signIns.begin({ ...signIn, tenantId: one, expiresAt: noon + 10 }, noon)
        yield* signIns.begin({ ...signIn, tenantId: other, expiresAt: noon + 10 }, noon)
        yield* signIns.begin({ ...signIn, tenantId: one, stateHash: "next", expiresAt: noon + 99 }, noon + 10)
        assert.isNull(yield* signIns.end({ ...signIn, tenantId: one }, noon))
        assert.isNotNull(yield* signIns.end({ ...signIn, tenantId: other }, noon))
        yield* signIns.begin({ ...signIn, tenantId: one, expiresAt: noon + 99 }, noon + 11)
      })
    )
  })
}
