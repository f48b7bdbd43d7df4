import { probeServer } from "@leadloom/connectors/llm/ProbeServer"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, problem } from "../Finding.ts"

/** The server of the language model answers and takes the key, where one is configured. Nothing is paid for. */
export const languageModel: Check = {
  name: "language model",
  run: ({ config, hide }) =>
    Effect.gen(function* () {
      const llm = config?.llm ?? null
      if (llm === null) return [healthy("LEADLOOM_LLM_MODEL is not set: nothing is classified or written by a model.")]
      const reason = yield* probeServer(llm)
      if (reason === null) return [healthy(`${llm.baseUrl} answers; ${llm.model} is asked.`)]
      const next = "Correct LEADLOOM_LLM_BASE_URL and LEADLOOM_LLM_API_KEY, or wait until it answers."
      return [problem(`${llm.baseUrl} cannot be asked: ${hide(reason)}`, next)]
    })
}
