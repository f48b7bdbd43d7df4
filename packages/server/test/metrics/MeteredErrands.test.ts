import * as Store from "@leadloom/store/Store"
import { assert, it } from "@effect/vitest"
import { again, done, type ErrandOutcome } from "@leadloom/core/domain/job/Errand"
import { type RunErrand, workDueErrands } from "@leadloom/core/workflow/job/WorkErrands"
import { Errands } from "@leadloom/core/port/repository/webhook/Errands"
import { idOf } from "@leadloom/testkit/suite/Records"
import { Clock, Effect, Logger } from "effect"
import { countErrands } from "../../src/metrics/MeteredErrands.ts"
import { makeMeter } from "../../src/metrics/Meter.ts"
import { readMetrics } from "../world/MetricsText.ts"

it.effect("errands are counted by kind and by what came of them, and never by what they are about", () =>
  Effect.gen(function* () {
    const errands = yield* Errands
    const now = yield* Clock.currentTimeMillis
    const meter = makeMeter()
    const outcomes: ReadonlyArray<Effect.Effect<ErrandOutcome>> = [
      Effect.succeed(done),
      Effect.succeed(done),
      Effect.succeed(again("away")),
      Effect.die(new Error("broken"))
    ]
    for (const index of outcomes.keys()) {
      const errand = { kind: "fetch_media" as const, messageId: idOf("msg", index), media: [] }
      yield* errands.put({ tenantId: "acme", errandId: `media:${index}`, dueAt: now, createdAt: now, errand })
    }
    const run: RunErrand<never> = ({ errandId }) => outcomes[Number(errandId.slice(6))] ?? Effect.succeed(done)
    yield* Effect.provide(workDueErrands(countErrands(meter, run)), Logger.layer([]))
    const page = readMetrics(meter.families.text())
    const of = (outcome: string) => page.value("leadloom_errands_total", { kind: "fetch_media", outcome })
    assert.deepStrictEqual([of("done"), of("again"), of("broke"), of("later")], [2, 1, 1, null])
    assert.notMatch(meter.families.text(), /acme|media:/u)
  }).pipe(Effect.provide(Store.layer({ url: "sqlite::memory:" })))
)
