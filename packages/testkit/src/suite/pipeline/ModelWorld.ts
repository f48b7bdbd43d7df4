import { assert } from "@effect/vitest"
import { type Run, stepText } from "@leadloom/core/internal/domain/run/Run"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { replayRun } from "@leadloom/core/internal/workflow/pipeline/ReplayRun"
import { Effect } from "effect"
import { acme } from "../Scene.ts"

/** Returns the run of a signal, and asserts that its replay is identical. */
export const replayedRunOf = Effect.fnUntraced(function* (signalId: string | null) {
  const run = yield* acme.runOf(signalId)
  const { replay } = yield* replayRun(yield* (yield* Tenants).get("acme"), run.signalId)
  assert.deepStrictEqual(replay.differences, [])
  return run
})

/** Returns outcome and reason of one step of a run, as one text. */
export const step = (run: Run, name: string): string => {
  const found = run.steps.find((each) => each.step === name) ?? assert.fail(`no step ${name}`)
  return `${found.outcome}: ${stepText(found)}`
}
