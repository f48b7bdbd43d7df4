import { Effect } from "effect"
import type { RequestedAction } from "../../domain/rule/Rule.ts"
import type { RunAction } from "../../domain/run/Run.ts"
import type { ActionTarget } from "../../domain/run/RunSubject.ts"
import { performActions } from "../action/PerformActions.ts"
import { stopSequences } from "../action/SequenceActions.ts"
import { ChangesAreCauses } from "../cause/StoreChanges.ts"
import { withoutWrites } from "./SimulatedPorts.ts"

/**
 * Returns the outcomes that actions of a rule would have, with the code that carries them out. Stores and sends nothing.
 * The outcomes of `start_sequence` and `send_template` depend on the simulation of their sequences, so they are replaced
 * later.
 */
export const previewActions = (target: ActionTarget, wanted: ReadonlyArray<RequestedAction>) =>
  withoutWrites(
    Effect.gen(function* () {
      const { actions } = yield* performActions(target, wanted)
      const previewed: Array<RunAction> = []
      for (const [position, before] of actions.entries()) {
        const action = wanted[position]?.action
        previewed.push(
          action?.type === "stop_sequence" ? { ...before, ...(yield* stopSequences(target, action)) } : before
        )
      }
      return previewed
    })
  ).pipe(Effect.provideService(ChangesAreCauses, false))
