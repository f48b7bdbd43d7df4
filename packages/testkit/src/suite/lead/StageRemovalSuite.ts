/** The suite of removed stages with many leads. Their wire format is tested in `packages/server`. */
import { assert, describe } from "@effect/vitest"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { readBoard } from "@leadloom/core/internal/workflow/deal/ReadBoard"
import { movedAtOnce, requirePipeline, updatePipeline } from "@leadloom/core/internal/workflow/deal/SalesPipelines"
import { Effect, Ref } from "effect"
import { leadRecord } from "../Records.ts"
import { acme, present, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const pipelineId = "pip_default"
const count = movedAtOnce + 1

/** Adds a stage to the default pipeline, with more leads than one unit of work moves. Returns the new stage. */
const fillStage = Effect.gen(function* () {
  yield* acme.open()
  const { stages } = yield* requirePipeline("acme", pipelineId)
  const added = { stageId: null, name: "Visited", state: "open" } as const
  const changed = yield* updatePipeline("acme", pipelineId, { stages: [...stages, added], moves: [] })
  const { stageId } = present(changed.stages.find(({ name }) => name === "Visited"))
  const leads = yield* Leads
  for (let number = 1; number <= count; number++)
    yield* leads.insert(leadRecord("acme", number, { stageId, value: 5, currency: "EUR" }))
  return { stages, stageId }
})

/** Returns the number of leads and their value in each stage that has leads. */
const board = Effect.map(readBoard("acme", pipelineId), ({ stages }) =>
  stages.flatMap(({ leads, stage, values }) => (leads === 0 ? [] : [[stage.stageId, leads, values[0]?.value]]))
)

/** Tests the removal of stages on a store. */
export const stageRemovalSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`removal of stages on ${name}`, () => {
    scene("moves many leads in several units of work, and then removes the stage", () =>
      Effect.gen(function* () {
        const { stageId, stages } = yield* fillStage
        const moves = [{ from: stageId, to: "stg_open" }]
        const { stages: left } = yield* updatePipeline("acme", pipelineId, { name: "Sales", stages, moves })
        assert.deepStrictEqual(left, stages)
        assert.deepStrictEqual(yield* board, [["stg_open", count, 5 * count]])
      })
    )

    scene("keeps the stage and the other leads when it is interrupted, and a repeated request completes it", () =>
      Effect.gen(function* () {
        const { stageId, stages } = yield* fillStage
        const { atomically } = yield* Transactions
        const units = yield* Ref.make(0)
        const crashing = Transactions.of({
          atomically: (tenantId, unit) =>
            Effect.flatMap(
              Ref.getAndUpdate(units, (before) => before + 1),
              (before) => (before === 0 ? atomically(tenantId, unit) : Effect.interrupt)
            )
        })
        const change = { name: "Sales", stages, moves: [{ from: stageId, to: "stg_open" }] }
        const updating = updatePipeline("acme", pipelineId, change)
        yield* Effect.exit(Effect.provideService(updating, Transactions, crashing))
        assert.deepStrictEqual(yield* board, [
          ["stg_open", movedAtOnce, 5 * movedAtOnce],
          [stageId, 1, 5]
        ])
        assert.notStrictEqual((yield* requirePipeline("acme", pipelineId)).name, "Sales")
        yield* updating
        assert.deepStrictEqual(yield* board, [["stg_open", count, 5 * count]])
      })
    )
  })
}
