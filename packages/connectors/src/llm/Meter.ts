import { visibleLine } from "@leadloom/core/domain/email/VisibleText"
import type { ModelUse } from "@leadloom/core/domain/classification/Model"
import type { Said } from "./Dialect.ts"

/** Counts what answering one question costs, also when it fails in the end. */
export interface Meter {
  /** A request has reached the server, or may have. */
  readonly countCall: () => void
  readonly countTokens: (said: Said) => void
  /** Null: nothing was spent. */
  readonly use: () => ModelUse | null
}

const tokens = (count: number): number => (Number.isFinite(count) && count > 0 ? Math.round(count) : 0)

/** Nothing counted yet. `model` is whom we ask; the one that answers may tell a more exact name. */
export const makeMeter = (model: string): Meter => {
  let use: ModelUse = { model, calls: 0, inputTokens: 0, outputTokens: 0 }
  return {
    countCall: () => void (use = { ...use, calls: use.calls + 1 }),
    countTokens: (said) => {
      use = {
        ...use,
        model: visibleLine(said.model ?? "").slice(0, 100) || use.model,
        inputTokens: use.inputTokens + tokens(said.inputTokens),
        outputTokens: use.outputTokens + tokens(said.outputTokens)
      }
    },
    use: () => (use.calls === 0 ? null : use)
  }
}
