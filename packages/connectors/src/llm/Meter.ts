import { visibleLine } from "@leadloom/core/internal/domain/email/VisibleText"
import type { ModelUse } from "@leadloom/core/internal/domain/classification/Model"
import type { Said } from "./Dialect.ts"

/** Counts the cost of one question, whether the question succeeds or fails. */
export interface Meter {
  /** Counts a request that has, or may have, reached the server. */
  readonly countCall: () => void
  readonly countTokens: (said: Said) => void
  /** Returns the cost; null when no request was counted. */
  readonly use: () => ModelUse | null
}

const tokens = (count: number): number => (Number.isFinite(count) && count > 0 ? Math.round(count) : 0)

/** Creates an empty meter. `model` is the requested model; the response may name it more precisely. */
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
