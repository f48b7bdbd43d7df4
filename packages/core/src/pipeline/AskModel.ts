import { Clock, Effect } from "effect"
import { usageMonth } from "../limit/Usage.ts"
import { Transactions } from "../port/Transactions.ts"
import { Usages } from "../port/Usages.ts"
import { consumeUsage } from "./ConsumeUsage.ts"
import { type ModelFailed, ModelMissing, type ModelUse } from "./Model.ts"
import { recordModelUse } from "./RecordModelUse.ts"

/**
 * A standalone action that asks a model. The caps are looked at first, also on a server without a model, where nothing is
 * counted: the unit fails. An action and a call are counted before anybody is asked, what else it cost is known after it.
 * When the model fails, the action is given back, and the call where nobody was reached.
 */
export const askModel = Effect.fn("askModel")(function* <A extends { readonly use: ModelUse }, R>(
  tenantId: string,
  configured: boolean,
  ask: Effect.Effect<A, ModelMissing | ModelFailed, R>
) {
  const { atomically } = yield* Transactions
  const usages = yield* Usages
  const month = usageMonth(yield* Clock.currentTimeMillis)
  const count = Effect.andThen(consumeUsage(tenantId, "actions"), consumeUsage(tenantId, "ai_calls"))
  yield* atomically(tenantId, configured ? count : Effect.andThen(count, Effect.fail(new ModelMissing())))
  const account = (use: ModelUse | null, failed: boolean) =>
    atomically(
      tenantId,
      Effect.gen(function* () {
        if (failed) yield* usages.giveBack(tenantId, "actions", month)
        if (use === null) yield* usages.giveBack(tenantId, "ai_calls", month)
        yield* recordModelUse(tenantId, use)
      })
    ).pipe(Effect.uninterruptible)
  const answered = yield* Effect.tapError(ask, (error) =>
    account(error._tag === "ModelFailed" ? error.use : null, true)
  )
  yield* account(answered.use, false)
  return answered
})
