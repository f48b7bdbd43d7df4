import { probeServer } from "@leadloom/connectors/internal/llm/RequestCompletion"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, problem } from "../Finding.ts"

/**
 * Checks that the language model's server answers and accepts the key, if one is configured. The check costs nothing.
 */
export const languageModel: Check = {
  name: "language model",
  run: ({ config, hide }) =>
    Effect.gen(function* () {
      const llm = config?.llm ?? null
      if (llm === null)
        return [healthy("LEADLOOM_LLM_MODEL is not set: no model classifies messages or writes replies.")]
      const reason = yield* probeServer(llm)
      if (reason === null) return [healthy(`${llm.baseUrl} answers; the configured model is ${llm.model}.`)]
      const next = "Correct LEADLOOM_LLM_BASE_URL or LEADLOOM_LLM_API_KEY, or wait until the server answers."
      return [problem(`The request to ${llm.baseUrl} failed: ${hide(reason)}`, next)]
    })
}
