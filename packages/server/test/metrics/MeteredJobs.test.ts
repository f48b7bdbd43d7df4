import * as Store from "@leadloom/store/internal/Store"
import { assert, it } from "@effect/vitest"
import { again, done, type JobOutcome } from "@leadloom/core/internal/domain/job/Job"
import { type RunJob, workDueJobs } from "@leadloom/core/internal/workflow/job/WorkJobs"
import { Jobs } from "@leadloom/core/internal/port/repository/webhook/Jobs"
import { onMigratedFile } from "@leadloom/testkit/MigratedFile"
import { idOf } from "@leadloom/testkit/suite/Records"
import { Clock, Effect, Logger } from "effect"
import { countJobs } from "../../src/metrics/MeteredJobs.ts"
import { makeMeter } from "../../src/metrics/Meter.ts"
import { readMetrics } from "../world/MetricsText.ts"

it.effect("jobs are counted by kind and result, without their subject", () =>
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const now = yield* Clock.currentTimeMillis
    const meter = makeMeter()
    const outcomes: ReadonlyArray<Effect.Effect<JobOutcome>> = [
      Effect.succeed(done),
      Effect.succeed(done),
      Effect.succeed(again("away")),
      Effect.die(new Error("broken"))
    ]
    for (const index of outcomes.keys()) {
      const job = { kind: "fetch_media" as const, messageId: idOf("msg", index), media: [] }
      yield* jobs.put({ tenantId: "acme", jobId: `media:${index}`, dueAt: now, createdAt: now, job })
    }
    const run: RunJob<never> = ({ jobId }) => outcomes[Number(jobId.slice(6))] ?? Effect.succeed(done)
    yield* Effect.provide(workDueJobs(countJobs(meter, run)), Logger.layer([]))
    const page = readMetrics(meter.families.text())
    const of = (outcome: string) => page.value("leadloom_jobs_total", { kind: "fetch_media", outcome })
    assert.deepStrictEqual([of("done"), of("again"), of("broke"), of("later")], [2, 1, 1, null])
    assert.notMatch(meter.families.text(), /acme|media:/u)
  }).pipe(Effect.provide(onMigratedFile((url) => Store.layer({ url }))))
)
